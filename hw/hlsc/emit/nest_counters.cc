// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_counters.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace vta::hlsc::emit {

using ir::LoopPhi;
using ir::Opcode;
using ir::ValueId;

NestCounters::NestCounters(ModuleState& state, const NestEntry& entry)
    : state_(state),
      entry_(entry),
      nest_(state.schedule.nests.at(entry.loop)),
      level_(rtl::net(entry.name + "_level",
                      static_cast<uint32_t>(std::bit_width(nest_.levels.size())))),
      entering_state_(state.process, state.binding, state.parts, entry.name + "_before",
                      entry.context->source(), &block_) {
  for (const ir::Loop* loop : nest_.levels) {
    levels_.push_back(
        {loop, {}, {}, {}, {}, counter_comparison(state.process, nest_.levels, *loop), {}});
    if (levels_.back().ahead) {
      const Expression ahead = ahead_register(levels_.size() - 1);
      state.parts.add_register(ahead.text(), ahead.width());
    }
    for (const LoopPhi& phi : loop->phis) {
      // The outermost level's are declared with the state machine's, which may use them later.
      if (loop == nest_.levels[0]) continue;
      const Expression counter = state.phi_register(phi.phi);
      state.parts.add_register(counter.text(), counter.width());
    }
  }
  state.parts.add_register(level_.text(), level_.width());
}

Expression NestCounters::source(const Nets& nets, ValueId value) {
  if (const auto found = nets.find(value); found != nets.end()) return found->second;
  return state_.outside_value(value);
}

Context NestCounters::context(const std::string& suffix, const Nets& nets) {
  return Context(
      state_.process, state_.binding, state_.parts, entry_.name + "_" + suffix,
      [this, nets](ValueId value) { return source(nets, value); }, &block_);
}

Context NestCounters::entering(const std::string& suffix, const Nets& nets) {
  return Context(
      state_.process, state_.binding, state_.parts, entry_.name + "_" + suffix,
      [this, nets](ValueId value) {
        if (const auto found = nets.find(value); found != nets.end()) return found->second;
        return entered_value(value);
      },
      &block_);
}

Expression NestCounters::entered_value(ValueId value) {
  if (const auto found = entered_.find(value); found != entered_.end()) return found->second;
  if (state_.op(value).opcode == Opcode::kRegisterRead && !state_.places.contains(value))
    return entered_register(value);
  const Expression kept = state_.outside_value(value);
  if (kept.empty() || state_.captured_at(value) != entry_.from) return kept;
  const Expression fresh = entering_state_.variable(value);
  return entered_[value] = entering_state_.add_variable(
             value_name(state_.process, value) + "_" + entry_.name + "_entered",
             state_.op(value).width, rtl::conditional(entry_.enter, fresh, kept));
}

// A register that the entering state is about to write.
Expression NestCounters::entered_register(ValueId value) {
  Expression now = state_.object_net(state_.op(value));
  for (const ir::Item& item : *entry_.from.sequence) {
    const ValueId* write = std::get_if<ValueId>(&item);
    if (write == nullptr || state_.schedule.step[*write] != entry_.from.step) continue;
    const ir::Op& op = state_.op(*write);
    if (op.opcode != Opcode::kRegisterWrite || op.object != state_.op(value).object) continue;
    const Expression happens = both(entry_.enter, ir::is_constant(state_.process, op.operands[0], 1)
                                                      ? Expression()
                                                      : entering_state_.variable(op.operands[0]));
    now = entering_state_.add_variable(
        fmt::format("{}_{}_entered_{}", state_.object_name(value), entry_.name, value),
        state_.op(value).width,
        rtl::conditional(happens, entering_state_.variable(op.operands[1]), now));
  }
  return entered_[value] = now;
}

Expression NestCounters::at_least(size_t level) const {
  return rtl::parentheses(rtl::greater_equal(level_, rtl::literal(level_.width(), level)));
}

// Level k + 1 (levels_[k]) after its step, if the levels inside are done.
void NestCounters::step(size_t k) {
  Level& level = levels_[k];
  const bool innermost = k + 1 == levels_.size();
  // After the loop inside, its phis have the values of its last step.
  Context before =
      context(fmt::format("l{}_step", k + 1), innermost ? Nets() : levels_[k + 1].stepped);
  for (const LoopPhi& phi : level.loop->phis) {
    const std::string name = value_name(state_.process, phi.phi);
    const Expression next = before.variable(phi.next);
    level.stepped[phi.phi] =
        before.add_variable(name + "_" + entry_.name + "_stepped", state_.op(phi.phi).width,
                            rtl::conditional(at_least(k + 1), next, state_.phi_register(phi.phi)));
  }
  Nets stepped = level.stepped;
  if (level.ahead) stepped[level.ahead->compare] = ahead_register(k);
  Context after = context(fmt::format("l{}_stepped", k + 1), stepped);
  level.goes_on = after.add_variable(fmt::format("{}_goes_on{}", entry_.name, k + 1), 1,
                                     both(at_least(k + 1), after.variable(level.loop->condition)));
}

Expression NestCounters::ahead_register(size_t k) const {
  return rtl::net(fmt::format("{}_goes_on{}_ahead", entry_.name, k + 1), 1);
}

