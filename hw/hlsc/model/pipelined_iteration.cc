// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/pipelined_iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Whether all conditions that may stall an iteration can be evaluated before its effects: no effect
// of one stage changes a condition of a later one.
bool can_pass(const NestBody& body) {
  std::map<ir::ObjectId, uint32_t> last_look, first_change;
  std::set<std::pair<ir::ObjectId, Opcode>> ends;
  bool waits_for_responses = false;
  for (ValueId value : body.order()) {
    const Op& op = body.text().op(value);
    const uint32_t at = body.stage(value);
    if (ir::accesses_channel(op.opcode)) {
      if (!ends.emplace(op.object, op.opcode).second) return false;
      waits_for_responses |= op.opcode == Opcode::kWriteWait;
    }
    if (op.object == ir::kNoObject || !body.text().has_content(op)) continue;
    const bool looks = op.opcode == Opcode::kRegisterRead || op.opcode == Opcode::kRamRead;
    const bool changes = op.opcode == Opcode::kRegisterWrite || op.opcode == Opcode::kRamWrite;
    // A word is sampled at the end of its stage, after the writes there.
    const uint32_t look = op.opcode == Opcode::kRamRead ? body.word_stage(value) + 1 : at;
    if (looks) last_look[op.object] = std::max(last_look[op.object], look);
    if (!changes) continue;
    const auto first = first_change.try_emplace(op.object, at).first;
    first->second = std::min(first->second, at);
  }
  if (waits_for_responses && ends.size() > 1) return false;
  return std::all_of(first_change.begin(), first_change.end(), [&](const auto& change) {
    const auto look = last_look.find(change.first);
    return look == last_look.end() || look->second <= change.second;
  });
}

class Writer {
 public:
  explicit Writer(const NestBody& body) : b_(body), t_(body.text()) {}

  // The type of an iteration, the pipeline, and the function that advances an iteration.
  std::string declaration() {
    for (ValueId value : b_.order()) {
      if (b_.has_variable(value)) members_.insert(value);
    }
    for (const Loop* level : b_.nest().levels) add_captured(*level);
    std::string fields;
    for (ValueId value : members_)
      fields += fmt::format("bits<{}> v{};\n", t_.op(value).width, value);
    t_.set_members(&members_, "it.");
    std::string cases;
    for (uint32_t at = 0; at < b_.nest().stages; ++at) cases += stage_case(at);
    t_.set_members(nullptr, "");
    const std::string passing = can_pass(b_) ? passing_text() : "";
    return fmt::format(
        "struct It : Iteration<{0}> {{\n{1}}};\nPipeline<It, {0}> pipeline;\n"
        "const auto advance = [&](It& it, [[maybe_unused]] Cycle limit) -> bool {{\n"
        "switch (it.stage) {{\n{2}}}\nreturn true;\n}};\n{3}",
        b_.nest().stages, fields, cases, passing);
  }

  std::string iteration() const {
    std::string text = "{\n";
    if (b_.nest().initiation_interval > 1) {
      text += fmt::format("It& it = pipeline.next(std::max(issue, {}));\n", b_.gap());
    } else {
      text += "It& it = pipeline.next(issue);\n";
    }
    if (can_pass(b_)) text += "if (!(pipeline.older_done(it) && passes(it))) {\n";
    for (ValueId value : captured_) text += fmt::format("it.v{0} = v{0};\n", value);
    text += "pipeline.issue(process, it, advance);\n";
    if (can_pass(b_)) text += "}\n";
    return text + "go = it.leave[0];\nissue = go + 1;\n}\n";
  }

 private:
  // Counter values that the body uses: copied, because the next iteration changes them.
  void add_captured(const Loop& level) {
    std::set<ValueId> counted;
    for (const ir::LoopPhi& phi : level.phis) counted.insert(phi.phi);
    const auto add = [&](const ir::Sequence& items) {
      for (const ir::Item& item : items) {
        if (const ValueId* value = std::get_if<ValueId>(&item)) counted.insert(*value);
      }
    };
    add(level.head);
    if (&level != b_.nest().levels.back()) add(level.body);
    for (ValueId value : b_.order()) {
      for (ValueId operand : t_.op(value).operands) {
        if (!counted.contains(operand) || !t_.is_computed(operand)) continue;
        members_.insert(operand);
        captured_.insert(operand);
      }
    }
  }

