// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::ir {
namespace {

void visit_sequence(Process& process, Sequence& items, const VisitUse& visit, const Loop* outside) {
  const auto visit_operands = [&](ValueId value) {
    for (size_t i = 0; i < process.ops[value].operands.size(); ++i) {
      ValueId operand = process.ops[value].operands[i];
      visit(operand);  // may reallocate the operations
      process.ops[value].operands[i] = operand;
    }
  };
  for_each_item(items, visit_operands, [&](Loop& loop) {
    if (&loop == outside) return;
    for_each_loop_use(loop, visit);
    visit_sequence(process, loop.head, visit, outside);
    visit_sequence(process, loop.body, visit, outside);
  });
}

}  // namespace

void visit_uses(Process& process, const VisitUse& visit, const Loop* outside) {
  visit_sequence(process, process.body, visit, outside);
}

std::vector<uint32_t> count_uses(const Process& process) {
  std::vector<uint32_t> uses(process.ops.size(), 0);
  const auto count = [&](ValueId value) { ++uses[value]; };
  const auto count_operands = [&](ValueId value) {
    for (ValueId operand : process.ops[value].operands) count(operand);
  };
  walk(process.body, count_operands, [&](const Loop& loop) { for_each_loop_use(loop, count); });
  return uses;
}

}  // namespace vta::hlsc::ir
