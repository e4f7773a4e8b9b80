// SPDX-License-Identifier: Apache-2.0
//
// A nest: a pipelined loop with the loops around it whose own operations only count. It runs as one
// engine, whose issue stage computes the counters of all levels.
#ifndef VTA_HW_HLSC_TRANSFORM_NEST_H_
#define VTA_HW_HLSC_TRANSFORM_NEST_H_

#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

struct NestLoops {
  std::vector<const ir::Loop*> levels;  // outermost first; the last is the pipelined loop
};

// The sequence's item `loop` as a nest: as many levels as can be one, by their shape alone (one
// loop in each body, without a predicate, and pure operations or register reads besides). No levels
// if there is no pipelined loop at the bottom.
NestLoops nest_of(const ir::Process& process, const ir::Loop& loop);

// nest_of(), less the levels whose counters cannot be computed by themselves; after carry.h those
// are loops of their own. No levels if `loop` is one of them or in none.
NestLoops engine_of(const ir::Process& process, const ir::Loop& loop);

// Where in a nest each value is computed.
class NestValues {
 public:
  NestValues(const ir::Process& process, const NestLoops& nest);

  enum class Place : uint8_t { kOutside, kPhi, kControl, kBody };
  Place place(ir::ValueId value) const;
  size_t level(ir::ValueId value) const;  // of a phi or a control value
  const ir::LoopPhi& phi(ir::ValueId value) const { return *phis_.at(value); }

  // Values that depend on what a RAM, register, stream or port gives, or on a phi of `phis`, which
  // are among them; what is under `late` does not count.
  std::set<ir::ValueId> dynamic_values(const std::set<ir::ValueId>& phis) const;

  // How many outer levels the body takes something from that those compute, of what is in
  // `dynamic`: it would be another value if every iteration computed it.
  size_t levels_read_by_body(const std::set<ir::ValueId>& dynamic) const;

  // Phis that the counters alone cannot compute. Those that only `late` looks at are left out: any
  // earlier value of the registers behind them will do.
  std::set<ir::ValueId> dynamic_phis() const;

 private:
  void add(const ir::Sequence& items, Place place, size_t level);
  bool depends(ir::ValueId value, std::map<ir::ValueId, bool>& known) const;
  bool only_late_uses(ir::ValueId value, std::set<ir::ValueId>& visited) const;

  const ir::Process& process_;
  const NestLoops& nest_;
  std::map<ir::ValueId, std::pair<Place, size_t>> places_;
  std::map<ir::ValueId, const ir::LoopPhi*> phis_;
};

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_NEST_H_
