// SPDX-License-Identifier: Apache-2.0
//
// Reassociates chains of additions: if no other operation uses the partial sums, they become one
// sum, which back ends build as a tree. Leaves the partial sums without uses.
#include <llvm/ADT/BitVector.h>

#include <algorithm>
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

// Which values of a sequence depend on an earlier pass through it, and through which objects.
class CarriedValues {
 public:
  CarriedValues(const ir::Process& process, const Sequence& items)
      : process_(process), num_objects_(count_objects(process)) {
    ir::for_each_item(items, [&](ValueId value) { order_.push_back(value); }, [](const auto&) {});
    written_ = no_objects();
    for (ValueId value : order_) {
      if (writes(value)) written_.set(process.ops[value].object);
    }
    depends_.assign(process.ops.size(), {});
    for (ValueId value : order_) depends_[value] = dependences(value);
    find_influences();
  }

  // Whether the term may depend on what a register or RAM got from the sum in an earlier pass.
  bool is_carried(ValueId term, ValueId sum) const {
    return term < depends_.size() && !depends_[term].empty() && !influences_[sum].empty() &&
           depends_[term].anyCommon(influences_[sum]);
  }

 private:
  using Objects = llvm::BitVector;

  static unsigned count_objects(const ir::Process& process) {
    unsigned count = 0;
    for (const Op& op : process.ops) {
      if (op.object != ir::kNoObject) count = std::max(count, static_cast<unsigned>(op.object) + 1);
    }
    return count;
  }
  Objects no_objects() const { return Objects(num_objects_); }

  bool reads(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kRegisterRead || opcode == Opcode::kRamRead;
  }
  bool writes(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kRegisterWrite || opcode == Opcode::kRamWrite;
  }
  // visit(ValueId) for the operands of which the result is made. What is read does not depend on
  // the predicate.
  template <class Visit>
  void for_each_source(ValueId value, Visit visit) const {
    const Op& op = process_.ops[value];
    for (size_t i = reads(value) ? 1 : 0; i < op.operands.size(); ++i) visit(op.operands[i]);
  }

  Objects dependences(ValueId value) const {
    Objects objects = no_objects();
    const Op& op = process_.ops[value];
    if (reads(value) && written_.test(op.object)) objects.set(op.object);
    for_each_source(value, [&](ValueId source) { objects |= depends_[source]; });
    return objects;
  }

  // Backwards from the writes, until what an object influences in later passes is known.
  void find_influences() {
    std::vector<Objects> of_object(num_objects_, no_objects());
    for (bool grows = true; grows;) {
      grows = false;
      influences_.assign(process_.ops.size(), {});
      for (size_t i = order_.size(); i-- > 0;) {
        const ValueId value = order_[i];
        Objects& here = influences_[value];
        here.resize(num_objects_);
        if (writes(value)) {
          here.set(process_.ops[value].object);
          here |= of_object[process_.ops[value].object];
        }
        for_each_source(value, [&](ValueId source) { influences_[source] |= here; });
        if (!reads(value)) continue;
        Objects& object = of_object[process_.ops[value].object];
        grows |= here.test(object);  // has bits that the object does not have
        object |= here;
      }
    }
  }

  const ir::Process& process_;
  const unsigned num_objects_;
  std::vector<ValueId> order_;
  Objects written_;
  std::vector<Objects> depends_, influences_;  // by ValueId
};

class SumCollector {
 public:
  explicit SumCollector(ir::Process& process) : process_(process), uses_(ir::count_uses(process)) {}

  void run() { collect(process_.body); }

 private:
  void collect(Sequence& items) {
    std::vector<bool> here(process_.ops.size(), false);
    const CarriedValues carried(process_, items);
    const auto flatten = [&](ValueId value, Sequence& out) {
      here[value] = true;
      if (is_sum(value)) absorb(value, here, carried, out);
    };
    ir::rebuild(items, flatten, [&](ir::Loop& loop) {
      collect(loop.head);
      collect(loop.body);
    });
  }

  bool is_sum(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kAdd || opcode == Opcode::kSum;
  }

  // Replaces operands that are sums without other uses by their terms. Terms that may depend on
  // this sum in an earlier iteration are added last.
  void absorb(ValueId value, const std::vector<bool>& here, const CarriedValues& values,
              Sequence& out) {
    std::vector<ValueId> carried, others;
    const auto gather = [&](auto&& self, ValueId sum) -> void {
      for (ValueId operand : process_.ops[sum].operands) {
        const bool local = operand >= here.size() || here[operand];
        if (is_sum(operand) && uses_[operand] == 1 && local) {
          self(self, operand);
        } else {
          (values.is_carried(operand, value) ? carried : others).push_back(operand);
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
};

}  // namespace

void flatten_sums(ir::Design&, ir::Process& process) { SumCollector(process).run(); }

}  // namespace vta::hlsc::passes
