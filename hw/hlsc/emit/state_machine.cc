// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/state_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <list>
#include <map>

#include "hw/hlsc/emit/expression.h"
#include "runtime/base/error.h"

namespace vta::hlsc::emit {

using ir::Loop;
using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

// What a sequence is a part of.
struct Container {
  const Loop* loop = nullptr;  // null: the process
  bool is_head = false;
};

}  // namespace

struct StateMachine::Impl {
  explicit Impl(ModuleState& state) : m(state) { survey(m.process.body, {}); }

  // --- What there is ---

  void survey(const Sequence& items, Container container) {
    containers[&items] = container;
    sequences.push_back(&items);
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        m.places[*value] = {&items, m.schedule.step[*value]};
        continue;
      }
      const Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
      parents[&loop] = &items;
      loops[{&items, m.schedule.entry_step.at(&loop)}] = &loop;
      for (const LoopPhi& phi : loop.phis) m.phis[phi.phi] = &loop;
      if (m.schedule.nests.contains(&loop)) {
        nests.push_back(&loop);
        continue;
      }
      survey(loop.head, {&loop, true});
      survey(loop.body, {&loop, false});
    }
  }

  bool has_states(const Sequence* items) const {
    const Container& container = containers.at(items);
    return !container.is_head || !items->empty() ||
           !ir::is_constant(m.process, container.loop->condition, 1);
  }

  std::string state_name(const State& at) {
    const auto [found, fresh] = names.emplace(at, "");
    if (fresh) found->second = fmt::format("S{}", names.size() - 1);
    return found->second;  // numbered as they are met
  }
  std::string nest_state(const Loop* loop) { return state_name({&loop->body, ~0u}); }

  // --- Transitions: statements at the end of a state, in its context ---

  std::string set_state(const std::string& name) const { return "hls_state <= " + name + ";"; }

  std::string go(const State& at, Context& context) {
    if (at.step < m.schedule.num_steps.at(at.sequence)) return set_state(state_name(at));
    const Container& container = containers.at(at.sequence);
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
  std::string set_phi(ValueId phi, ValueId value, Context& context) {
    if (phi == value) return "";
    return fmt::format("{} <= {}; ", m.phi_register(phi), context.variable(value));
  }
  std::string to_head(const Loop& loop, Context& context) {
    return has_states(&loop.head) ? go({&loop.head, 0}, context) : go({&loop.body, 0}, context);
  }
  State after(const Loop& loop) const {
    return {parents.at(&loop), m.schedule.entry_step.at(&loop) + 1};
  }

  // From the end of a state on.
  std::string leave(const State& at, Context& context, const std::string& done) {
    std::string text = go({at.sequence, at.step + 1}, context);
    const auto found = loops.find(at);
    if (found != loops.end()) {
      const Loop& loop = *found->second;
      const std::string enter = enter_loop(loop, context, done);
      if (ir::is_constant(m.process, loop.predicate, 1)) {
        text = enter;
      } else {
        text = fmt::format("if ({}) begin {} end else begin {} end",
                           context.variable(loop.predicate), enter, text);
      }
    }
    for (ValueId value : operations(at)) {
      if (m.op(value).opcode != Opcode::kHalt) continue;
      text = fmt::format("if ({}) hls_state <= S_END; else begin {} end",
                         context.variable(m.op(value).operands[0]), text);
    }
    return text;
  }

  std::string enter_loop(const Loop& loop, Context& context, const std::string& done) {
    if (!m.schedule.nests.contains(&loop)) {
      std::string text;
      for (const LoopPhi& phi : loop.phis) text += set_phi(phi.phi, phi.init, context);
      return text + to_head(loop, context);
    }
    NestEntry entry;
    entry.loop = &loop;
    entry.from = {parents.at(&loop), m.schedule.entry_step.at(&loop)};
    entry.context = &context;
    entry.name = fmt::format("n{}", entries.size());
    entry.running = entry.name + "_runs";
    entry.leave = entry.name + "_done";
    entry.enter = context.add_wire(entry.name + "_enter", 1,
                                   both(done, m.predicate(context, loop.predicate)));
    for (const LoopPhi& phi : loop.phis) entry.inits.push_back(context.wire(phi.init));
    context.add_wire(entry.running, 1, "hls_state == " + nest_state(&loop));
    entries.push_back(entry);
    return set_state(nest_state(&loop));
  }

  // --- States ---

  std::vector<ValueId> operations(const State& at) const {
    std::vector<ValueId> result;
    for (const ir::Item& item : *at.sequence) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value != nullptr && m.schedule.step[*value] == at.step) result.push_back(*value);
    }
    return result;
  }

  // Names of values that state `at` does not have to compute.
  std::string source(const State& at, ValueId value) {
    const Op& op = m.op(value);
    const auto place = m.places.find(value);
    if (place == m.places.end()) return m.outside_value(value);
    const bool here = place->second == at;
    switch (op.opcode) {
      case Opcode::kRamRead:
        if (place->second.sequence == at.sequence && place->second.step + 1 == at.step)
          return word_name(value);
        break;
      case Opcode::kRegisterRead:
        if (here) return m.object_name(value);
        break;
      case Opcode::kStreamRead:
      case Opcode::kReadBeat:
        if (here) return m.ports.item(op);
        break;
      default:
        if (here && ir::is_pure(op.opcode)) return "";
    }
    return m.outside_value(value);
  }

  // The word of a RAM in the state after the read; kept if another process may read in between.
  std::string word_name(ValueId value) {
    const Op& op = m.op(value);
    const std::string& ram = m.object_name(value);
    if (!m.rams.at(op.object).read_is_shared(m.process_index)) return ram + "_rq";
    return ram + "_fsm_q";
  }

  void emit_state(const State& at) {
    const std::string name = state_name(at);
    Context& context = contexts.emplace_back(
        m.process, m.text, name, [this, at](ValueId value) { return source(at, value); });
    const std::string in = context.add_wire("in_" + name, 1, "hls_state == " + name);
    const std::vector<ValueId> ops = operations(at);
    const std::string grants = ram_requests(ops, context, in, name);
    const std::string done = waits(ops, context, in, grants, name);
    // A port is asked for once nothing else is waited for: meanwhile others can have it.
    accesses(ops, context, ready_, done, name);
    std::string actions = registers(ops, context) + captures(at, context);
    const std::string next = leave(at, context, done);
    m.text.clocked +=
        fmt::format("    if ({}) begin : at_{}  // {}\n{}{}{}      {}\n    end\n", done, name,
                    where(ops), context.declarations(), context.assignments(), actions, next);
  }
  std::string where(const std::vector<ValueId>& ops) const {
    for (ValueId value : ops) {
      const ir::Location& location = m.op(value).location;
      if (location.line != 0) return fmt::format("{}:{}", location.file, location.line);
    }
    return m.process.name;
  }

  // Ports of RAMs that the state may not get at once.
  std::string ram_requests(const std::vector<ValueId>& ops, Context& context, const std::string& in,
                           const std::string& name) {
    std::string grants;
    std::map<std::string, std::string> wanted;  // grant -> when it is needed
    for (ValueId value : ops) {
      const Op& op = m.op(value);
      if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) continue;
      const RamPorts& ports = m.rams.at(op.object);
      const bool read = op.opcode == Opcode::kRamRead;
      if (!(read ? ports.read_waits(m.process_index) : ports.write_waits(m.process_index)))
        continue;
      const std::string grant = m.object_name(value) + (read ? "_rgnt" : "_wgnt");
      m.ports.wait(op, both(both(in, m.predicate(context, op.operands[0])), "~" + grant));
      std::string& needed = wanted[grant];
      const std::string predicate = or_true(m.predicate(context, op.operands[0]));
      needed = needed.empty() ? predicate : needed + " | " + predicate;
    }
    for (const auto& [grant, needed] : wanted)
      grants = both(grants, fmt::format("({} | ~({}))", grant, needed));
    return grants.empty() ? "" : context.add_wire("granted_" + name, 1, grants);
  }

  // The wire that is true in the state's last cycle. Operations that wait happen one after the
  // other, each once.
  std::string waits(const std::vector<ValueId>& ops, Context& context, const std::string& in,
                    const std::string& grants, const std::string& name) {
    std::vector<ValueId> waiting;
    for (ValueId value : ops) {
      const Opcode opcode = m.op(value).opcode;
      if (ir::may_wait(opcode) && opcode != Opcode::kHalt) waiting.push_back(value);
    }
    ready_ = in;
    if (waiting.empty()) return context.add_wire("done_" + name, 1, both(in, grants));
    if (waiting.size() == 1) {
      const Op& op = m.op(waiting[0]);
      const std::string predicate = m.predicate(context, op.operands[0]);
      const std::string ready = m.ports.ready(op);
      const std::string ok =
          predicate.empty() ? ready : fmt::format("({} | ~{})", ready, predicate);
      ready_ = both(in, ok);
      const std::string done = context.add_wire("done_" + name, 1, both(ready_, grants));
      m.ports.wait(op, fmt::format("{} & ~{}", in, ok));
      happen(op, context, both(in, predicate), both(done, predicate));
      return done;
    }
    std::string before = in;
    for (size_t i = 0; i < waiting.size(); ++i) {
      const Op& op = m.op(waiting[i]);
      const std::string did = fmt::format("did_{}_{}", name, i),
                        ok = fmt::format("ok_{}_{}", name, i);
      m.text.registers += fmt::format("  reg {};\n", did);
      const std::string predicate = m.predicate(context, op.operands[0]);
      const std::string ready = m.ports.ready(op);
      const std::string free =
          predicate.empty() ? ready : fmt::format("{} | ~{}", ready, predicate);
      context.add_wire(ok, 1, fmt::format("{} & ({} | {})", before, did, free));
      m.ports.wait(op, fmt::format("{} & ~{}", before, ok));
      const std::string first = fmt::format("{} & ~{}", before, did);
      happen(op, context, both(both(in, predicate), "~" + did),
             both(both(first, predicate), ready));
      before = ok;
    }
    ready_ = before;
    const std::string done = context.add_wire("done_" + name, 1, both(before, grants));
    for (size_t i = 0; i < waiting.size(); ++i) {
      m.text.clocked += fmt::format("    did_{0}_{1} <= ok_{0}_{1} & ~done_{0};\n", name, i);
      m.text.resets += fmt::format("      did_{}_{} <= 1'b0;\n", name, i);
    }
    return done;
  }

  void happen(const Op& op, Context& context, const std::string& wanted,
              const std::string& happens) {
    const std::string when = "(" + happens + ")", want = "(" + wanted + ")";
    switch (op.opcode) {
      case Opcode::kStreamRead:
        return m.ports.pop(op.object, when);
      case Opcode::kReadBeat:
        return m.ports.pop_beat(op.object, when);
      case Opcode::kStreamWrite: {
        const std::string data = op.operands.size() > 1 ? context.wire(op.operands[1]) : "";
        return m.ports.push(op.object, {want, when, "", "", data});
      }
      case Opcode::kWriteBeat:
        return m.ports.push_beat(op.object, {want, when, "", "", context.wire(op.operands[1])});
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
        return m.ports.push_request(op.object, {want, when, "", "", request(op, context)});
      default:
        return;
    }
  }
  std::string request(const Op& op, Context& context) const { return request_item(m, op, context); }

  void accesses(const std::vector<ValueId>& ops, Context& context, const std::string& in,
                const std::string& done, const std::string& name) {
    std::map<ir::ObjectId, std::vector<ValueId>> writes;
    for (ValueId value : ops) {
      const Op& op = m.op(value);
      if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
      if (op.opcode != Opcode::kRamRead) continue;
      const std::string predicate = m.predicate(context, op.operands[0]);
      const std::string happens = "(" + both(done, predicate) + ")";
      m.ports.read_ram(op.object,
                       {"(" + both(in, predicate) + ")", happens, address(op, context), "", ""});
      if (m.rams.at(op.object).read_is_shared(m.process_index))
        kept_reads[op.object].push_back(happens);
    }
    for (const auto& [ram, group] : writes) {
      const JoinedWrite write = join_writes(m, context, group, name);
      std::string any, place;
      for (size_t i = group.size(); i-- > 0;) {
        const Op& op = m.op(group[i]);
        const std::string predicate = or_true(m.predicate(context, op.operands[0]));
        const std::string here = address(op, context);
        any = any.empty() ? predicate : predicate + " | " + any;
        place = place.empty() || place == here
                    ? here
                    : fmt::format("{} ? {} : {}", predicate, here, place);
      }
      place = context.add_wire(fmt::format("{}_at_{}", m.design.objects[ram].name, name),
                               address_bits(m.design.objects[ram]), place);
      m.ports.write_ram(
          ram, {fmt::format("({} & ({}))", in, any), done, place, write.lanes, write.data});
    }
  }
  std::string address(const Op& op, Context& context) const { return ram_address(m, op, context); }

  std::string registers(const std::vector<ValueId>& ops, Context& context) {
    std::string text;
    for (ValueId value : ops) {
      const Op& op = m.op(value);
      if (op.opcode != Opcode::kRegisterWrite) continue;
      const bool always = ir::is_constant(m.process, op.operands[0], 1);
      const std::string guard =
          always ? "" : fmt::format("if ({}) ", context.variable(op.operands[0]));
      text += fmt::format("      {}{} <= {};\n", guard, m.object_name(value),
                          context.variable(op.operands[1]));
    }
    return text;
  }

  // Values that later states use. The word of a RAM is there a state after its read.
  std::string captures(const State& at, Context& context) {
    std::string text;
    for (ValueId value : m.demands.captures) {
      if (!m.is_captured_in(value, at)) continue;
      text += fmt::format("      {} <= {};\n", m.capture_register(value), context.variable(value));
    }
    return text;
  }

  // --- All of it ---

  std::vector<NestEntry> emit() {
    for (const Sequence* items : sequences) {
      if (!has_states(items)) continue;
      for (uint32_t step = 0; step < m.schedule.num_steps.at(items); ++step)
        emit_state({items, step});
    }
    for (const Loop* nest : nests) emit_nest_state(nest);
    declare();
    keep_words();
    return entries;
  }

  void emit_nest_state(const Loop* nest) {
    const State nowhere{nullptr, 0};
    Context context(m.process, m.text, nest_state(nest),
                    [this, nowhere](ValueId value) { return source(nowhere, value); });
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const NestEntry& e) { return e.loop == nest; });
    VTA_ASSERT(entry != entries.end(), "a nest that is never entered");
    const std::string next = go(after(*nest), context);
    m.text.clocked +=
        fmt::format("    if ({}) begin : after_{}\n{}{}      {}\n    end\n", entry->leave,
                    entry->name, context.declarations(), context.assignments(), next);
  }

  void declare() {
    const uint32_t bits = std::max(1u, static_cast<uint32_t>(std::bit_width(names.size())));
    std::string text;
    if (m.text.clocked.find("S_END") != std::string::npos || halts())
      text += fmt::format("  localparam [{}:0] S_END = {}'d{};\n", bits - 1, bits, names.size());
    for (size_t i = 0; i < names.size(); ++i)
      text += fmt::format("  localparam [{}:0] S{} = {}'d{};\n", bits - 1, i, bits, i);
    text += fmt::format("  reg [{}:0] hls_state;\n", bits - 1);
    for (ValueId value : m.demands.captures)
      text += fmt::format("  reg {}{};\n", range(m.op(value).width), m.capture_register(value));
    for (const auto& [phi, loop] : m.phis)
      text += fmt::format("  reg {}{};\n", range(m.op(phi).width), m.phi_register(phi));
    m.text.registers = text + m.text.registers;
    m.text.resets += fmt::format("      hls_state <= {};\n", state_name({&m.process.body, 0}));
  }

  bool halts() const {
    return std::any_of(m.process.ops.begin(), m.process.ops.end(),
                       [](const Op& op) { return op.opcode == Opcode::kHalt; });
  }

  void keep_words() {
    for (const auto& [ram, reads] : kept_reads) {
      const ir::Object& object = m.design.objects[ram];
      std::string any;
      for (const std::string& read : reads) any += (any.empty() ? "" : " | ") + read;
      keep_word(m, object, object.name + "_fsm", any);
    }
  }

  ModuleState& m;
  std::map<const Sequence*, Container> containers;
  std::vector<const Sequence*> sequences;
  std::map<const Loop*, const Sequence*> parents;
  std::map<State, const Loop*> loops;  // by the step at whose end they are entered
  std::vector<const Loop*> nests;
  std::map<State, std::string> names;
  std::vector<NestEntry> entries;
  std::string ready_;           // of the state that is being written: all but grants is there
  std::list<Context> contexts;  // of states; nests ask them later
  std::map<ir::ObjectId, std::vector<std::string>> kept_reads;
};

StateMachine::StateMachine(ModuleState& state) : impl_(std::make_unique<Impl>(state)) {}
StateMachine::~StateMachine() = default;
std::vector<NestEntry> StateMachine::emit() { return impl_->emit(); }

}  // namespace vta::hlsc::emit
