// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/rules.h"

#include "base/errors/error.h"
#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/schedule/operation_text.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

uint32_t Checked::available(ValueId value) const {
  if (schedule.split_sums.contains(value)) return step(value) + 1;
  if (op(value).opcode != Opcode::kRamRead) return step(value);
  const bool waits_a_step =
      schedule.late_words.contains(value) || schedule.registered_words.contains(value);
  return step(value) + (waits_a_step ? 2 : 1);
}

bool Checked::is_access(ValueId value) const {
  const Opcode opcode = op(value).opcode;
  return !ir::is_pure(opcode) && !ir::may_wait(opcode);
}

bool Checked::waits(ValueId value) const {
  return ir::may_wait(op(value).opcode) && op(value).opcode != Opcode::kHalt;
}

bool Checked::are_disjoint(ValueId a, ValueId b) const {
  return passes::are_disjoint(process, passes::conjunction(process, op(a).operands[0]),
                              passes::conjunction(process, op(b).operands[0]));
}

bool Checked::are_one_access(ValueId a, ValueId b) const {
  return op(a).operands[1] == op(b).operands[1] || are_disjoint(a, b);
}

void Checked::require(bool holds, std::string_view rule, std::initializer_list<ValueId> operations,
                      std::string_view why) const {
  if (holds) return;
  std::string what;
  for (ValueId value : operations) {
    const std::string place = place_text(op(value).location);
    what += fmt::format("{}{}{} in {}", what.empty() ? "" : ", ", operation_text(design, op(value)),
                        place.empty() ? "" : " of " + place, step(value));
  }
  refuse(rule, op(*(operations.end() - 1)).location, fmt::format("{}: {}", what, why));
}

void Checked::refuse(std::string_view rule, const ir::Location& location,
                     const std::string& what) const {
  fail(ErrorCode::kInvalidArgument, "{}process {}: rule '{}': {}", place_prefix(location),
       process.name, rule, what);
}

}  // namespace vta::hlsc::schedule
