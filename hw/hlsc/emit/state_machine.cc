// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/state_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/expression.h"
#include "runtime/base/error.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

std::string StateMachine::source(const State& at, ValueId value) {
  const Op& op = m_.op(value);
  const auto place = m_.places.find(value);
  if (place == m_.places.end()) return m_.outside_value(value);
  const bool here = place->second == at;
  switch (op.opcode) {
    case Opcode::kRamRead:
      if (place->second.sequence == at.sequence && place->second.step + 1 == at.step)
        return word_name(value);
      break;
    case Opcode::kRegisterRead:
      if (here) return m_.object_name(value);
      break;
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
      if (here) return m_.ports.item(op);
      break;
    default:
      if (here && ir::is_pure(op.opcode)) return "";
  }
  return m_.outside_value(value);
}

// The word of a RAM in the state after the read; kept if another process may read in between.
std::string StateMachine::word_name(ValueId read) const {
  const bool shared = m_.rams.at(m_.op(read).object).read_is_shared(m_.process_index);
  return m_.object_name(read) + (shared ? "_fsm_q" : "_rq");
}

void StateMachine::emit_state(const State& at) {
  const std::string name = flow_.name(at);
  Context& context =
      contexts_.emplace_back(m_.process, m_.binding, m_.text, name,
                             [this, at](ValueId value) { return source(at, value); });
  Writing state{name, context, flow_.operations(at), "", "", "", ""};
  state.in = context.add_wire("in_" + name, 1, "hls_state == " + name);
  if (m_.for_simulation) context.set_gate(state.in);
  grants(state);
  waits(state);
  accesses(state);
  const std::string actions =
      register_writes(m_, state.operations, context) + captures(at, context);
  const std::string next = flow_.leave(at, context, state.done);
  m_.text.clocked +=
      fmt::format("    if ({}) begin : at_{}  // {}\n{}{}{}      {}\n    end\n", state.done, name,
                  where(state.operations), context.variables().declarations,
                  context.variables().assignments, actions, next);
}

std::string StateMachine::where(const std::vector<ValueId>& operations) const {
  for (ValueId value : operations) {
    const ir::Location& location = m_.op(value).location;
    if (location.line != 0) return fmt::format("{}:{}", location.file, location.line);
  }
  return m_.process.name;
}

// Ports of RAMs that the state may not get at once.
void StateMachine::grants(Writing& state) {
  std::map<std::string, std::string> wanted;  // grant -> when it is needed
  for (ValueId value : state.operations) {
    const Op& op = m_.op(value);
    if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) continue;
    const bind::RamPorts& ports = m_.rams.at(op.object);
    const bool read = op.opcode == Opcode::kRamRead;
    if (!(read ? ports.read_waits(m_.process_index) : ports.write_waits(m_.process_index)))
      continue;
    const std::string grant = m_.object_name(value) + (read ? "_rgnt" : "_wgnt");
    const std::string predicate = m_.predicate(state.context, op.operands[0]);
    m_.ports.wait(op, both(both(state.in, predicate), "~" + grant));
    wanted[grant] = either(wanted[grant], or_true(predicate));
  }
  std::string all;
  for (const auto& [grant, needed] : wanted)
    all = both(all, fmt::format("({} | ~({}))", grant, needed));
  if (!all.empty()) state.granted = state.context.add_wire("granted_" + state.name, 1, all);
}

// Operations that wait happen one after the other, each once.
void StateMachine::waits(Writing& state) {
  std::vector<ValueId> waiting;
  for (ValueId value : state.operations) {
    const Opcode opcode = m_.op(value).opcode;
    if (ir::may_wait(opcode) && opcode != Opcode::kHalt) waiting.push_back(value);
  }
  if (waiting.size() == 1) return wait_for_one(m_.op(waiting[0]), state);
  if (waiting.size() > 1) return wait_for_each(waiting, state);
  state.ready = state.in;
  state.done = state.context.add_wire("done_" + state.name, 1, both(state.in, state.granted));
}

std::string StateMachine::unless(const Writing& state, const Op& op, const std::string& ready) {
  const std::string predicate = m_.predicate(state.context, op.operands[0]);
  return predicate.empty() ? ready : fmt::format("{} | ~{}", ready, predicate);
}

void StateMachine::wait_for_one(const Op& op, Writing& state) {
  const std::string predicate = m_.predicate(state.context, op.operands[0]);
  const std::string free = unless(state, op, m_.ports.ready(op));
  const std::string ok = predicate.empty() ? free : "(" + free + ")";
  state.ready = both(state.in, ok);
  state.done = state.context.add_wire("done_" + state.name, 1, both(state.ready, state.granted));
  m_.ports.wait(op, fmt::format("{} & ~{}", state.in, ok));
  access(m_, op, state.context, "(" + both(state.in, predicate) + ")",
         "(" + both(state.done, predicate) + ")");
}

