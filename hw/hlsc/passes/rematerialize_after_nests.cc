// SPDX-License-Identifier: Apache-2.0
//
// Rematerialization: values that the head of a nest (nest.h) reads from registers, and values
// computed from them, are read and computed again right after the nest if they are used there. The
// registers then have the values that they had when the loop ended. The counters of a nest run
// ahead of its body and do not keep these values.
#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Item;
using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::Process;
using ir::Sequence;
using ir::ValueId;

namespace {

class NestReads {
 public:
  NestReads(Process& process, const Loop& loop)
      : process_(process), loop_(loop), builder_(process, &after_) {
    for (const Item& item : loop.head) {
      const ValueId value = std::get<ValueId>(item);
      const Op& op = process.ops[value];
      bool reads = op.opcode == Opcode::kRegisterRead;
      for (ValueId operand : op.operands) reads |= reads_.contains(operand);
      if (reads) reads_.insert(value);
    }
  }

  // The operations to insert after the loop.
  Sequence run() {
    if (reads_.empty()) return {};
    const auto use_copy = [&](ValueId& value) {
      if (reads_.contains(value)) value = copy(value);
    };
    ir::visit_uses(process_, use_copy, &loop_);
    return std::move(after_);
  }

 private:
  ValueId copy(ValueId value) {
    if (!reads_.contains(value)) return value;
    if (const auto found = copies_.find(value); found != copies_.end()) return found->second;
    Op op = process_.ops[value];
    // No iteration is in flight any more.
    if (op.opcode == Opcode::kLate) return copies_[value] = copy(op.operands[0]);
    for (ValueId& operand : op.operands) operand = copy(operand);
    return copies_[value] = builder_.append(std::move(op));
  }

  Process& process_;
  const Loop& loop_;
  std::set<ValueId> reads_;  // values of the head that depend on registers
  std::map<ValueId, ValueId> copies_;
  Sequence after_;
  ir::Builder builder_;  // of after_
};

void visit(Process& process, Sequence& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (ir::as_op(items[i]) != nullptr) continue;
    Loop& loop = *ir::as_loop(items[i]);
    if (engine_of(process, loop).levels.empty()) {
      visit(process, loop.head);
      visit(process, loop.body);
      continue;
    }
    Sequence after = NestReads(process, loop).run();
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                 std::make_move_iterator(after.begin()), std::make_move_iterator(after.end()));
  }
}

}  // namespace

void rematerialize_after_nests(ir::Design&, Process& process) { visit(process, process.body); }

}  // namespace vta::hlsc::passes