  // An iteration that waits for no port, and for no stream after the first stage, in one function:
  // nothing stalls it but hazards and older iterations.
  // First the cycles in which it leaves the stages, without effects; then its effects, stage by
  // stage. (Not the fast path of fast_path.h.)
  std::string passing_text() {
    std::string checks, effects;
    for (uint32_t at = 0; at < b_.nest().stages; ++at) {
      checks += stage_checks(at);
      effects += stage_effects(at);
    }
    std::string values;
    for (ValueId value : b_.order()) {
      if (b_.has_variable(value))
        values += fmt::format("[[maybe_unused]] bits<{}> v{} = 0;\n", t_.op(value).width, value);
    }
    std::string kept, cycles;
    for (uint32_t at = 0; at < b_.nest().stages; ++at)
      cycles += fmt::format("{}at{}", at == 0 ? "" : ", ", at);
    for (ValueId value : seen_by_younger_) kept += fmt::format("it.v{0} = v{0};\n", value);
    return fmt::format(
        "const auto passes = [&](It& it) -> bool {{\n{}{}{}{}pipeline.pass(it, {{{}}});\n"
        "return true;\n}};\n",
        values, checks, effects, kept, cycles);
  }

  std::string stage_checks(uint32_t at) const {
    const std::vector<ValueId> ops = b_.operations(at);
    const std::string cycle = fmt::format("at{}", at);
    std::string waits, hazard;
    Lines ports;
    for (ValueId value : ops) {
      const Op& op = t_.op(value);
      if (ir::accesses_channel(op.opcode)) waits += passed_wait(op, value, cycle, at == 0);
      if (ir::is_combinational(op.opcode) && t_.is_computed(value))
        waits += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
      if (op.opcode == Opcode::kRamRead) hazard += past_hazards(value, at);
      if (!t_.waits_for_port(op)) continue;
      const auto port = t_.port_client(op);
      ports.add(t_.guarded(op, fmt::format("if (!{}.is_free({}, at{}, {})) return false;\n",
                                           port->arbiter, port->client, at, t_.bank(op))));
    }
    for (ValueId value : b_.waiting_words(at)) hazard += past_hazards(value, at);
    std::string text = at == 0 ? first_cycle(waits)
                               : fmt::format(
                                     "[[maybe_unused]] const Cycle enter{0} = at{1} + 1;\n"
                                     "Cycle at{0} = enter{0};\n{2}",
                                     at, at - 1, waits);
    text += passed_stalls(at, hazard);
    text += ports.text();
    for (ValueId value : words(at)) text += line(t_.effect(value, cycle));
    return text;
  }

  // Moves at<at> past the stalls by older iterations, and past `hazard`. The last stage is not
  // held.
  std::string passed_stalls(uint32_t at, const std::string& hazard) const {
    const bool may_be_held = at + 1 < b_.nest().stages;
    if (hazard.empty())
      return may_be_held && at > 0
                 ? fmt::format("if (held) at{0} = pipeline.unheld(it, {0}, at{0});\n", at)
                 : "";
    std::string moved = hazard;
    if (may_be_held) moved += fmt::format("if (held) at = pipeline.unheld(it, {}, at);\n", at);
    return fmt::format(
        "for (;;) {{\nCycle at = at{0};\n{1}if (at == at{0}) break;\nat{0} = at;\n}}\n", at, moved);
  }

  // Waits for streams in the first stage.
  std::string first_cycle(const std::string& waits) const {
    std::string text = "[[maybe_unused]] Cycle ready = 0;\n" + waits;
    text += "[[maybe_unused]] const Cycle enter0 = it.enter[0];\n";
    text += "Cycle at0 = pipeline.unheld(it, 0, std::max({enter0, ready";
    if (b_.nest().initiation_interval > 1)
      text +=
          fmt::format(", pipeline.after_gap(it, {}, kNever)", b_.nest().initiation_interval - 1);
    return text + "}));\n[[maybe_unused]] const bool held = at0 < pipeline.held_to(it);\n";
  }

  std::string passed_wait(const Op& op, ValueId value, const std::string& cycle, bool first) const {
    const ProcessText::End end = t_.end(op);
    std::string text =
        first ? fmt::format("if (!{0}.{1}()) return false;\nready = std::max(ready, {0}.{2}());\n",
                            end.stream, end.is_known, end.ready_cycle)
              : fmt::format("if (!{0}.{1}() || {0}.{2}() > {3}) return false;\n", end.stream,
                            end.is_known, end.ready_cycle, cycle);
    if (end.has_item && t_.is_computed(value))
      text += fmt::format("{} = {}.front();\n", t_.name(value), end.stream);
    return t_.guarded(op, "{\n" + text + "}\n");
  }

  // RAMs that this stage reads.
  std::vector<ValueId> words(uint32_t at) const {
    std::vector<ValueId> result = b_.waiting_words(at);
    for (ValueId value : b_.operations(at)) {
      if (t_.op(value).opcode == Opcode::kRamRead && !b_.is_late(value)) result.push_back(value);
    }
    return result;
  }