namespace {

Expression plus(const Expression& counter, uint64_t step) {
  const uint64_t mask = ~uint64_t{0} >> (64 - counter.width());
  return counter + rtl::literal(counter.width(), step & mask);
}

}  // namespace

void NestCounters::choose_ahead(size_t k, const Expression& again, const Expression& inner,
                                const Nets& started) {
  Level& level = levels_[k];
  const CounterComparison& ahead = *level.ahead;
  const std::string prefix = fmt::format("l{}_ahead", k + 1);
  const uint32_t bits = state_.op(ahead.counter).width;
  const auto compared = [&](Context (NestCounters::*of)(const std::string&, const Nets&),
                            const std::string& suffix, const Expression& counter) {
    const std::string name = value_name(state_.process, ahead.counter) + "_" + entry_.name + suffix;
    const Expression next = entering_state_.add_variable(name, bits, counter);
    return (this->*of)(prefix + suffix, {{ahead.counter, next}}).variable(ahead.compare);
  };
  const Expression steps = compared(&NestCounters::context, "_after_next",
                                    plus(state_.phi_register(ahead.counter), 2 * ahead.step));
  const Expression starts = compared(&NestCounters::entering, "_after_first",
                                     plus(started.at(ahead.counter), ahead.step));
  Expression next = rtl::conditional(rtl::parentheses(again), starts, steps);
  if (!inner.empty())
    next = rtl::conditional(rtl::parentheses(~entry_.enter & rtl::parentheses(inner)),
                            ahead_register(k), next);
  level.ahead_next = entering_state_.add_variable(ahead_register(k).text() + "_next", 1, next);
}

// The initial value of a phi of level k + 1.
Expression NestCounters::start_value(Context& start, const LoopPhi& phi, size_t k) {
  const Expression init = k == 0 ? entering_state_.variable(phi.init) : start.variable(phi.init);
  return start.add_variable(value_name(state_.process, phi.phi) + "_" + entry_.name + "_init",
                            state_.op(phi.phi).width, init);
}

// Level k + 1 at the end of the cycle: it starts, steps or stays.
void NestCounters::choose(size_t k) {
  const Expression& enter = entry_.enter;
  Level& level = levels_[k];
  Expression inner;  // a level inside continues: this one stays
  for (size_t j = k + 1; j < levels_.size(); ++j) inner = either(inner, levels_[j].goes_on);
  Nets outer;
  for (size_t j = 0; j < k; ++j) outer.insert(levels_[j].chosen.begin(), levels_[j].chosen.end());
  Context start = entering(fmt::format("l{}_start", k + 1), outer);
  Nets started = outer;
  for (const LoopPhi& phi : level.loop->phis) started[phi.phi] = start_value(start, phi, k);
  Context first = entering(fmt::format("l{}_first", k + 1), started);
  Expression starts;
  if (!nest_.short_paths || !always_starts(state_.process, *level.loop))
    starts = first.variable(level.loop->condition);
  // The phis of a level that is done keep its last step; the outermost level's are used later.
  const Expression again = k == 0 ? enter : enter | ~rtl::parentheses(level.goes_on);
  for (const LoopPhi& phi : level.loop->phis) {
    const std::string name = value_name(state_.process, phi.phi) + "_" + entry_.name + "_next";
    Expression value =
        rtl::conditional(rtl::parentheses(again), started.at(phi.phi), level.stepped.at(phi.phi));
    if (!inner.empty())
      value = rtl::conditional(rtl::parentheses(~enter & rtl::parentheses(inner)),
                               state_.phi_register(phi.phi), value);
    level.chosen[phi.phi] = start.add_variable(name, state_.op(phi.phi).width, value);
  }
  if (level.ahead) choose_ahead(k, again, inner, started);
  const Expression stays = rtl::parentheses(either(inner, level.goes_on));
  const Expression restarts =
      k == 0 ? enter : levels_[k - 1].active & rtl::parentheses(enter | ~stays);
  level.active = start.add_variable(
      fmt::format("{}_active{}", entry_.name, k + 1), 1,
      rtl::parentheses(~enter & stays) | rtl::parentheses(both(restarts, starts)));
}

void NestCounters::emit(const Expression& go) {
  for (size_t k = levels_.size(); k-- > 0;) step(k);
  for (size_t k = 0; k < levels_.size(); ++k) choose(k);
  Expression next = rtl::literal(level_.width(), 0);
  for (size_t k = 0; k < levels_.size(); ++k)
    next = rtl::conditional(levels_[k].active, rtl::literal(level_.width(), k + 1), next);
  std::vector<rtl::Statement> actions{rtl::nonblocking(level_, next)};
  for (size_t k = 0; k < levels_.size(); ++k) {
    const Level& level = levels_[k];
    if (level.ahead) actions.push_back(rtl::nonblocking(ahead_register(k), level.ahead_next));
    for (const LoopPhi& phi : level.loop->phis) {
      actions.push_back(rtl::nonblocking(state_.phi_register(phi.phi), level.chosen.at(phi.phi)));
    }
  }
  state_.parts.clock(
      clocked_block(entry_.enter | go, entry_.name + "_counters", block_, std::move(actions)));
  state_.parts.reset(level_, rtl::literal(level_.width(), 0));
}

}  // namespace vta::hlsc::emit
