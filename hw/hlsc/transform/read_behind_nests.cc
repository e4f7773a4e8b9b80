// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/read_behind_nests.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "hw/hlsc/ir/uses.h"
#include "hw/hlsc/transform/nest.h"

namespace vta::hlsc::transform {

using ir::Item;
using ir::Loop;
using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::Process;
using ir::Sequence;
using ir::ValueId;

namespace {

class NestReads {
 public:
  NestReads(Process& process, const Loop& loop) : process_(process), loop_(loop) {
    for (const Item& item : loop.head) {
      const ValueId value = std::get<ValueId>(item);
      const Op& op = process.ops[value];
      bool reads = op.opcode == Opcode::kRegisterRead;
      for (ValueId operand : op.operands) reads |= reads_.contains(operand);
      if (reads) reads_.insert(value);
    }
  }

  // What is to stand behind the loop.
  Sequence run() {
    if (reads_.empty()) return {};
    const auto use_copy = [&](ValueId& value) {
      if (reads_.contains(value)) value = copy(value);
    };
    ir::visit_uses(process_, use_copy, &loop_);
    return std::move(behind_);
  }

 private:
  ValueId copy(ValueId value) {
    if (!reads_.contains(value)) return value;
    if (const auto found = copies_.find(value); found != copies_.end()) return found->second;
    Op op = process_.ops[value];
    // All iterations are over.
    if (op.opcode == Opcode::kLate) return copies_[value] = copy(op.operands[0]);
    for (ValueId& operand : op.operands) operand = copy(operand);
    const ValueId made = ir::add_op(process_, std::move(op));
    behind_.emplace_back(made);
    return copies_[value] = made;
  }

  Process& process_;
  const Loop& loop_;
  std::set<ValueId> reads_;  // values of the head that depend on registers
  std::map<ValueId, ValueId> copies_;
  Sequence behind_;
};

void visit(Process& process, Sequence& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    auto* const held = std::get_if<std::unique_ptr<Loop>>(&items[i]);
    if (held == nullptr) continue;
    Loop& loop = **held;
    if (engine_of(process, loop).levels.empty()) {
      visit(process, loop.head);
      visit(process, loop.body);
      continue;
    }
    Sequence behind = NestReads(process, loop).run();
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                 std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
  }
}

}  // namespace

void read_behind_nests(Process& process) { visit(process, process.body); }

}  // namespace vta::hlsc::transform
