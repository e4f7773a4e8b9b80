// SPDX-License-Identifier: Apache-2.0
//
// Dead code elimination: removes operations without uses and effects, and renumbers the others in
// program order.
#include <utility>

#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Sequence;
using ir::ValueId;

namespace {

class Sweeper {
 public:
  explicit Sweeper(ir::Process& process)
      : process_(process), live_(process.ops.size(), false), phis_(process.ops.size(), nullptr) {}

  void run() {
    roots();
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

  void roots() {
    const auto root = [&](ValueId value) {
      if (!ir::is_removable(process_.ops[value].opcode)) mark(value);
    };
    ir::walk(process_.body, root, [&](const ir::Loop& loop) {
      mark(loop.predicate);
      mark(loop.condition);
      for (const ir::LoopPhi& phi : loop.phis) phis_[phi.phi] = &phi;
    });
  }

  void sweep(Sequence& items) {
    std::erase_if(items, [&](const ir::Item& item) {
      const ValueId* value = ir::as_op(item);
      return value != nullptr && !live_[*value];
    });
    const auto sweep_loop = [&](ir::Loop& loop) {
      std::erase_if(loop.phis, [&](const ir::LoopPhi& phi) { return !live_[phi.phi]; });
      sweep(loop.head);
      sweep(loop.body);
    };
    ir::for_each_item(items, [](ValueId) {}, sweep_loop);
  }

  // In program order; a constant comes before its first use.
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
      ir::Loop& loop = *ir::as_loop(item);
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

void eliminate_dead_ops(ir::Design&, ir::Process& process) { Sweeper(process).run(); }

}  // namespace vta::hlsc::passes
