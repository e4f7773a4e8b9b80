// SPDX-License-Identifier: Apache-2.0
//
// Walkers over a process: its items, loops, operations, definitions and uses, all in program order.
// The callbacks of templates get references; const if the process, sequence or loop is.
#ifndef VTA_HW_HLSC_IR_WALK_H_
#define VTA_HW_HLSC_IR_WALK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// Null if the item is a loop.
inline const ValueId* as_op(const Item& item) { return std::get_if<ValueId>(&item); }
// Null if the item is an operation.
inline Loop* as_loop(Item& item) {
  const auto* loop = std::get_if<std::unique_ptr<Loop>>(&item);
  return loop == nullptr ? nullptr : loop->get();
}
inline const Loop* as_loop(const Item& item) { return as_loop(const_cast<Item&>(item)); }

// The items of one sequence: on_op(ValueId) or on_loop(Loop&) for each. Does not enter the loops.
template <class Items, class OnOp, class OnLoop>
void for_each_item(Items& items, OnOp&& on_op, OnLoop&& on_loop) {
  for (auto& item : items) {
    if (const ValueId* value = as_op(item)) {
      on_op(*value);
    } else {
      on_loop(*as_loop(item));
    }
  }
}

// All items of a sequence and of the loops in it; on_loop() of a loop comes before what it holds.
template <class Items, class OnOp, class OnLoop>
void walk(Items& items, OnOp&& on_op, OnLoop&& on_loop) {
  for_each_item(items, on_op, [&](auto& loop) {
    on_loop(loop);
    walk(loop.head, on_op, on_loop);
    walk(loop.body, on_op, on_loop);
  });
}

// visit(ValueId) for each operation that is in a sequence: no constants, no phis.
template <class Items, class Visit>
void for_each_op(Items& items, Visit&& visit) {
  walk(items, visit, [](const auto&) {});
}

// visit(Loop&) for each loop, outer ones first.
template <class Items, class Visit>
void for_each_loop(Items& items, Visit&& visit) {
  walk(items, [](ValueId) {}, visit);
}

// Builds a sequence anew: of_op(ValueId, out) before each operation, which may append others to
// `out`, where the operation follows; of_loop(Loop&) before each loop of the sequence.
template <class OfOp, class OfLoop>
void rebuild(Sequence& items, OfOp&& of_op, OfLoop&& of_loop) {
  Sequence out;
  for (Item& item : items) {
    if (const ValueId* value = as_op(item)) {
      of_op(*value, out);
    } else {
      of_loop(*as_loop(item));
    }
    out.push_back(std::move(item));
  }
  items = std::move(out);
}

// visit(ValueId) for each phi and each operation with or without a result.
template <class Visit>
void for_each_definition(const Sequence& items, Visit&& visit) {
  walk(items, visit, [&](const Loop& loop) {
    for (const LoopPhi& phi : loop.phis) visit(phi.phi);
  });
}
template <class Visit>
void for_each_definition(const Loop& loop, Visit&& visit) {
  for (const LoopPhi& phi : loop.phis) visit(phi.phi);
  for_each_definition(loop.head, visit);
  for_each_definition(loop.body, visit);
}

// visit(ValueId) for what a loop exports, that is, what may be used after it: its phis, the values
// of its head, and the exports of the loops in its head.
template <class Visit>
void for_each_export(const Loop& loop, Visit&& visit) {
  for (const LoopPhi& phi : loop.phis) visit(phi.phi);
  for_each_item(loop.head, visit, [&](const Loop& inner) { for_each_export(inner, visit); });
}

// visit(ValueId) for the values that a loop itself uses: predicate, condition, and the initial and
// next values of its phis. Not const: the callback may change them.
template <class LoopType, class Visit>
void for_each_loop_use(LoopType& loop, Visit&& visit) {
  visit(loop.predicate);
  visit(loop.condition);
  for (auto& phi : loop.phis) visit(phi.init), visit(phi.next);
}

// `visit` may change the value and may add operations, which are not visited.
using VisitUse = std::function<void(ValueId& value)>;

// All uses, by operations and by loops; without those in `outside`, if it is given.
void visit_uses(Process& process, const VisitUse& visit, const Loop* outside = nullptr);

// The number of uses of each value, by ValueId.
std::vector<uint32_t> count_uses(const Process& process);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_WALK_H_
