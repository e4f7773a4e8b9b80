// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace vta::hlsc::emit {

using ir::Loop;
using ir::LoopPhi;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

void append(ControlFlow::Statements& to, ControlFlow::Statements more) {
  for (rtl::Statement& statement : more) to.push_back(std::move(statement));
}

rtl::Statement branch(const Expression& condition, ControlFlow::Statements yes,
                      ControlFlow::Statements no) {
  return rtl::if_else(condition, rtl::sequence(std::move(yes)), rtl::sequence(std::move(no)));
}

}  // namespace

ControlFlow::ControlFlow(ModuleState& state) : state_(state) {
  survey(state_.process.body, {});
  num_states_ = states().size();
}

// Codes for all states and for kEndState.
uint32_t ControlFlow::state_bits() const {
  return std::max(1u, static_cast<uint32_t>(std::bit_width(num_states_ + nests_.size())));
}

void ControlFlow::survey(const Sequence& items, Container container) {
  containers_[&items] = container;
  sequences_.push_back(&items);
  for (const ir::Item& item : items) {
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      state_.places[*value] = {&items, state_.schedule.step[*value]};
      continue;
    }
    const Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
    parents_[&loop] = &items;
    loops_[{&items, state_.schedule.entry_step.at(&loop)}] = &loop;
    for (const LoopPhi& phi : loop.phis) state_.phis[phi.phi] = &loop;
    if (state_.schedule.nests.contains(&loop)) {
      nests_.push_back(&loop);
      continue;
    }
    survey(loop.head, {&loop, true});
    survey(loop.body, {&loop, false});
  }
}

bool ControlFlow::has_states(const Sequence* items) const {
  const Container& container = containers_.at(items);
  return !container.is_head || ir::has_head(state_.process, *container.loop);
}

std::vector<State> ControlFlow::states() const {
  std::vector<State> states;
  for (const Sequence* items : sequences_) {
    if (!has_states(items)) continue;
    for (uint32_t step = 0; step < state_.schedule.num_steps.at(items); ++step)
      states.push_back({items, step});
  }
  return states;
}

std::vector<ValueId> ControlFlow::operations(const State& at) const {
  std::vector<ValueId> result;
  for (const ir::Item& item : *at.sequence) {
    const ValueId* value = std::get_if<ValueId>(&item);
    if (value != nullptr && state_.schedule.step[*value] == at.step) result.push_back(*value);
  }
  return result;
}

std::string ControlFlow::name(const State& at) {
  const std::string next = fmt::format("S{}", num_names());
  return names_.try_emplace(at, next).first->second;
}

std::string ControlFlow::name(const Loop* nest) {
  const std::string next = fmt::format("S{}", num_names());
  return nest_names_.try_emplace(nest, next).first->second;
}

State ControlFlow::after(const Loop& loop) const {
  return {parents_.at(&loop), state_.schedule.entry_step.at(&loop) + 1};
}

ControlFlow::Statements ControlFlow::go(const State& at, Context& context) {
  if (at.step < state_.schedule.num_steps.at(at.sequence)) return {set_state(name(at))};
  const Container& container = containers_.at(at.sequence);
  if (container.loop == nullptr) return {set_state(kEndState)};
  const Loop& loop = *container.loop;
  if (!container.is_head) {
    Statements statements;
    for (const LoopPhi& phi : loop.phis) set_phi(phi.phi, phi.next, context, statements);
    append(statements, to_head(loop, context));
    return statements;
  }
  const Expression condition = context.variable(loop.condition);
  Statements stay = go({&loop.body, 0}, context), leave = go(after(loop), context);
  return {branch(condition, std::move(stay), std::move(leave))};
}

ControlFlow::Statements ControlFlow::to_head(const Loop& loop, Context& context) {
  return has_states(&loop.head) ? go({&loop.head, 0}, context) : go({&loop.body, 0}, context);
}

void ControlFlow::set_phi(ValueId phi, ValueId value, Context& context, Statements& statements) {
  if (phi == value) return;
  statements.push_back(rtl::nonblocking(state_.phi_register(phi), context.variable(value)));
}

ControlFlow::Statements ControlFlow::leave(const State& at, Context& context,
                                           const Expression& done) {
  Statements statements = go({at.sequence, at.step + 1}, context);
  if (const auto found = loops_.find(at); found != loops_.end()) {
    const Loop& loop = *found->second;
    Statements enter = enter_loop(loop, context, done);
    if (ir::is_constant(state_.process, loop.predicate, 1)) {
      statements = std::move(enter);
    } else {
      statements = {
          branch(context.variable(loop.predicate), std::move(enter), std::move(statements))};
    }
  }
  for (ValueId value : operations(at)) {
    if (state_.op(value).opcode != Opcode::kHalt) continue;
    statements = {rtl::if_else(context.variable(state_.op(value).operands[0]), set_state(kEndState),
                               rtl::sequence(std::move(statements)))};
  }
  return statements;
}

// In the order of go() and leave().
void ControlFlow::values_to_go(const State& at, std::vector<ValueId>& values) const {
  if (at.step < state_.schedule.num_steps.at(at.sequence)) return;
  const Container& container = containers_.at(at.sequence);
  if (container.loop == nullptr) return;
  const Loop& loop = *container.loop;
  if (container.is_head) {
    values.push_back(loop.condition);
    return values_to_go(after(loop), values);
  }
  for (const LoopPhi& phi : loop.phis) {
    if (phi.phi != phi.next) values.push_back(phi.next);
  }
}

std::vector<ValueId> ControlFlow::values_to_leave(const State& at) const {
  std::vector<ValueId> values;
  values_to_go({at.sequence, at.step + 1}, values);
  if (const auto found = loops_.find(at); found != loops_.end()) {
    const Loop& loop = *found->second;
    for (const LoopPhi& phi : loop.phis) {
      if (!state_.schedule.nests.contains(&loop)) values.push_back(phi.init);
    }
    values.push_back(loop.predicate);
  }
  for (ValueId value : operations(at)) {
    if (state_.op(value).opcode == Opcode::kHalt) values.push_back(state_.op(value).operands[0]);
  }
  return values;
}

std::vector<ValueId> ControlFlow::values_to_leave(const Loop* nest) const {
  std::vector<ValueId> values;
  values_to_go(after(*nest), values);
  return values;
}

ControlFlow::Statements ControlFlow::enter_loop(const Loop& loop, Context& context,
                                                const Expression& done) {
  if (state_.schedule.nests.contains(&loop)) return enter_nest(loop, context, done);
  Statements statements;
  for (const LoopPhi& phi : loop.phis) set_phi(phi.phi, phi.init, context, statements);
  append(statements, to_head(loop, context));
  return statements;
}

ControlFlow::Statements ControlFlow::enter_nest(const Loop& loop, Context& context,
                                                const Expression& done) {
  NestEntry entry;
  entry.loop = &loop;
  entry.from = entered_from(loop);
  entry.context = &context;
  entry.name = fmt::format("n{}", entries_.size());
  entry.leave = rtl::net(entry.name + "_done");
  entry.enter = context.add_wire(entry.name + "_enter", 1,
                                 both(done, state_.predicate(context, loop.predicate)));
  entry.running = context.add_wire(entry.name + "_runs", 1, is_in(name(&loop)));
  entries_.push_back(entry);
  return {set_state(name(&loop))};
}

}  // namespace vta::hlsc::emit
