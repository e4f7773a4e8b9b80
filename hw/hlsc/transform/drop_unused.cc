// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "hw/hlsc/transform/rewriter.h"

namespace vta::hlsc::transform {

using ir::Op;
using ir::Sequence;
using ir::ValueId;

namespace {

class Sweeper {
 public:
  explicit Sweeper(ir::Process& process)
      : process_(process), live_(process.ops.size(), false), phis_(process.ops.size(), nullptr) {}

  void run() {
    roots(process_.body);
    while (!work_.empty()) {
      const ValueId value = work_.back();
      work_.pop_back();
      for (ValueId operand : process_.ops[value].operands) mark(operand);
      if (const ir::LoopPhi* phi = phis_[value]; phi != nullptr) mark(phi->init), mark(phi->next);
    }
    sweep(process_.body);
    renumber();
  }

 private:
  void mark(ValueId value) {
    if (live_[value]) return;
    live_[value] = true;
    work_.push_back(value);
  }

  static bool has_effect(const Op& op) {
    return !ir::is_pure(op.opcode) && op.opcode != ir::Opcode::kRamRead &&
           op.opcode != ir::Opcode::kRegisterRead && op.opcode != ir::Opcode::kInputRead;
  }

  void roots(const Sequence& items) {
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        if (has_effect(process_.ops[*value])) mark(*value);
        continue;
      }
      const ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      mark(loop.predicate);
      mark(loop.condition);
      for (const ir::LoopPhi& phi : loop.phis) phis_[phi.phi] = &phi;
      roots(loop.head);
      roots(loop.body);
    }
  }

  void sweep(Sequence& items) {
    std::erase_if(items, [&](const ir::Item& item) {
      const ValueId* value = std::get_if<ValueId>(&item);
      return value != nullptr && !live_[*value];
    });
    for (ir::Item& item : items) {
      if (!std::holds_alternative<std::unique_ptr<ir::Loop>>(item)) continue;
      ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      std::erase_if(loop.phis, [&](const ir::LoopPhi& phi) { return !live_[phi.phi]; });
      sweep(loop.head);
      sweep(loop.body);
    }
  }

  // In program order; a constant stands before its first use.
  void renumber() {
    number_.assign(process_.ops.size(), ir::kNoValue);
    place_all(process_.body);
    process_.ops = std::move(ops_);
  }

  void place(ValueId& value) {
    if (number_[value] == ir::kNoValue) {
      Op op = std::move(process_.ops[value]);
      for (ValueId& operand : op.operands) place(operand);
      number_[value] = static_cast<ValueId>(ops_.size());
      ops_.push_back(std::move(op));
    }
    value = number_[value];
  }

  void place_all(Sequence& items) {
    for (ir::Item& item : items) {
      if (ValueId* value = std::get_if<ValueId>(&item)) {
        place(*value);
        continue;
      }
      ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
      place(loop.predicate);
      for (ir::LoopPhi& phi : loop.phis) place(phi.phi), place(phi.init);
      place_all(loop.head);
      place(loop.condition);
      place_all(loop.body);
      for (ir::LoopPhi& phi : loop.phis) place(phi.next);
    }
  }

  ir::Process& process_;
  std::vector<bool> live_;
  std::vector<const ir::LoopPhi*> phis_;
  std::vector<ValueId> work_, number_;
  std::vector<Op> ops_;
};

}  // namespace

void drop_unused(ir::Process& process) { Sweeper(process).run(); }

}  // namespace vta::hlsc::transform