  std::string stage_effects(uint32_t at) const {
    const std::string cycle = fmt::format("at{}", at);
    std::string text;
    Lines own, forgets, asks;
    for (ValueId value : b_.operations(at)) {
      const Op& op = t_.op(value);
      if (at == 0 && ir::accesses_channel(op.opcode))
        text += t_.guarded(
            op, fmt::format(
                    "process.waited({}, std::max(it.enter[0], pipeline.alone_from(it)), ready);\n",
                    object_number(t_.object(op))));
      own.add(passed_own_port(at, op));
      if (!t_.waits_for_port(op)) continue;
      const auto port = t_.port_client(op);
      forgets.add(fmt::format("{}.forget({}, it.enter[0]);\n", port->arbiter, port->client));
      if (port->is_last) continue;
      asks.add(t_.guarded(op, fmt::format("{}.request({}, at{}, at{}, {});\n", port->arbiter,
                                          port->client, at, at, t_.bank(op))));
    }
    text += own.text();
    if (forgets.count() > 0)
      text += fmt::format("if (it.number % 32 == 0) {{\n{}}}\n", forgets.text());
    text += asks.text();
    for (ValueId value : b_.operations(at)) {
      if (t_.op(value).opcode != Opcode::kRamRead) text += line(t_.effect(value, cycle));
    }
    return text;
  }

  // As own_port(); after the first stage the iteration itself waits for no stream.
  std::string passed_own_port(uint32_t at, const Op& op) const {
    const auto port = t_.port_client(op);
    if (!port || port->client > 0 || port->is_last) return "";
    if (at > 0 && !b_.has_streams())
      return t_.guarded(op, fmt::format("{}.request(0, enter{}, at{}, {});\n", port->arbiter, at,
                                        at, t_.bank(op)));
    return t_.guarded(
        op, fmt::format("for (Cycle asked = {0}; asked <= at{1}; ++asked) {{\n"
                        "if (!pipeline.stream_waits(it, {1}, asked)) {2}.request(0, asked, asked, "
                        "{3});\n}}\n",
                        at == 0 ? "std::max(enter0, ready)" : fmt::format("enter{}", at), at,
                        port->arbiter, t_.bank(op)));
  }

  std::string stage_case(uint32_t at) {
    const std::vector<ValueId> ops = b_.operations(at);
    std::string text = fmt::format(
        "case {0}: {{\n[[maybe_unused]] Cycle at = pipeline.unheld(it, {0}, it.leave[{0}]);\n", at);
    if (at == 0 && b_.nest().initiation_interval > 1) {
      text += fmt::format(
          "const Cycle gap = pipeline.after_gap(it, {}, limit);\n"
          "if (gap == kNever) return pipeline.block(it, at);\n"
          "at = pipeline.unheld(it, 0, std::max(at, gap));\n",
          b_.nest().initiation_interval - 1);
    }
    text += "if (at >= limit) return pipeline.block(it, at);\nCycle ready = 0;\n";
    for (ValueId value : ops) {
      if (ir::accesses_channel(t_.op(value).opcode)) text += known(t_.op(value), value);
      if (ir::is_combinational(t_.op(value).opcode) && t_.is_computed(value))
        text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
    }
    text += stage_waits(at, ops);
    for (ValueId value : ops) {
      if (ir::accesses_channel(t_.op(value).opcode))
        text += t_.guarded(
            t_.op(value),
            fmt::format("process.waited({}, std::max(it.enter[{}], pipeline.alone_from(it)), "
                        "ready);\n",
                        object_number(t_.object(t_.op(value))), at));
    }
    Lines asked;
    for (ValueId value : ops) asked.add(own_port(at, value));
    text += asked.text();
    for (ValueId value : b_.waiting_words(at)) text += line(t_.effect(value, "at"));
    for (ValueId value : ops) text += b_.is_late(value) ? "" : line(t_.effect(value, "at"));
    return text + "pipeline.leave(it, at, ready);\n}\n[[fallthrough]];\n" +
           (at + 1 == b_.nest().stages ? "default:\nbreak;\n" : "");
  }

  // Waits until the cycle in which the stream is ready is known; takes the item.
  std::string known(const Op& op, ValueId value) const {
    const ProcessText::End end = t_.end(op);
    std::string text = fmt::format(
        "{{\nif (!{0}.{1}()) {{\n{0}.{2}();\nreturn pipeline.block(it, at, {3});\n}}\nready = "
        "std::max(ready, {0}.{4}());\n",
        end.stream, end.is_known, end.will_wait, object_number(t_.object(op)), end.ready_cycle);
    if (end.has_item && t_.is_computed(value))
      text += fmt::format("{} = {}.front();\n", t_.name(value), end.stream);
    return t_.guarded(op, text + "}\n");
  }

