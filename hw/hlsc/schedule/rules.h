// SPDX-License-Identifier: Apache-2.0
//
// What the rules of check.h are checked with: the process, its schedule, and how a broken rule is
// told.
#ifndef VTA_HW_HLSC_SCHEDULE_RULES_H_
#define VTA_HW_HLSC_SCHEDULE_RULES_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

struct Checked {
  const ir::Design& design;
  const ir::Process& process;
  const ProcessSchedule& schedule;
  double budget_ns;

  const ir::Op& op(ir::ValueId value) const { return process.ops[value]; }
  uint32_t step(ir::ValueId value) const { return schedule.step[value]; }

  // The step in which its result is there.
  uint32_t available(ir::ValueId value) const;
  // Reads or writes of RAMs, registers and inputs: neither pure nor able to wait.
  bool is_access(ir::ValueId value) const;
  // An operation that may wait for others; a halt only ends.
  bool waits(ir::ValueId value) const;
  // Whether two accesses to a RAM can be one: of the same word, or never at once.
  bool are_one_access(ir::ValueId a, ir::ValueId b) const;
  bool are_disjoint(ir::ValueId a, ir::ValueId b) const;

  // Refuses the schedule for operations of `process` unless the rule holds.
  void require(bool holds, std::string_view rule, std::initializer_list<ir::ValueId> operations,
               std::string_view why) const;
  [[noreturn]] void refuse(std::string_view rule, const ir::Location& location,
                           const std::string& what) const;
};

// The rules for the body of a nest's pipelined loop, but those of data.
void check_body(const Checked& checked, const Nest& nest);
// The rules for a sequence outside nests, but those of data; not for what is in its loops.
void check_sequence(const Checked& checked, const ir::Sequence& items);
// complete, data and budget, for all of the process.
void check_data(const Checked& checked);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_RULES_H_
