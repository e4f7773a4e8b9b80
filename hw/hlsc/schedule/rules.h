// SPDX-License-Identifier: Apache-2.0
//
// Context of the rules of check.h: the process, its schedule, and the error of a broken rule.
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

  // The step in which the result is available.
  uint32_t available(ir::ValueId value) const;
  // A read or write of a RAM, register or input: neither pure nor able to wait.
  bool is_access(ir::ValueId value) const;
  // Whether the operation may wait; a halt does not.
  bool waits(ir::ValueId value) const;
  // Whether two accesses of a RAM can share a port in one cycle: same word, or mutually exclusive.
  bool are_one_access(ir::ValueId a, ir::ValueId b) const;
  bool are_disjoint(ir::ValueId a, ir::ValueId b) const;

  // Throws the error of a broken rule, with the operations, unless `holds`.
  void require(bool holds, std::string_view rule, std::initializer_list<ir::ValueId> operations,
               std::string_view why) const;
  [[noreturn]] void refuse(std::string_view rule, const ir::Location& location,
                           const std::string& what) const;
};

// The rules for the body of a nest's pipelined loop, except data.
void check_body(const Checked& checked, const Nest& nest);
// The rules for a sequence outside nests, except data; its loops are not checked.
void check_sequence(const Checked& checked, const ir::Sequence& items);
// The rules complete, data, budget and deadline, for the whole process.
void check_data(const Checked& checked);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_RULES_H_
