// SPDX-License-Identifier: Apache-2.0
//
// Deadlines: when the operands of operations with effects must be available. Between an operand and
// the clock edge there is logic that emit adds later, such as the multiplexer at the port of a RAM
// and the stall conditions. The scheduler leaves it time at the end of the step.
#ifndef VTA_HW_HLSC_SCHEDULE_DEADLINE_H_
#define VTA_HW_HLSC_SCHEDULE_DEADLINE_H_

#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/timing.h"

namespace vta::hlsc::schedule {

class Deadlines {
 public:
  // `process` is one of the design's. `body`: the operations of a pipelined loop, or none outside
  // nests.
  Deadlines(const ir::Design& design, const ir::Process& process, const ir::Sequence* body);

  // How long before the end of its step the operand must be available.
  double before_end_ns(const ir::Op& op, size_t operand) const;

  // The same for entry_values().
  static double before_entry_ns(bool is_nest);

 private:
  bool may_stall(const ir::Op& op) const;

  // RAMs whose read port, or write port, other processes use too; RAMs that the body writes.
  std::set<ir::ObjectId> shared_reads_, shared_writes_, written_;
};

// When an operation can use an operand that is available at `time`: in the next step, from a
// register, if less than `before_end_ns` is left in this one. An operand that comes from a register
// already stays in its step, because a further register would not be earlier.
Time in_time(const Time& time, double before_end_ns, double budget_ns);

// The values that a loop starts from: its predicate, what its phis start with, and, of a nest with
// these levels (none: it is not a nest), all values from outside that its counters are computed
// from.
std::set<ir::ValueId> entry_values(const ir::Process& process, const ir::Loop& loop,
                                   const std::vector<const ir::Loop*>& levels);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_DEADLINE_H_
