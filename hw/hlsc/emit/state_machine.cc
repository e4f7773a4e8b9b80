// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/state_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/emit/effects.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool sets_state(const std::vector<rtl::Statement>& statements, const std::string& name) {
  return std::any_of(statements.begin(), statements.end(), [&](const rtl::Statement& statement) {
    const bool here = !statement.value.empty() && statement.value.form() == rtl::Form::kNet &&
                      statement.value.text() == name;
    return here || sets_state(statement.then, name) || sets_state(statement.otherwise, name);
  });
}

}  // namespace

void StateMachine::emit_state(const State& at) {
  const std::string name = flow_.name(at);
  Context& context =
      contexts_.emplace_back(m_.process, m_.binding, m_.parts, name,
                             [this, at](ValueId value) { return m_.state_value(at, value); });
  Emitted state{name, context, flow_.operations(at), {}, {}, {}, {}};
  state.in = context.add_wire("in_" + name, 1, flow_.is_in(name));
  if (m_.for_simulation) context.set_gate(state.in);
  grants(state);
  waits(state);
  accesses(state);
  std::vector<rtl::Statement> actions = register_writes(m_, state.operations, context);
  for (rtl::Statement& capture : captures(at, context)) actions.push_back(std::move(capture));
  actions.push_back(rtl::sequence(flow_.leave(at, context, state.done)));
  rtl::Statement block =
      clocked_block(state.done, "at_" + name, context.variables(), std::move(actions));
  block.comment = where(state.operations);
  m_.parts.clock(std::move(block));
}

std::string StateMachine::where(const std::vector<ValueId>& operations) const {
  for (ValueId value : operations) {
    const ir::Location& location = m_.op(value).location;
    if (location.line != 0) return fmt::format("{}:{}", location.file, location.line);
  }
  return m_.process.name;
}

// RAM ports that the state may have to wait for.
void StateMachine::grants(Emitted& state) {
  std::map<std::string, Expression> wanted;  // by the grant: when the state needs it
  for (ValueId value : state.operations) {
    const Op& op = m_.op(value);
    if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) continue;
    if (!m_.rams.at(op.object).may_wait(m_.process_index, op.opcode)) continue;
    const std::string grant =
        m_.object_name(value) + (op.opcode == Opcode::kRamRead ? "_rgnt" : "_wgnt");
    const Expression predicate = m_.predicate(state.context, op.operands[0]);
    m_.ports.wait(op, both(both(state.in, predicate), ~rtl::net(grant)));
    wanted[grant] = either(wanted[grant], or_true(predicate));
  }
  Expression all;
  for (const auto& [grant, needed] : wanted)
    all = both(all, rtl::parentheses(rtl::net(grant) | ~rtl::parentheses(needed)));
  if (!all.empty()) state.granted = state.context.add_wire("granted_" + state.name, 1, all);
}

// Operations that may wait take effect in order, each once.
void StateMachine::waits(Emitted& state) {
  std::vector<ValueId> waiting;
  for (ValueId value : state.operations) {
    if (ir::accesses_channel(m_.op(value).opcode)) waiting.push_back(value);
  }
  if (waiting.size() == 1) return wait_for_one(m_.op(waiting[0]), state);
  if (waiting.size() > 1) return wait_for_each(waiting, state);
  state.ready = state.in;
  state.done = state.context.add_wire("done_" + state.name, 1, both(state.in, state.granted));
}

Expression StateMachine::unless(const Emitted& state, const Op& op, const Expression& ready) {
  const Expression predicate = m_.predicate(state.context, op.operands[0]);
  return predicate.empty() ? ready : ready | ~predicate;
}

void StateMachine::wait_for_one(const Op& op, Emitted& state) {
  const Expression predicate = m_.predicate(state.context, op.operands[0]);
  const Expression free = unless(state, op, m_.ports.ready(op));
  const Expression ok = predicate.empty() ? free : rtl::parentheses(free);
  state.ready = both(state.in, ok);
  state.done = state.context.add_wire("done_" + state.name, 1, both(state.ready, state.granted));
  m_.ports.wait(op, state.in & ~ok);
  access(m_, op, state.context, rtl::parentheses(both(state.in, predicate)),
         rtl::parentheses(both(state.done, predicate)));
}

void StateMachine::wait_for_each(const std::vector<ValueId>& waiting, Emitted& state) {
  const std::string& name = state.name;
  const Expression state_done = rtl::net("done_" + name);
  Expression before = state.in;
  std::vector<rtl::Statement> moves;
  for (size_t i = 0; i < waiting.size(); ++i) {
    const Op& op = m_.op(waiting[i]);
    const Expression did = m_.parts.add_flag(fmt::format("did_{}_{}", name, i));
    const Expression predicate = m_.predicate(state.context, op.operands[0]);
    const Expression ready = m_.ports.ready(op);
    const Expression ok =
        state.context.add_wire(fmt::format("ok_{}_{}", name, i), 1,
                               before & rtl::parentheses(unless(state, op, did | ready)));
    m_.ports.wait(op, before & ~ok);
    access(m_, op, state.context, rtl::parentheses(both(both(state.in, predicate), ~did)),
           rtl::parentheses(both(both(before & ~did, predicate), ready)));
    moves.push_back(rtl::nonblocking(did, ok & ~state_done));
    before = ok;
  }
  state.ready = before;
  state.done = state.context.add_wire("done_" + name, 1, both(before, state.granted));
  for (rtl::Statement& move : moves) m_.parts.clock(std::move(move));
}