void StateMachine::wait_for_each(const std::vector<ValueId>& waiting, Writing& state) {
  const std::string& name = state.name;
  std::string before = state.in, moves;
  for (size_t i = 0; i < waiting.size(); ++i) {
    const Op& op = m_.op(waiting[i]);
    const std::string did = fmt::format("did_{}_{}", name, i),
                      ok = fmt::format("ok_{}_{}", name, i);
    m_.text.registers += fmt::format("  reg {};\n", did);
    const std::string predicate = m_.predicate(state.context, op.operands[0]);
    const std::string ready = m_.ports.ready(op);
    state.context.add_wire(ok, 1,
                           fmt::format("{} & ({} | {})", before, did, unless(state, op, ready)));
    m_.ports.wait(op, fmt::format("{} & ~{}", before, ok));
    const std::string first = fmt::format("{} & ~{}", before, did);
    access(m_, op, state.context, "(" + both(both(state.in, predicate), "~" + did) + ")",
           "(" + both(both(first, predicate), ready) + ")");
    moves += fmt::format("    {} <= {} & ~done_{};\n", did, ok, name);
    m_.text.resets += fmt::format("      {} <= 1'b0;\n", did);
    before = ok;
  }
  state.ready = before;
  state.done = state.context.add_wire("done_" + name, 1, both(before, state.granted));
  m_.text.clocked += moves;
}

// A RAM's port is asked for once nothing else is waited for: meanwhile others can have it.
void StateMachine::accesses(const Writing& state) {
  std::map<ir::ObjectId, std::vector<ValueId>> writes;
  for (ValueId value : state.operations) {
    const Op& op = m_.op(value);
    if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
    if (op.opcode != Opcode::kRamRead) continue;
    const std::string predicate = m_.predicate(state.context, op.operands[0]);
    const std::string happens = "(" + both(state.done, predicate) + ")";
    access(m_, op, state.context, "(" + both(state.ready, predicate) + ")", happens);
    if (m_.rams.at(op.object).read_is_shared(m_.process_index))
      kept_reads_[op.object].push_back(happens);
  }
  for (const auto& [ram, group] : writes) {
    const JoinedWrite write = join_writes(m_, state.context, group, state.name);
    m_.ports.write_ram(ram, {fmt::format("({} & ({}))", state.ready, write.any), state.done,
                             write.address, write.lanes, write.data});
  }
}

// Values that later states use. The word of a RAM is there a state after its read.
std::string StateMachine::captures(const State& at, Context& context) {
  std::string text;
  for (ValueId value : m_.demands.captures) {
    if (!m_.is_captured_in(value, at)) continue;
    text += fmt::format("      {} <= {};\n", m_.capture_register(value), context.variable(value));
  }
  return text;
}

const std::vector<NestEntry>& StateMachine::emit() {
  std::string clocked;  // later states read what earlier ones keep
  const auto collect = [&] { clocked.insert(0, std::exchange(m_.text.clocked, "")); };
  for (const State& at : flow_.states()) emit_state(at), collect();
  for (const ir::Loop* nest : flow_.nests()) emit_nest_state(nest), collect();
  m_.text.clocked = clocked;
  declare();
  keep_words();
  return flow_.entries();
}

void StateMachine::emit_nest_state(const ir::Loop* nest) {
  Context context(m_.process, m_.binding, m_.text, flow_.name(nest),
                  [this](ValueId value) { return source(State{}, value); });
  const auto& entries = flow_.entries();
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const NestEntry& e) { return e.loop == nest; });
  VTA_ASSERT(entry != entries.end(), "a nest that is never entered");
  const std::string next = flow_.leave(nest, context);
  m_.text.clocked += fmt::format("    if ({}) begin : after_{}\n{}{}      {}\n    end\n",
                                 entry->leave, entry->name, context.variables().declarations,
                                 context.variables().assignments, next);
}

void StateMachine::declare() {
  const size_t names = flow_.num_names();
  const uint32_t bits = std::max(1u, static_cast<uint32_t>(std::bit_width(names)));
  std::string text;
  if (m_.text.clocked.find("S_END") != std::string::npos || halts())
    text += fmt::format("  localparam [{}:0] S_END = {}'d{};\n", bits - 1, bits, names);
  for (size_t i = 0; i < names; ++i)
    text += fmt::format("  localparam [{}:0] S{} = {}'d{};\n", bits - 1, i, bits, i);
  text += fmt::format("  reg [{}:0] hls_state;\n", bits - 1);
  for (ValueId value : m_.demands.captures)
    text += fmt::format("  reg {}{};\n", range(m_.op(value).width), m_.capture_register(value));
  for (const auto& [phi, loop] : m_.phis)
    text += fmt::format("  reg {}{};\n", range(m_.op(phi).width), m_.phi_register(phi));
  m_.text.registers = text + m_.text.registers;
  m_.text.resets += fmt::format("      hls_state <= {};\n", flow_.first());
}

bool StateMachine::halts() const {
  return std::any_of(m_.process.ops.begin(), m_.process.ops.end(),
                     [](const Op& op) { return op.opcode == Opcode::kHalt; });
}

void StateMachine::keep_words() {
  for (const auto& [ram, reads] : kept_reads_) {
    const ir::Object& object = m_.design.objects[ram];
    keep_word(m_, object, object.name + "_fsm", any(reads));
  }
}

}  // namespace vta::hlsc::emit