  // Moves `at` to the first cycle in which the stage is not stalled.
  std::string stage_waits(uint32_t at, const std::vector<ValueId>& ops) const {
    std::string hazard, object;
    Lines ports;
    for (ValueId value : ops) {
      const Op& op = t_.op(value);
      if (t_.waits_for_port(op)) {
        const auto port = t_.port_client(op);
        ports.add(t_.guarded(
            op, fmt::format("ports.add({}, {}, {});\n", port->arbiter, port->client, t_.bank(op))));
        if (object.empty()) object = object_number(t_.object(op));
      }
      if (op.opcode == Opcode::kRamRead) hazard += past_hazards(value, at);
    }
    for (ValueId value : b_.waiting_words(at)) hazard += past_hazards(value, at);
    std::string text;
    if (ports.count() > 0)
      text += fmt::format(
          "PortRequests<{}> ports;\n{}if (it.number % 32 == 0) ports.forget(pipeline.oldest());\n",
          ports.count(), ports.text());
    text += "for (;;) {\nconst Cycle start = at;\nat = std::max(at, ready);\n" + hazard;
    text += fmt::format("at = pipeline.unheld(it, {}, at);\n", at);
    text += "if (at >= limit) return pipeline.block(it, at);\nif (at != start) continue;\n";
    if (ports.count() > 0) {
      const std::string asks =
          b_.has_streams() ? fmt::format("if (!pipeline.stream_waits(it, {}, at)) ", at) : "";
      text += fmt::format(
          "if (!ports.none()) {{\n{2}ports.request(at, at);\n"
          "if (!ports.known(at)) return pipeline.block(it, at, Process::kNoObject, at);\n"
          "if (!ports.granted(at)) {{\nif (at >= pipeline.alone_from(it)) "
          "process.waited({1}, at, at + 1);\n++at;\ncontinue;\n}}\n}}\n",
          at, object, asks);
    }
    return text + "break;\n}\n";
  }

  std::string past_hazards(ValueId read, uint32_t at) const {
    Lines lines;
    for (const NestBody::Hazard& met : b_.hazards(read, at)) {
      const Op& access = t_.op(met.access);
      std::string meets = older_condition(access.operands[0], met.stage);
      if (access.opcode == Opcode::kRamWrite) meets += same_word(t_.op(read), access, met.stage);
      lines.add(t_.guarded(
          t_.op(read),
          fmt::format("at = pipeline.past<{}, {}>(it, at, [&]([[maybe_unused]] const It& older) "
                      "{{ return {}; }});\n",
                      at, met.stage, meets)));
    }
    return lines.text();
  }

  // The request cycles of the client with the highest priority, for the other clients.
  std::string own_port(uint32_t at, ValueId value) const {
    const Op& op = t_.op(value);
    const auto port = t_.port_client(op);
    if (!port || port->client > 0 || port->is_last) return "";
    return t_.guarded(
        op, fmt::format("for (Cycle asked = std::max(it.enter[{0}], ready); asked <= at; ++asked) "
                        "{{\nif (!pipeline.stream_waits(it, {0}, asked)) {1}.request({2}, asked, "
                        "asked, {3});\n}}\n",
                        at, port->arbiter, port->client, t_.bank(op)));
  }

  // Unknown conditions count as true.
  std::string older_condition(ValueId predicate, uint32_t at) const {
    if (b_.available(predicate) > at || ir::is_constant(t_.process(), predicate, 1)) return "true";
    return fmt::format("({} != 0)", in_older(predicate));
  }
  std::string in_older(ValueId value) const {
    if (!members_.contains(value)) return t_.name(value);
    seen_by_younger_.insert(value);
    return fmt::format("older.v{}", value);
  }
  std::string same_word(const Op& read, const Op& write, uint32_t at) const {
    const ValueId index = write.operands[1];
    if (b_.available(index) > at) return "";
    const uint32_t bits = bind::address_bits(t_.object(read));
    const std::string other =
        t_.op(index).opcode == Opcode::kConstant ? t_.name(index) : in_older(index);
    return fmt::format(" && {} == (static_cast<uint32_t>({}) & {}u)", t_.address(read), other,
                       (uint64_t{1} << bits) - 1);
  }

  const NestBody& b_;
  ProcessText& t_;
  std::set<ValueId> members_, captured_;
  mutable std::set<ValueId> seen_by_younger_;
};

}  // namespace

PipelinedIteration pipelined_iteration(const NestBody& body) {
  Writer writer(body);
  const std::string declaration = writer.declaration();
  return {declaration, writer.iteration()};
}

}  // namespace vta::hlsc::model
