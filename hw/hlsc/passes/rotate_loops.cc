// SPDX-License-Identifier: Apache-2.0
//
// Loop rotation: a pipelined loop with effects in its head (a `do` loop, a `break` in the middle)
// carries the outcome of its condition to the next iteration. The head then has no effects; all
// operations are in the body.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Item;
using ir::Loop;
using ir::LoopPhi;
using ir::Opcode;
using ir::Process;
using ir::Sequence;
using ir::ValueId;

namespace {

bool has_effects(const Process& process, const Sequence& items) {
  return std::any_of(items.begin(), items.end(), [&](const Item& item) {
    return !ir::is_combinational(process.ops[std::get<ValueId>(item)].opcode);
  });
}

class LoopRotation {
 public:
  LoopRotation(Process& process, Loop& loop)
      : process_(process), loop_(loop), builder_(process, &loop.body) {
    builder_.set_origin(loop.location, "");
  }

  void run() {
    ir::for_each_definition(loop_, [&](ValueId value) { inside_.insert(value); });
    const auto note = [&](ValueId value) {
      if (inside_.contains(value)) used_after_.insert(value);
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
  ValueId add_phi(uint32_t width, uint64_t init, ValueId next) {
    return builder_.phi(loop_, ir::make_op(Opcode::kPhi, width, {}), builder_.constant(width, init),
                        next);
  }

  // Appends the body's operations to those of the head, predicated with the condition.
  void join_body() {
    const Sequence body = std::exchange(loop_.body, std::exchange(loop_.head, {}));
    for (const Item& item : body) {
      const ValueId value = std::get<ValueId>(item);
      if (ir::is_predicated(process_.ops[value].opcode)) {
        const ValueId both =
            builder_.append(Opcode::kAnd, 1, {process_.ops[value].operands[0], loop_.condition});
        process_.ops[value].operands[0] = both;
      }
      loop_.body.emplace_back(value);
    }
  }

  // After the loop its phis are what they were in the last iteration.
  void keep_phis() {
    for (LoopPhi& phi : loop_.phis) {
      if (!used_after_.contains(phi.phi)) continue;
      phi.next = builder_.append(Opcode::kSelect, process_.ops[phi.phi].width,
                                 {loop_.condition, phi.next, phi.phi});
    }
  }

  // So are the values of the head, which the body computes now.
  std::map<ValueId, ValueId> keep_head() {
    std::map<ValueId, ValueId> kept;
    for (ValueId value : used_after_) {
      if (process_.ops[value].opcode == Opcode::kPhi) continue;
      kept[value] = add_phi(process_.ops[value].width, 0, value);
    }
    return kept;
  }

  Process& process_;
  Loop& loop_;
  ir::Builder builder_;                    // of the body
  std::set<ValueId> inside_, used_after_;  // values of the loop; those with uses after it
};

}  // namespace

void rotate_loops(ir::Design&, Process& process) {
  ir::for_each_loop(process.body, [&](Loop& loop) {
    if (loop.initiation_interval != 0 && has_effects(process, loop.head))
      LoopRotation(process, loop).run();
  });
}

}  // namespace vta::hlsc::passes
