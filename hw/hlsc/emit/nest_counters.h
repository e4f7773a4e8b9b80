// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_
#define VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_

#include <string>

#include "hw/hlsc/emit/control_flow.h"

namespace vta::hlsc::emit {

// The counters of a nest's levels, 1 the outermost. <nest>_level says what they hold: the number of
// levels: an iteration; less: that many levels have a turn left, but the loop inside has none in
// this one, so that the next step is theirs; 0: nothing is left.
//
// In one cycle the innermost level takes a step; if it is through, the level around it does, and so
// on; levels inside the one that went on start anew. So only a loop that has no turn at all costs a
// cycle without an iteration. All of it is computed by variables of one clocked block: simulators
// pass over it while the nest is at rest.
class NestCounters {
 public:
  NestCounters(ModuleState& state, const NestEntry& entry);

  // `go`: an iteration is taken over, or the level's turn skipped, in this cycle.
  void emit(const std::string& go);

 private:
  // Values with certain names for the phis of some levels, the registers of the others.
  using Names = std::map<ir::ValueId, std::string>;
  Context context(const std::string& suffix, const Names& names);
  std::string source(const Names& names, ir::ValueId value);
  // Where the nest may just be entered: what the state before it computes is not in a register yet.
  Context entering(const std::string& suffix, const Names& names);
  std::string entered_value(ir::ValueId value);
  std::string entered_register(ir::ValueId value);

  struct Level {
    const ir::Loop* loop;
    Names stepped, chosen;        // after a step; at the end of the cycle
    std::string goes_on, active;  // it has a turn left after its step; it has one at the end
  };
  void step(size_t k);
  void choose(size_t k, const std::string& enter);
  std::string at_least(size_t level) const;

  ModuleState& state_;
  const NestEntry& entry_;
  const schedule::Nest& nest_;
  std::vector<Level> levels_;
  std::string level_;  // the register
  uint32_t level_bits_;
  BlockText block_;
  Context entering_state_;  // values of the state before the nest, in its last cycle
  std::map<ir::ValueId, std::string> entered_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_
