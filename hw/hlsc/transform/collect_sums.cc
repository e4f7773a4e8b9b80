// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/collect_sums.h"

#include <set>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/uses.h"

namespace vta::hlsc::transform {

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
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value != nullptr && process_.ops[*value].opcode == Opcode::kRamWrite)
        written.insert(process_.ops[*value].object);
    }
    Sequence out;
    for (ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        here[*value] = true;
        note_carried(*value, written);
        if (is_sum(*value)) absorb(*value, here, out);
      } else {
        ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
        collect(loop.head);
        collect(loop.body);
      }
      out.push_back(std::move(item));
    }
    items = std::move(out);
  }

  void note_carried(ValueId value, const std::set<ir::ObjectId>& written) {
    const Op& op = process_.ops[value];
    bool carried = op.opcode == Opcode::kRegisterRead ||
                   (op.opcode == Opcode::kRamRead && written.contains(op.object));
    // A predicate is not a part of what is read.
    for (size_t i = ir::is_predicated(op.opcode) ? 1 : 0; i < op.operands.size(); ++i)
      carried |= carried_.contains(op.operands[i]);
    if (carried) carried_.insert(value);
  }

  bool is_sum(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kAdd || opcode == Opcode::kSum;
  }

  // Takes the terms of operands that are sums themselves and have no other use. What comes from a
  // register or RAM is added last: an iteration may wait for it.
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
      const ValueId made = ir::add_op(process_, std::move(sum));
      out.emplace_back(made);
      uses_.resize(process_.ops.size(), 1);
      others = {made};
    }
    for (ValueId term : others) carried.push_back(term);
    process_.ops[value].opcode = carried.size() == 2 ? Opcode::kAdd : Opcode::kSum;
    process_.ops[value].operands = std::move(carried);
  }

  ir::Process& process_;
  std::vector<uint32_t> uses_;
  std::set<ValueId> carried_;  // values that an iteration may take from an older one
};

}  // namespace

void collect_sums(ir::Process& process) { SumCollector(process).run(); }

}  // namespace vta::hlsc::transform
