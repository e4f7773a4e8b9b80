// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/test_first.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "hw/hlsc/ir/uses.h"

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

bool has_effects(const Process& process, const Sequence& items) {
  return std::any_of(items.begin(), items.end(), [&](const Item& item) {
    const Opcode opcode = process.ops[std::get<ValueId>(item)].opcode;
    return !ir::is_pure(opcode) && opcode != Opcode::kRegisterRead && opcode != Opcode::kInputRead;
  });
}

class TestFirst {
 public:
  TestFirst(Process& process, Loop& loop) : process_(process), loop_(loop) {}

  void run() {
    for (const LoopPhi& phi : loop_.phis) inside_.insert(phi.phi);
    for (const Sequence* items : {&loop_.head, &loop_.body}) {
      for (const Item& item : *items) inside_.insert(std::get<ValueId>(item));
    }
    const auto note = [&](ValueId value) {
      if (inside_.contains(value)) behind_.insert(value);
    };
    ir::visit_uses(process_, note, &loop_);
    join_body();
    keep_phis();
    const std::map<ValueId, ValueId> kept = keep_head();
    const auto use_kept = [&](ValueId& value) {
      if (const auto found = kept.find(value); found != kept.end()) value = found->second;
    };
    ir::visit_uses(process_, use_kept, &loop_);
    const ValueId goes_on = add_phi(1, 1, loop_.condition);
    loop_.condition = goes_on;
  }

 private:
  ValueId add_to_body(Opcode opcode, uint32_t width, std::vector<ValueId> operands) {
    Op op;
    op.opcode = opcode;
    op.width = width;
    op.operands = std::move(operands);
    op.location = loop_.location;
    const ValueId value = ir::add_op(process_, std::move(op));
    loop_.body.emplace_back(value);
    return value;
  }
  ValueId add_phi(uint32_t width, uint64_t init, ValueId next) {
    Op op;
    op.opcode = Opcode::kPhi;
    op.width = width;
    const ValueId phi = ir::add_op(process_, std::move(op));
    loop_.phis.push_back({phi, ir::add_constant(process_, width, init), next});
    return phi;
  }

  // The body's operations behind those of the head, on condition.
  void join_body() {
    const Sequence behind = std::exchange(loop_.body, std::exchange(loop_.head, {}));
    for (const Item& item : behind) {
      const ValueId value = std::get<ValueId>(item);
      if (ir::is_predicated(process_.ops[value].opcode)) {
        const ValueId both =
            add_to_body(Opcode::kAnd, 1, {process_.ops[value].operands[0], loop_.condition});
        process_.ops[value].operands[0] = both;
      }
      loop_.body.emplace_back(value);
    }
  }

  // Behind the loop phis are what they were in the last iteration.
  void keep_phis() {
    for (LoopPhi& phi : loop_.phis) {
      if (!behind_.contains(phi.phi)) continue;
      phi.next = add_to_body(Opcode::kSelect, process_.ops[phi.phi].width,
                             {loop_.condition, phi.next, phi.phi});
    }
  }

  // So are the values of the head, which are the body's now.
  std::map<ValueId, ValueId> keep_head() {
    std::map<ValueId, ValueId> kept;
    for (ValueId value : behind_) {
      if (process_.ops[value].opcode == Opcode::kPhi) continue;
      kept[value] = add_phi(process_.ops[value].width, 0, value);
    }
    return kept;
  }

  Process& process_;
  Loop& loop_;
  std::set<ValueId> inside_, behind_;  // values of the loop; those of them that are used behind it
};

void visit_loops(Process& process, Sequence& items) {
  for (Item& item : items) {
    auto* const loop = std::get_if<std::unique_ptr<Loop>>(&item);
    if (loop == nullptr) continue;
    if ((*loop)->initiation_interval == 0) {
      visit_loops(process, (*loop)->head);
      visit_loops(process, (*loop)->body);
    } else if (has_effects(process, (*loop)->head)) {
      TestFirst(process, **loop).run();
    }
  }
}

}  // namespace

void test_first(Process& process) { visit_loops(process, process.body); }

}  // namespace vta::hlsc::transform
