// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_counters.h"

#include <fmt/format.h>

#include <bit>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::LoopPhi;
using ir::Opcode;
using ir::ValueId;

NestCounters::NestCounters(ModuleState& state, const NestEntry& entry)
    : state_(state),
      entry_(entry),
      nest_(state.schedule.nests.at(entry.loop)),
      level_(entry.name + "_level"),
      level_bits_(static_cast<uint32_t>(std::bit_width(nest_.levels.size()))),
      entering_state_(state.process, state.binding, state.text, entry.name + "_before",
                      entry.context->source(), &block_) {
  for (const ir::Loop* loop : nest_.levels) {
    levels_.push_back({loop, {}, {}, "", ""});
    for (const LoopPhi& phi : loop->phis) {
      // The outermost level's are declared with the state machine's, which may use them later.
      if (loop == nest_.levels[0]) continue;
      state.text.registers +=
          fmt::format("  reg {}{};\n", range(state.op(phi.phi).width), state.phi_register(phi.phi));
    }
  }
  state.text.registers += fmt::format("  reg {}{};\n", range(level_bits_), level_);
}

std::string NestCounters::source(const Names& names, ValueId value) {
  if (const auto found = names.find(value); found != names.end()) return found->second;
  return state_.outside_value(value);
}

Context NestCounters::context(const std::string& suffix, const Names& names) {
  return Context(
      state_.process, state_.binding, state_.text, entry_.name + "_" + suffix,
      [this, names](ValueId value) { return source(names, value); }, &block_);
}

Context NestCounters::entering(const std::string& suffix, const Names& names) {
  return Context(
      state_.process, state_.binding, state_.text, entry_.name + "_" + suffix,
      [this, names](ValueId value) {
        if (const auto found = names.find(value); found != names.end()) return found->second;
        return entered_value(value);
      },
      &block_);
}

std::string NestCounters::entered_value(ValueId value) {
  if (const auto found = entered_.find(value); found != entered_.end()) return found->second;
  if (state_.op(value).opcode == Opcode::kRegisterRead && !state_.places.contains(value))
    return entered_register(value);
  const std::string kept = state_.outside_value(value);
  if (kept.empty() || !state_.is_captured_in(value, entry_.from)) return kept;
  const std::string fresh = entering_state_.variable(value);
  return entered_[value] = entering_state_.add_variable(
             value_name(state_.process, value) + "_" + entry_.name + "_entered",
             state_.op(value).width, fmt::format("{} ? {} : {}", entry_.enter, fresh, kept));
}

// A register that the entering state is about to write.
std::string NestCounters::entered_register(ValueId value) {
  std::string now = state_.object_name(value);
  for (const ir::Item& item : *entry_.from.sequence) {
    const ValueId* write = std::get_if<ValueId>(&item);
    if (write == nullptr || state_.schedule.step[*write] != entry_.from.step) continue;
    const ir::Op& op = state_.op(*write);
    if (op.opcode != Opcode::kRegisterWrite || op.object != state_.op(value).object) continue;
    const std::string happens =
        both(entry_.enter, ir::is_constant(state_.process, op.operands[0], 1)
                               ? ""
                               : entering_state_.variable(op.operands[0]));
    now = entering_state_.add_variable(
        fmt::format("{}_{}_entered_{}", state_.object_name(value), entry_.name, value),
        state_.op(value).width,
        fmt::format("{} ? {} : {}", happens, entering_state_.variable(op.operands[1]), now));
  }
  return entered_[value] = now;
}

std::string NestCounters::at_least(size_t level) const {
  return fmt::format("({} >= {}'d{})", level_, level_bits_, level);
}

