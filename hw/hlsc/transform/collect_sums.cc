// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/collect_sums.h"

#include <utility>
#include <vector>

namespace vta::hlsc::transform {

using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

class SumCollector {
 public:
  explicit SumCollector(ir::Process& process) : process_(process), uses_(process.ops.size(), 0) {}

  void run() {
    for (const Op& op : process_.ops) {
      for (ValueId operand : op.operands) ++uses_[operand];
    }
    count_links(process_.body);
    collect(process_.body);
  }

 private:
  void count_links(const Sequence& items) {
    for (const ir::Item& item : items) {
      if (std::holds_alternative<ValueId>(item)) continue;
      const ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      for (const ir::LoopPhi& phi : loop.phis) ++uses_[phi.init], ++uses_[phi.next];
      count_links(loop.head);
      count_links(loop.body);
    }
  }

  void collect(Sequence& items) {
    std::vector<bool> here(process_.ops.size(), false);
    for (ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        here[*value] = true;
        if (is_sum(*value)) absorb(*value, here);
      } else {
        ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
        collect(loop.head);
        collect(loop.body);
      }
    }
  }

  bool is_sum(ValueId value) const {
    const Opcode opcode = process_.ops[value].opcode;
    return opcode == Opcode::kAdd || opcode == Opcode::kSum;
  }

  // Takes the terms of operands that are sums themselves and have no other use.
  void absorb(ValueId value, const std::vector<bool>& here) {
    std::vector<ValueId> terms;
    for (ValueId operand : process_.ops[value].operands) {
      if (is_sum(operand) && uses_[operand] == 1 && here[operand]) {
        for (ValueId term : process_.ops[operand].operands) terms.push_back(term);
      } else {
        terms.push_back(operand);
      }
    }
    if (terms.size() <= 2) return;
    process_.ops[value].opcode = Opcode::kSum;
    process_.ops[value].operands = std::move(terms);
  }

  ir::Process& process_;
  std::vector<uint32_t> uses_;
};

}  // namespace

void collect_sums(ir::Process& process) { SumCollector(process).run(); }

}  // namespace vta::hlsc::transform
