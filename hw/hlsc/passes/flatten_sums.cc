// SPDX-License-Identifier: Apache-2.0
//
// Reassociates chains of additions: if no other operation uses the partial sums, they become one
// sum, which back ends build as a tree. Leaves the partial sums without uses.
#include <set>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

class SumCollector {
 public:
  explicit SumCollector(ir::Process& process) : process_(process), uses_(ir::count_uses(process)) {}

  void run() { collect(process_.body); }

 private:
  void collect(Sequence& items) {
    std::vector<bool> here(process_.ops.size(), false);
    std::set<ir::ObjectId> written;
    for (const ir::Item& item : items) {
      const ValueId* value = ir::as_op(item);
      if (value != nullptr && process_.ops[*value].opcode == Opcode::kRamWrite)
        written.insert(process_.ops[*value].object);
    }
    const auto flatten = [&](ValueId value, Sequence& out) {
      here[value] = true;
      note_carried(value, written);
      if (is_sum(value)) absorb(value, here, out);
    };
    ir::rebuild(items, flatten, [&](ir::Loop& loop) {
      collect(loop.head);
      collect(loop.body);
    });
  }

  void note_carried(ValueId value, const std::set<ir::ObjectId>& written) {
    const Op& op = process_.ops[value];
    bool carried = op.opcode == Opcode::kRegisterRead ||
                   (op.opcode == Opcode::kRamRead && written.contains(op.object));
    // What is read does not depend on the predicate.
    for (size_t i = ir::is_predicated(op.opcode) ? 1 : 0; i < op.operands.size(); ++i)
      carried |= carried_.contains(op.operands[i]);
    if (carried) carried_.insert(value);
  }

  bool is_sum(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kAdd || opcode == Opcode::kSum;
  }

  // Replaces operands that are sums without other uses by their terms. Terms from registers and
  // RAMs are added last: they may depend on the previous iteration.
  void absorb(ValueId value, const std::vector<bool>& here, Sequence& out) {
    std::vector<ValueId> carried, others;
    const auto gather = [&](auto&& self, ValueId sum) -> void {
      for (ValueId operand : process_.ops[sum].operands) {
        const bool local = operand >= here.size() || here[operand];
        if (is_sum(operand) && uses_[operand] == 1 && local) {
          self(self, operand);
        } else {
          (carried_.contains(operand) ? carried : others).push_back(operand);
        }
      }
    };
    gather(gather, value);
    if (carried.size() + others.size() <= 2) return;
    if (!carried.empty() && others.size() > 1) {
      Op sum = process_.ops[value];
      sum.opcode = Opcode::kSum;
      sum.operands = std::move(others);
      const ValueId made = ir::Builder(process_, &out).append(std::move(sum));
      uses_.resize(process_.ops.size(), 1);
      others = {made};
    }
    for (ValueId term : others) carried.push_back(term);
    process_.ops[value].opcode = carried.size() == 2 ? Opcode::kAdd : Opcode::kSum;
    process_.ops[value].operands = std::move(carried);
  }

  ir::Process& process_;
  std::vector<uint32_t> uses_;
  std::set<ValueId> carried_;  // values that may depend on an earlier iteration
};

}  // namespace

void flatten_sums(ir::Design&, ir::Process& process) { SumCollector(process).run(); }

}  // namespace vta::hlsc::passes