// Level k + 1 (levels_[k]) after its step, if the levels inside are through.
void NestCounters::step(size_t k) {
  Level& level = levels_[k];
  const bool innermost = k + 1 == levels_.size();
  // After the loop inside, its phis are what its last step made of them.
  Context before =
      context(fmt::format("l{}_step", k + 1), innermost ? Names() : levels_[k + 1].stepped);
  for (const LoopPhi& phi : level.loop->phis) {
    const std::string name = value_name(state_.process, phi.phi);
    const std::string next = before.variable(phi.next);
    level.stepped[phi.phi] = before.add_variable(
        name + "_" + entry_.name + "_stepped", state_.op(phi.phi).width,
        fmt::format("{} ? {} : {}", at_least(k + 1), next, state_.phi_register(phi.phi)));
  }
  Context after = context(fmt::format("l{}_stepped", k + 1), level.stepped);
  level.goes_on = after.add_variable(fmt::format("{}_goes_on{}", entry_.name, k + 1), 1,
                                     both(at_least(k + 1), after.variable(level.loop->condition)));
}

void NestCounters::choose(size_t k, const std::string& enter) {
  Level& level = levels_[k];
  std::string inner;  // a level inside goes on: this one stays
  for (size_t j = k + 1; j < levels_.size(); ++j) inner = either(inner, levels_[j].goes_on);
  Names outer;
  for (size_t j = 0; j < k; ++j) outer.insert(levels_[j].chosen.begin(), levels_[j].chosen.end());
  Context start = entering(fmt::format("l{}_start", k + 1), outer);
  Names started = outer;
  for (const LoopPhi& phi : level.loop->phis) {
    const std::string init = k == 0 ? entering_state_.variable(phi.init) : start.variable(phi.init);
    started[phi.phi] =
        start.add_variable(value_name(state_.process, phi.phi) + "_" + entry_.name + "_init",
                           state_.op(phi.phi).width, init);
  }
  Context first = entering(fmt::format("l{}_first", k + 1), started);
  const std::string starts = first.variable(level.loop->condition);
  // What a level that is through leaves behind is its last step; the outermost one's is used later.
  const std::string again = k == 0 ? enter : fmt::format("{} | ~({})", enter, level.goes_on);
  for (const LoopPhi& phi : level.loop->phis) {
    const std::string name = value_name(state_.process, phi.phi) + "_" + entry_.name + "_next";
    std::string value =
        fmt::format("({}) ? {} : {}", again, started.at(phi.phi), level.stepped.at(phi.phi));
    if (!inner.empty())
      value =
          fmt::format("(~{} & ({})) ? {} : {}", enter, inner, state_.phi_register(phi.phi), value);
    level.chosen[phi.phi] = start.add_variable(name, state_.op(phi.phi).width, value);
  }
  const std::string stays = either(inner, level.goes_on);
  const std::string above = k == 0 ? enter : levels_[k - 1].active;
  level.active = start.add_variable(
      fmt::format("{}_active{}", entry_.name, k + 1), 1,
      fmt::format("(~{} & ({})) | ({} & {}{})", enter, stays, above,
                  k == 0 ? "" : fmt::format("({} | ~({})) & ", enter, stays), starts));
}

void NestCounters::emit(const std::string& go) {
  for (size_t k = levels_.size(); k-- > 0;) step(k);
  for (size_t k = 0; k < levels_.size(); ++k) choose(k, entry_.enter);
  std::string next = fmt::format("{}'d0", level_bits_);
  for (size_t k = 0; k < levels_.size(); ++k)
    next = fmt::format("{} ? {}'d{} : {}", levels_[k].active, level_bits_, k + 1, next);
  std::string text =
      fmt::format("    if ({} | {}) begin : {}_counters\n{}{}      {} <= {};\n", entry_.enter, go,
                  entry_.name, block_.declarations, block_.assignments, level_, next);
  for (const Level& level : levels_) {
    for (const LoopPhi& phi : level.loop->phis) {
      text +=
          fmt::format("      {} <= {};\n", state_.phi_register(phi.phi), level.chosen.at(phi.phi));
    }
  }
  state_.text.clocked += text + "    end\n";
  state_.text.resets += fmt::format("      {} <= {}'d0;\n", level_, level_bits_);
}

}  // namespace vta::hlsc::emit
