// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/uses.h"

namespace vta::hlsc::ir {
namespace {

void visit_loop(Loop& loop, const VisitUse& visit) {
  visit(loop.predicate);
  visit(loop.condition);
  for (LoopPhi& phi : loop.phis) visit(phi.init), visit(phi.next);
}

void visit_sequence(Process& process, Sequence& items, const VisitUse& visit, const Loop* outside) {
  for (Item& item : items) {
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      for (size_t i = 0; i < process.ops[*value].operands.size(); ++i) {
        ValueId operand = process.ops[*value].operands[i];
        visit(operand);  // may move the operations
        process.ops[*value].operands[i] = operand;
      }
      continue;
    }
    Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
    if (&loop == outside) continue;
    visit_loop(loop, visit);
    visit_sequence(process, loop.head, visit, outside);
    visit_sequence(process, loop.body, visit, outside);
  }
}

void count_sequence(const Process& process, const Sequence& items, std::vector<uint32_t>& uses) {
  for (const Item& item : items) {
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      for (ValueId operand : process.ops[*value].operands) ++uses[operand];
      continue;
    }
    const Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
    ++uses[loop.predicate], ++uses[loop.condition];
    for (const LoopPhi& phi : loop.phis) ++uses[phi.init], ++uses[phi.next];
    count_sequence(process, loop.head, uses);
    count_sequence(process, loop.body, uses);
  }
}

}  // namespace

void visit_uses(Process& process, const VisitUse& visit, const Loop* outside) {
  visit_sequence(process, process.body, visit, outside);
}

std::vector<uint32_t> count_uses(const Process& process) {
  std::vector<uint32_t> uses(process.ops.size(), 0);
  count_sequence(process, process.body, uses);
  return uses;
}

}  // namespace vta::hlsc::ir
