// SPDX-License-Identifier: Apache-2.0
//
// A perfect loop nest: a pipelined loop with the loops around it that hold nothing but control
// logic. It runs as one engine, whose issue stage computes the counters of all levels.
#ifndef VTA_HW_HLSC_PASSES_NEST_H_
#define VTA_HW_HLSC_PASSES_NEST_H_

#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

struct NestLoops {
  std::vector<const ir::Loop*> levels;  // outermost first; the last is the pipelined loop
};

// The nest that starts with `loop`, by its shape alone. Above the pipelined loop, each body
// holds one loop, whose predicate is the constant 1. Heads and bodies otherwise hold only
// combinational operations (pure ones, reads of registers and inputs). No levels if there is no
// such nest.
NestLoops nest_of(const ir::Process& process, const ir::Loop& loop);

// nest_of() if its counters can run ahead of its body; else no levels, and `loop` becomes a loop of
// the state machine. demote_phis brings nests into this form.
NestLoops engine_of(const ir::Process& process, const ir::Loop& loop);

// Where in a nest each value is computed.
class NestValues {
 public:
  NestValues(const ir::Process& process, const NestLoops& nest);

  enum class Place : uint8_t { kOutside, kPhi, kControl, kBody };
  Place place(ir::ValueId value) const;
  size_t level(ir::ValueId value) const;  // of a phi or a control value
  const ir::LoopPhi& phi(ir::ValueId value) const { return *phis_.at(value); }

  // Values of the nest that depend on a read (other than of an input, which is constant) or on a
  // phi of `phis`; the phis are among them. Operands of `late` do not count.
  std::set<ir::ValueId> dynamic_values(const std::set<ir::ValueId>& phis) const;

  // The number of outer levels from which the body uses values in `dynamic`. Recomputed in the
  // body, such a value could differ.
  size_t levels_read_by_body(const std::set<ir::ValueId>& dynamic) const;

  // Phis that the counters alone cannot compute. Phis that only `late` uses are not among them: any
  // earlier value of their registers will do.
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

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_NEST_H_
