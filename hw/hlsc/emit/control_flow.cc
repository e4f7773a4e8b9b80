// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/control_flow.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Loop;
using ir::LoopPhi;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

std::string set_state(const std::string& name) { return "hls_state <= " + name + ";"; }

}  // namespace

ControlFlow::ControlFlow(ModuleState& state) : state_(state) { survey(state_.process.body, {}); }

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
  return !container.is_head || !items->empty() ||
         !ir::is_constant(state_.process, container.loop->condition, 1);
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
  const auto [found, fresh] = names_.emplace(at, "");
  if (fresh) found->second = fmt::format("S{}", names_.size() - 1);
  return found->second;
}

State ControlFlow::after(const Loop& loop) const {
  return {parents_.at(&loop), state_.schedule.entry_step.at(&loop) + 1};
}

std::string ControlFlow::go(const State& at, Context& context) {
  if (at.step < state_.schedule.num_steps.at(at.sequence)) return set_state(name(at));
  const Container& container = containers_.at(at.sequence);
  if (container.loop == nullptr) return set_state("S_END");
  const Loop& loop = *container.loop;
  if (!container.is_head) {
    std::string text;
    for (const LoopPhi& phi : loop.phis) text += set_phi(phi.phi, phi.next, context);
    return text + to_head(loop, context);
  }
  return fmt::format("if ({}) begin {} end else begin {} end", context.variable(loop.condition),
                     go({&loop.body, 0}, context), go(after(loop), context));
}

std::string ControlFlow::to_head(const Loop& loop, Context& context) {
  return has_states(&loop.head) ? go({&loop.head, 0}, context) : go({&loop.body, 0}, context);
}

std::string ControlFlow::set_phi(ValueId phi, ValueId value, Context& context) {
  if (phi == value) return "";
  return fmt::format("{} <= {}; ", state_.phi_register(phi), context.variable(value));
}

std::string ControlFlow::leave(const State& at, Context& context, const std::string& done) {
  std::string text = go({at.sequence, at.step + 1}, context);
  if (const auto found = loops_.find(at); found != loops_.end()) {
    const Loop& loop = *found->second;
    const std::string enter = enter_loop(loop, context, done);
    if (ir::is_constant(state_.process, loop.predicate, 1)) {
      text = enter;
    } else {
      text = fmt::format("if ({}) begin {} end else begin {} end", context.variable(loop.predicate),
                         enter, text);
    }
  }
  for (ValueId value : operations(at)) {
    if (state_.op(value).opcode != Opcode::kHalt) continue;
    text = fmt::format("if ({}) {} else begin {} end",
                       context.variable(state_.op(value).operands[0]), set_state("S_END"), text);
  }
  return text;
}

std::string ControlFlow::enter_loop(const Loop& loop, Context& context, const std::string& done) {
  if (state_.schedule.nests.contains(&loop)) return enter_nest(loop, context, done);
  std::string text;
  for (const LoopPhi& phi : loop.phis) text += set_phi(phi.phi, phi.init, context);
  return text + to_head(loop, context);
}

std::string ControlFlow::enter_nest(const Loop& loop, Context& context, const std::string& done) {
  NestEntry entry;
  entry.loop = &loop;
  entry.from = {parents_.at(&loop), state_.schedule.entry_step.at(&loop)};
  entry.context = &context;
  entry.name = fmt::format("n{}", entries_.size());
  entry.running = entry.name + "_runs";
  entry.leave = entry.name + "_done";
  entry.enter = context.add_wire(entry.name + "_enter", 1,
                                 both(done, state_.predicate(context, loop.predicate)));
  context.add_wire(entry.running, 1, "hls_state == " + name(&loop));
  entries_.push_back(entry);
  return set_state(name(&loop));
}

}  // namespace vta::hlsc::emit
