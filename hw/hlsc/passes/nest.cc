// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/nest.h"

#include <algorithm>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_control(const ir::Process& process, ValueId value) {
  return ir::is_combinational(process.ops[value].opcode);
}

// The only loop of a body whose other operations are control logic; null if there is none.
const ir::Loop* inner_loop(const ir::Process& process, const ir::Loop& loop) {
  const ir::Loop* inner = nullptr;
  for (const ir::Item& item : loop.head) {
    const ValueId* value = ir::as_op(item);
    if (value == nullptr || !is_control(process, *value)) return nullptr;
  }
  for (const ir::Item& item : loop.body) {
    if (const ValueId* value = ir::as_op(item)) {
      if (!is_control(process, *value)) return nullptr;
    } else {
      if (inner != nullptr) return nullptr;
      inner = ir::as_loop(item);
      if (!ir::is_constant(process, inner->predicate, 1)) return nullptr;
    }
  }
  return inner;
}

}  // namespace

NestLoops nest_of(const ir::Process& process, const ir::Loop& loop) {
  NestLoops nest;
  for (const ir::Loop* level = &loop; level != nullptr; level = inner_loop(process, *level)) {
    nest.levels.push_back(level);
    if (level->initiation_interval != 0) return nest;
  }
  return {};
}

NestValues::NestValues(const ir::Process& process, const NestLoops& nest)
    : process_(process), nest_(nest) {
  for (size_t level = 0; level < nest.levels.size(); ++level) {
    const ir::Loop& loop = *nest.levels[level];
    for (const ir::LoopPhi& phi : loop.phis) {
      places_[phi.phi] = {Place::kPhi, level};
      phis_[phi.phi] = &phi;
    }
    add(loop.head, Place::kControl, level);
    const bool innermost = level + 1 == nest.levels.size();
    add(loop.body, innermost ? Place::kBody : Place::kControl, level);
  }
}

void NestValues::add(const ir::Sequence& items, Place place, size_t level) {
  for (const ir::Item& item : items) {
    if (const ValueId* value = ir::as_op(item)) places_[*value] = {place, level};
  }
}

NestValues::Place NestValues::place(ValueId value) const {
  const auto found = places_.find(value);
  return found == places_.end() ? Place::kOutside : found->second.first;
}

size_t NestValues::level(ValueId value) const { return places_.at(value).second; }

bool NestValues::depends(ValueId value, std::map<ValueId, bool>& known) const {
  const auto found = known.find(value);
  if (found != known.end()) return found->second;
  const auto answer = [&] {
    if (place(value) == Place::kOutside || place(value) == Place::kPhi) return false;
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kInputRead || op.opcode == Opcode::kLate) return false;
    if (!ir::is_pure(op.opcode)) return true;
    return std::any_of(op.operands.begin(), op.operands.end(),
                       [&](ValueId operand) { return depends(operand, known); });
  };
  return known[value] = answer();
}

std::set<ValueId> NestValues::dynamic_values(const std::set<ValueId>& phis) const {
  std::map<ValueId, bool> known;
  for (ValueId phi : phis) known[phi] = true;
  std::set<ValueId> dynamic = phis;
  for (const auto& [value, where] : places_) {
    if (depends(value, known)) dynamic.insert(value);
  }
  return dynamic;
}

bool NestValues::only_late_uses(ValueId value, std::set<ValueId>& visited) const {
  if (!visited.insert(value).second) return true;
  for (const auto& [user, where] : places_) {
    const Op& op = process_.ops[user];
    const bool uses = std::count(op.operands.begin(), op.operands.end(), value) != 0;
    if (!uses || op.opcode == Opcode::kLate) continue;
    if (!ir::is_pure(op.opcode) || where.first == Place::kBody) return false;
    if (!only_late_uses(user, visited)) return false;
  }
  for (const auto& [phi, links] : phis_) {
    if (links->init != value && links->next != value) continue;
    if (!only_late_uses(phi, visited)) return false;
  }
  return std::none_of(nest_.levels.begin(), nest_.levels.end(),
                      [&](const ir::Loop* loop) { return loop->condition == value; });
}

size_t NestValues::levels_read_by_body(const std::set<ValueId>& dynamic) const {
  size_t levels = 0;
  std::set<ValueId> visited;
  const auto visit = [&](auto&& self, ValueId value) -> void {
    if (!dynamic.contains(value) || place(value) != Place::kControl) return;
    if (!visited.insert(value).second) return;
    if (level(value) + 1 < nest_.levels.size()) levels = std::max(levels, level(value) + 1);
    for (ValueId operand : process_.ops[value].operands) self(self, operand);
  };
  for (const ir::Item& item : nest_.levels.back()->body) {
    for (ValueId operand : process_.ops[std::get<ValueId>(item)].operands) visit(visit, operand);
  }
  for (const ir::LoopPhi& phi : nest_.levels.back()->phis) {
    if (dynamic.contains(phi.phi)) visit(visit, phi.next);
  }
  return levels;
}

std::set<ValueId> NestValues::dynamic_phis() const {
  std::set<ValueId> dynamic, late;
  for (const auto& [phi, links] : phis_) {
    std::set<ValueId> visited;
    if (only_late_uses(phi, visited)) late.insert(phi);
  }
  for (bool grows = true; grows;) {
    grows = false;
    const std::set<ValueId> values = dynamic_values(dynamic);
    // A phi with only late uses may depend on a register that the counters read.
    const auto blocks = [&](ValueId phi, ValueId link) {
      if (!late.contains(phi)) return values.contains(link);
      return dynamic.contains(link) || (place(link) == Place::kBody && values.contains(link));
    };
    for (const auto& [phi, links] : phis_) {
      if (dynamic.contains(phi)) continue;
      if (!blocks(phi, links->init) && !blocks(phi, links->next)) continue;
      dynamic.insert(phi);
      grows = true;
    }
  }
  return dynamic;
}

NestLoops engine_of(const ir::Process& process, const ir::Loop& loop) {
  NestLoops nest = nest_of(process, loop);
  if (nest.levels.empty()) return nest;
  const NestValues values(process, nest);
  const std::set<ValueId> phis = values.dynamic_phis();
  const std::set<ValueId> dynamic = values.dynamic_values(phis);
  const bool counts = phis.empty() && std::none_of(nest.levels.begin(), nest.levels.end(),
                                                   [&](const ir::Loop* level) {
                                                     return dynamic.contains(level->condition);
                                                   });
  return counts && values.levels_read_by_body(dynamic) == 0 ? nest : NestLoops{};
}

}  // namespace vta::hlsc::passes