// A RAM's port is requested once the state waits for nothing else: until then others can have it.
void StateMachine::accesses(const Emitted& state) {
  std::map<ir::ObjectId, std::vector<ValueId>> writes;
  for (ValueId value : state.operations) {
    const Op& op = m_.op(value);
    if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
    if (op.opcode != Opcode::kRamRead) continue;
    const Expression predicate = m_.predicate(state.context, op.operands[0]);
    const Expression happens = rtl::parentheses(both(state.done, predicate));
    access(m_, op, state.context, rtl::parentheses(both(state.ready, predicate)), happens);
    if (m_.rams.at(op.object).word_may_change(m_.process_index))
      kept_reads_[op.object].push_back(happens);
  }
  for (const auto& [ram, group] : writes) {
    const JoinedWrite write = join_writes(m_, state.context, group, state.name);
    m_.ports.write_ram(ram, {rtl::parentheses(state.ready & rtl::parentheses(write.any)),
                             state.done, write.address, write.lanes, write.data});
  }
}

// Values that later states use.
std::vector<rtl::Statement> StateMachine::captures(const State& at, Context& context) {
  std::vector<rtl::Statement> statements;
  for (ValueId value : captured_[at])
    statements.push_back(rtl::nonblocking(m_.capture_register(value), context.variable(value)));
  return statements;
}

const std::vector<NestEntry>& StateMachine::emit() {
  std::vector<rtl::Statement> clocked;  // later states read what earlier ones keep: they come first
  const auto collect = [&] {
    std::vector<rtl::Statement> here = std::exchange(m_.parts.clocked, {});
    clocked.insert(clocked.begin(), std::make_move_iterator(here.begin()),
                   std::make_move_iterator(here.end()));
  };
  const size_t captures = m_.demands.captures.size();
  for (ValueId value : m_.demands.captures)
    if (const std::optional<State> at = m_.captured_at(value)) captured_[*at].push_back(value);
  for (const State& at : flow_.states()) emit_state(at), collect();
  for (const ir::Loop* nest : flow_.nests()) emit_nest_state(nest), collect();
  VTA_ASSERT(m_.demands.captures.size() == captures, "all kept values were found beforehand");
  m_.parts.clocked = std::move(clocked);
  declare();
  keep_words();
  return flow_.entries();
}

void StateMachine::emit_nest_state(const ir::Loop* nest) {
  Context context(m_.process, m_.binding, m_.parts, flow_.name(nest),
                  [this](ValueId value) { return m_.outside_value(value); });
  const auto& entries = flow_.entries();
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const NestEntry& e) { return e.loop == nest; });
  VTA_ASSERT(entry != entries.end(), "a nest that is never entered");
  rtl::Statement next = rtl::sequence(flow_.leave(nest, context));
  m_.parts.clock(
      clocked_block(entry->leave, "after_" + entry->name, context.variables(), {std::move(next)}));
}

void StateMachine::declare() {
  const size_t names = flow_.num_names();
  const uint32_t bits = flow_.state_bits();
  std::vector<rtl::Net> nets;
  const auto code = [&](const std::string& name, size_t value) {
    nets.push_back({rtl::NetKind::kLocalparam, bits, name, rtl::literal(bits, value), true});
  };
  if (has_end_state()) code(kEndState, names);
  for (size_t i = 0; i < names; ++i) code(fmt::format("S{}", i), i);
  nets.push_back({rtl::NetKind::kRegister, bits, flow_.state().text(), {}, true});
  const auto add = [&](const Expression& net) {
    nets.push_back({rtl::NetKind::kRegister, net.width(), net.text(), {}});
  };
  for (ValueId value : m_.demands.captures) add(m_.capture_register(value));
  for (const auto& [phi, loop] : m_.phis) add(m_.phi_register(phi));
  m_.parts.registers.insert(m_.parts.registers.begin(), nets.begin(), nets.end());
  m_.parts.reset(flow_.state(), flow_.code(flow_.first()));
}

bool StateMachine::has_end_state() const {
  return sets_state(m_.parts.clocked, kEndState) ||
         std::any_of(m_.process.ops.begin(), m_.process.ops.end(),
                     [](const Op& op) { return op.opcode == Opcode::kHalt; });
}

void StateMachine::keep_words() {
  for (const auto& [ram, reads] : kept_reads_) {
    const ir::Object& object = m_.design.objects[ram];
    keep_word(m_, object, object.name + "_fsm", any(reads));
  }
}

}  // namespace vta::hlsc::emit
