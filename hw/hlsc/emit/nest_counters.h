// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_
#define VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_

#include <optional>
#include <string>

#include "hw/hlsc/emit/control_flow.h"
#include "hw/hlsc/emit/counter_comparison.h"

namespace vta::hlsc::emit {

// clang-format off
// The counters of a nest's levels; level 1 is the outermost. The register <nest>_level is
//   the number of levels  if the counters hold an iteration;
//   k, less than that     if levels 1 to k have an iteration but the loop inside level k has none, so
//                         that level k steps next;
//   0                     if the nest is done.
// clang-format on
//
// In each cycle the innermost level steps. If it is done, the level around it steps, and so on; the
// levels inside the one that continues restart. So only a loop without any iteration costs a cycle.
// All of it is computed by variables of one clocked block, which simulators skip while the nest is
// idle.
//
// A comparison of a counter with a limit (counter_comparison.h) is computed a step ahead and read
// from a register. Otherwise a sum, the comparison and the choice of the levels that step would be
// in one cycle: the longest path of most nests.
class NestCounters {
 public:
  NestCounters(ModuleState& state, const NestEntry& entry);

  // `go`: the pipeline accepts the iteration in this cycle, or the level without one is skipped.
  void emit(const Expression& go);

 private:
  // Nets for the phis of some levels; phis of other levels are in their registers.
  using Nets = std::map<ir::ValueId, Expression>;
  Context context(const std::string& suffix, const Nets& nets);
  Expression source(const Nets& nets, ir::ValueId value);
  // Where the nest may just be entered: values of the state before it are not in registers yet.
  Context entering(const std::string& suffix, const Nets& nets);
  Expression entered_value(ir::ValueId value);
  Expression entered_register(ir::ValueId value);

  struct Level {
    const ir::Loop* loop;
    Nets stepped, chosen;        // after a step; at the end of the cycle
    Expression goes_on, active;  // it has an iteration after its step; at the end of the cycle
    std::optional<CounterComparison> ahead;  // the comparison that is computed a step ahead
    Expression ahead_next;                   // its register's next value
  };
  void step(size_t k);
  void choose(size_t k);
  // The register of level k + 1's comparison after its next step.
  Expression ahead_register(size_t k) const;
  // `again`: the level starts with `started`; `inner`: a level inside goes on.
  void choose_ahead(size_t k, const Expression& again, const Expression& inner,
                    const Nets& started);
  Expression start_value(Context& start, const ir::LoopPhi& phi, size_t k);
  Expression at_least(size_t level) const;

  ModuleState& state_;
  const NestEntry& entry_;
  const schedule::Nest& nest_;
  std::vector<Level> levels_;
  Expression level_;  // the register
  Block block_;
  Context entering_state_;  // values of the state before the nest, in its last cycle
  Nets entered_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_COUNTERS_H_
