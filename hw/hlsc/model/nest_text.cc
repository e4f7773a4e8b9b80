// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/nest_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_wait(const Op& op) { return ir::may_wait(op.opcode) && op.opcode != Opcode::kHalt; }
bool is_value(const Op& op) {
  return ir::is_pure(op.opcode) || op.opcode == Opcode::kRegisterRead ||
         op.opcode == Opcode::kInputRead;
}

// Different lines in the order in which they come: the lanes of a word ask for one port.
class Lines {
 public:
  void add(const std::string& line) {
    if (known_.insert(line).second) text_ += line;
  }
  const std::string& text() const { return text_; }
  size_t count() const { return known_.size(); }

 private:
  std::set<std::string> known_;
  std::string text_;
};

class NestText {
 public:
  NestText(ProcessText& text, const Loop& outermost, size_t number)
      : t_(text), nest_(text.schedule().nests.at(&outermost)), number_(number) {
    for (const ir::Item& item : nest_.levels.back()->body) body_.push_back(std::get<ValueId>(item));
    for (const ir::LoopPhi& phi : nest_.levels.back()->phis) {
      if (t_.is_computed(phi.phi)) add_stepping(phi.next);
    }
  }

  const std::set<ValueId>& stepping() const { return stepping_; }

  std::string text() {
    const bool pipelined = waits_behind_first_stage();
    // `go`: in which cycle the counters look at registers; at first as the state before leaves
    // them.
    std::string text = fmt::format(
        "{{  // nest {}\nCycle issue = now, go = now;\n[[maybe_unused]] Cycle alone = now;\n",
        nest_.levels[0]->name);
    if (!pipelined) text += "Cycle left = 0;\n";
    const std::set<ir::ObjectId> registers = registers_in_variables();
    for (ir::ObjectId id : registers)
      text += fmt::format("auto local_{0} = {0};\n", t_.register_name(id));
    t_.set_local_registers(registers);
    if (!registers.empty()) quiet_ = quiet_path(t_.process(), in_order(), written_late_registers());
    if (quiet_.has_value()) {
      text += "bool quiet = true;\n";
      for (ir::ObjectId id : written_late_registers())
        text += fmt::format("quiet &= {}.value() == 0;\n", t_.register_name(id));
    }
    if (pipelined) text += pipeline();
    iteration_ = pipelined ? pipelined_iteration() : simple_iteration();
    text += level(0);
    if (pipelined) {
      text += "const Cycle left = pipeline.drain(process, advance);\n";
      if (nest_.initiation_interval > 1)
        text += fmt::format("{0} = pipeline.after_last_gap({1}, {0});\n", gap(),
                            nest_.initiation_interval - 1);
    }
    t_.set_local_registers({});
    for (ir::ObjectId id : registers)
      text += fmt::format("{0} = local_{0};\n", t_.register_name(id));
    return text + "now = std::max(issue, left) + 1;\n}\n";
  }

 private:
  uint32_t stage(ValueId value) const { return t_.schedule().step[value]; }
  std::vector<ValueId> operations(uint32_t at) const {
    std::vector<ValueId> result;
    for (ValueId value : body_) {
      if (stage(value) == at) result.push_back(value);
    }
    return result;
  }
  // The first stage in which a value can be used.
  uint32_t available(ValueId value) const {
    if (std::find(body_.begin(), body_.end(), value) == body_.end()) return 0;
    if (t_.op(value).opcode != Opcode::kRamRead) return stage(value);
    return stage(value) + (is_late(value) ? 2 : 1);
  }
  // Of a read: its word waits a stage for older iterations' writes (schedule.h).
  bool is_late(ValueId read) const { return t_.schedule().late_words.contains(read); }
  uint32_t word_stage(ValueId read) const { return stage(read) + (is_late(read) ? 1 : 0); }
  // Late words of reads that happen in the stage in front.
  std::vector<ValueId> waiting_words(uint32_t at) const {
    std::vector<ValueId> result;
    for (ValueId value : body_) {
      if (is_late(value) && word_stage(value) == at) result.push_back(value);
    }
    return result;
  }

  // --- What may hold stages ---

  bool waits_behind_first_stage() const {
    return std::any_of(body_.begin(), body_.end(), [&](ValueId value) {
      if (is_wait(t_.op(value)) || t_.waits_for_port(t_.op(value))) return stage(value) > 0;
      return t_.op(value).opcode == Opcode::kRamRead &&
             (!hazards(value, stage(value)).empty() || !hazards(value, word_stage(value)).empty());
    });
  }

  bool has_streams() const {
    return std::any_of(body_.begin(), body_.end(),
                       [&](ValueId value) { return is_wait(t_.op(value)); });
  }

  // Of a nest that waits for nobody: meanwhile nobody looks at what it writes.
  std::set<ir::ObjectId> registers_in_variables() const {
    std::set<ir::ObjectId> registers;
    if (has_streams() || waits_behind_first_stage()) return {};
    for (ValueId value : body_) {
      const Op& op = t_.op(value);
      if (t_.waits_for_port(op)) return {};
      if (op.opcode == Opcode::kRegisterWrite && t_.has_content(op)) registers.insert(op.object);
    }
    return registers;
  }

  // A stage in which an older iteration keeps a read from happening in stage `at`, or its word from
  // leaving it, and when; in terms of `older`.
  struct Hazard {
    uint32_t stage;
    std::string meets;
  };
  std::vector<Hazard> hazards(ValueId read, uint32_t at) const {
    std::vector<Hazard> result;
    const Op& op = t_.op(read);
    for (ValueId value : body_) {
      const Op& other = t_.op(value);
      if (other.object != op.object) continue;
      if (other.opcode == Opcode::kRamRead && at == stage(read) && stage(value) > at)
        result.push_back({stage(value), older_condition(other.operands[0], stage(value))});
      if (other.opcode != Opcode::kRamWrite || at != word_stage(read)) continue;
      for (uint32_t between = at + 1; between < stage(value); ++between) {
        const std::string writes = older_condition(other.operands[0], between);
        const std::string same = same_word(op, other, between);
        const std::string meets = writes + (same.empty() ? "" : " && " + same);
        const bool known = std::any_of(result.begin(), result.end(), [&](const Hazard& hazard) {
          return hazard.stage == between && hazard.meets == meets;
        });
        if (!known) result.push_back({between, meets});
      }
    }
    return result;
  }
  // What is not known yet is taken as true.
  std::string older_condition(ValueId predicate, uint32_t at) const {
    if (available(predicate) > at || ir::is_constant(t_.process(), predicate, 1)) return "true";
    return fmt::format("({} != 0)", in_older(predicate));
  }
  std::string in_older(ValueId value) const {
    return members_.contains(value) ? fmt::format("older.v{}", value) : t_.name(value);
  }
  std::string same_word(const Op& read, const Op& write, uint32_t at) const {
    const ValueId index = write.operands[1];
    if (available(index) > at) return "";
    const uint32_t bits = emit::address_bits(t_.object(read));
    const std::string other =
        t_.op(index).opcode == Opcode::kConstant ? t_.name(index) : in_older(index);
    return fmt::format("{} == (static_cast<uint32_t>({}) & {}u)", t_.address(read), other,
                       (uint64_t{1} << bits) - 1);
  }

  // --- Counters ---

  std::string control_values(const ir::Sequence& items, bool behind_loop) const {
    std::string text;
    bool behind = false;
    for (const ir::Item& item : items) {
      const ValueId* value = std::get_if<ValueId>(&item);
      if (value == nullptr) {
        behind = true;
        continue;
      }
      if (behind != behind_loop || !t_.is_computed(*value)) continue;
      std::string computed = t_.computed(*value, "go");
      if (quiet_.has_value() && t_.op(*value).opcode == Opcode::kRegisterRead &&
          t_.is_late_register(t_.op(*value).object))
        computed = fmt::format("quiet ? 0 : {}", computed);
      text += fmt::format("{} = {};\n", t_.name(*value), computed);
    }
    return text;
  }

  // What of the body the counters' next step is made of; they compute it by themselves.
  void add_stepping(ValueId value) {
    if (std::find(body_.begin(), body_.end(), value) == body_.end()) return;
    if (!stepping_.insert(value).second) return;
    for (ValueId operand : t_.op(value).operands) add_stepping(operand);
  }
  std::string stepping_values() const {
    std::string text;
    for (ValueId value : body_) {
      if (stepping_.contains(value))
        text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, "go"));
    }
    return text;
  }

  // One level as a loop of C++. A turn in which the loop inside has none takes a cycle.
  std::string level(size_t k) const {
    const Loop& loop = *nest_.levels[k];
    std::string text = assigned_phis(t_, loop, true);
    text += "for (;;) {\n" + control_values(loop.head, false) + control_values(loop.head, true);
    if (const std::string condition = t_.condition(loop.condition); !condition.empty())
      text += fmt::format("if (!{}) break;\n", condition);
    if (k > 0) text += fmt::format("turned{} = true;\n", k);
    if (k + 1 == nest_.levels.size()) {
      text += iteration_ + stepping_values();
    } else {
      text += k + 2 == nest_.levels.size() ? "process.heartbeat();\n" : "";
      text += control_values(loop.body, false);
      text += fmt::format("bool turned{} = false;\n", k + 1) + level(k + 1);
      text += fmt::format("if (!turned{}) go = issue++;\n", k + 1);
      text += control_values(loop.body, true);
    }
    return text + assigned_phis(t_, loop, false) + "}\n";
  }

  // --- Iterations that wait in their first stage only ---

  std::string gap() const { return fmt::format("gap{}", number_); }

  std::string simple_iteration() const {
    std::string text = "Cycle now = issue;\n";
    if (nest_.initiation_interval > 1)
      text = fmt::format("Cycle now = std::max(issue, {});\n", gap());
    const std::string any = declarations(body_) +
                            waiting_text(t_, operations(0), "std::max(now, alone)", false) +
                            effects();
    text += quiet_.has_value() ? quiet_iteration(any) : any;
    text += fmt::format("go = now;\nissue = now + 1;\nleft = now + {};\nalone = now + {};\n",
                        nest_.stages - 1, nest_.stages);
    if (nest_.initiation_interval > 1)
      text += fmt::format("{} = now + {};\n", gap(), nest_.initiation_interval);
    return "{\n" + text + "}\n";
  }
  std::string declarations(const std::vector<ValueId>& operations) const {
    std::string text;
    for (ValueId value : operations) {
      if (declared_in_iteration(value))
        text += fmt::format("bits<{}> v{} = 0;\n", t_.op(value).width, value);
    }
    return text;
  }
  // Behind the waits of the first stage.
  std::string effects() const {
    std::string text;
    for (uint32_t at = 0; at < nest_.stages; ++at) {
      const std::string cycle = at == 0 ? "now" : fmt::format("now + {}", at);
      if (at > 0) text += values(operations(at)) + ports_at(operations(at), cycle);
      for (ValueId value : operations(at)) text += line(t_.effect(value, cycle));
    }
    return text;
  }

  // --- Iterations that tell the counters nothing ---

  std::vector<ValueId> in_order() const {
    std::vector<ValueId> result;
    for (uint32_t at = 0; at < nest_.stages; ++at) {
      for (ValueId value : operations(at)) result.push_back(value);
    }
    return result;
  }
  std::set<ir::ObjectId> written_late_registers() const {
    std::set<ir::ObjectId> registers;
    for (ValueId value : body_) {
      const Op& op = t_.op(value);
      if (op.opcode == Opcode::kRegisterWrite && t_.is_late_register(op.object))
        registers.insert(op.object);
    }
    return registers;
  }
  void add_needed(ValueId value, std::set<ValueId>& needed) const {
    if (std::find(body_.begin(), body_.end(), value) == body_.end()) return;
    if (!needed.insert(value).second) return;
    for (ValueId operand : t_.op(value).operands) add_needed(operand, needed);
  }

  // First what is to be checked; then either what is left of the iteration, or all of it.
  std::string quiet_iteration(const std::string& any) const {
    std::set<ValueId> needed;
    for (ValueId value : quiet_->checks) add_needed(value, needed);
    std::vector<ValueId> first, rest;
    for (ValueId value : in_order()) (needed.contains(value) ? first : rest).push_back(value);
    t_.set_known(&quiet_->before);
    std::string text = "bool done = false;\nif (quiet) {\n" + declarations(first);
    for (ValueId value : first)
      text +=
          t_.op(value).opcode == Opcode::kRamRead ? line(t_.effect(value, "now")) : values({value});
    std::string checks;
    for (ValueId value : quiet_->checks)
      checks += fmt::format("{}v{} == {}", checks.empty() ? "" : " && ", value,
                            quiet_->after.at(value).getZExtValue());
    t_.set_known(&quiet_->after);
    text += fmt::format("if ({}) {{\n{}", checks, declarations(rest));
    for (uint32_t at = 0; at < nest_.stages; ++at) {
      const std::string cycle = fmt::format("now + {}", at);
      text += values(operations(at)) + ports_at(operations(at), cycle);
      for (ValueId value : operations(at)) text += line(t_.effect(value, cycle));
    }
    t_.set_known(nullptr);
    return text + "done = true;\n}\n}\nif (!done) {\nquiet = false;\n" + any + "}\n";
  }

  bool declared_in_iteration(ValueId value) const {
    return t_.is_computed(value) && t_.op(value).width > 0;
  }
  std::string values(const std::vector<ValueId>& operations) const {
    std::string text;
    for (ValueId value : operations) {
      if (!is_value(t_.op(value)) || !t_.is_computed(value) || t_.is_known(value)) continue;
      text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
    }
    return text;
  }
  // Of ports that others wait for.
  std::string ports_at(const std::vector<ValueId>& operations, const std::string& cycle) const {
    Lines lines;
    for (ValueId value : operations) {
      const Op& op = t_.op(value);
      if (const auto turn = t_.turn(op); turn && !turn->is_last)
        lines.add(t_.guarded(op, fmt::format("{}.request({}, {}, {}, {});\n", turn->arbiter,
                                             turn->client, cycle, cycle, t_.bank(op))));
    }
    return lines.text();
  }
  static std::string line(const std::string& text) { return text.empty() ? "" : text + "\n"; }

  // --- Iterations that may wait anywhere ---

  // The type of an iteration, the pipeline and how an iteration moves.
  std::string pipeline() {
    for (ValueId value : body_) {
      if (declared_in_iteration(value)) members_.insert(value);
    }
    for (const Loop* level : nest_.levels) add_captured(*level);
    std::string fields;
    for (ValueId value : members_)
      fields += fmt::format("bits<{}> v{};\n", t_.op(value).width, value);
    t_.set_members(&members_, "it.");
    std::string cases;
    for (uint32_t at = 0; at < nest_.stages; ++at) cases += stage_case(at);
    t_.set_members(nullptr, "");
    return fmt::format(
        "struct It : Iteration<{0}> {{\n{1}}};\nPipeline<It, {0}> pipeline;\n"
        "const auto advance = [&](It& it, [[maybe_unused]] Cycle limit) -> bool {{\n"
        "switch (it.stage) {{\n{2}}}\nreturn true;\n}};\n",
        nest_.stages, fields, cases);
  }

  // Values of the counters that the body uses: the next iteration has others.
  void add_captured(const Loop& level) {
    std::set<ValueId> counted;
    for (const ir::LoopPhi& phi : level.phis) counted.insert(phi.phi);
    const auto add = [&](const ir::Sequence& items) {
      for (const ir::Item& item : items) {
        if (const ValueId* value = std::get_if<ValueId>(&item)) counted.insert(*value);
      }
    };
    add(level.head);
    if (&level != nest_.levels.back()) add(level.body);
    for (ValueId value : body_) {
      for (ValueId operand : t_.op(value).operands) {
        if (!counted.contains(operand) || !t_.is_computed(operand)) continue;
        members_.insert(operand);
        captured_.insert(operand);
      }
    }
  }

  std::string pipelined_iteration() const {
    std::string text = "{\n";
    if (nest_.initiation_interval > 1) {
      text += fmt::format("It& it = pipeline.next(std::max(issue, {}));\n", gap());
    } else {
      text += "It& it = pipeline.next(issue);\n";
    }
    for (ValueId value : captured_) text += fmt::format("it.v{0} = v{0};\n", value);
    text += "pipeline.issue(process, it, advance);\ngo = it.leave[0];\nissue = go + 1;\n";
    return text + "}\n";
  }

  std::string stage_case(uint32_t at) {
    const std::vector<ValueId> ops = operations(at);
    std::string text = fmt::format(
        "case {0}: {{\n[[maybe_unused]] Cycle at = pipeline.unheld(it, {0}, it.leave[{0}]);\n", at);
    if (at == 0 && nest_.initiation_interval > 1) {
      text += fmt::format(
          "const Cycle gap = pipeline.after_gap(it, {}, limit);\n"
          "if (gap == kNever) return pipeline.block(it, at);\n"
          "at = pipeline.unheld(it, 0, std::max(at, gap));\n",
          nest_.initiation_interval - 1);
    }
    text += "if (at >= limit) return pipeline.block(it, at);\nCycle ready = 0;\n";
    for (ValueId value : ops) {
      if (is_wait(t_.op(value))) text += known(t_.op(value), value);
      if (is_value(t_.op(value)) && t_.is_computed(value))
        text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
    }
    text += stage_waits(at, ops);
    for (ValueId value : ops) {
      if (is_wait(t_.op(value)))
        text += t_.guarded(
            t_.op(value),
            fmt::format("process.waited({}, std::max(it.enter[{}], pipeline.alone_from(it)), "
                        "ready);\n",
                        object_number(t_.object(t_.op(value))), at));
    }
    Lines asked;
    for (ValueId value : ops) asked.add(own_port(at, value));
    text += asked.text();
    for (ValueId value : waiting_words(at)) text += line(t_.effect(value, "at"));
    for (ValueId value : ops) text += is_late(value) ? "" : line(t_.effect(value, "at"));
    return text + "pipeline.leave(it, at, ready);\n}\n[[fallthrough]];\n" +
           (at + 1 == nest_.stages ? "default:\nbreak;\n" : "");
  }

  // Until it is known from when on the stream is ready; its item.
  std::string known(const Op& op, ValueId value) const {
    const ProcessText::End end = t_.end(op);
    std::string text = fmt::format(
        "{{\nif (!{0}.{1}()) {{\n{0}.{2}();\nreturn pipeline.block(it, at, {3});\n}}\nready = "
        "std::max(ready, {0}.{4}());\n",
        end.stream, end.known, end.stand, object_number(t_.object(op)), end.cycle);
    if (end.has_item && t_.is_computed(value))
      text += fmt::format("{} = {}.front();\n", t_.name(value), end.stream);
    return t_.guarded(op, text + "}\n");
  }

  // Moves `at` to the first cycle in which nothing holds the stage.
  std::string stage_waits(uint32_t at, const std::vector<ValueId>& ops) const {
    std::string hazard, object;
    Lines ports;
    for (ValueId value : ops) {
      const Op& op = t_.op(value);
      if (t_.waits_for_port(op)) {
        const auto turn = t_.turn(op);
        ports.add(t_.guarded(
            op, fmt::format("ports.add({}, {}, {});\n", turn->arbiter, turn->client, t_.bank(op))));
        if (object.empty()) object = object_number(t_.object(op));
      }
      if (op.opcode == Opcode::kRamRead) hazard += past_hazards(value, at);
    }
    for (ValueId value : waiting_words(at)) hazard += past_hazards(value, at);
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
          has_streams() ? fmt::format("if (!pipeline.stream_waits(it, {}, at)) ", at) : "";
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
    std::string text;
    for (const Hazard& met : hazards(read, at)) {
      text += t_.guarded(
          t_.op(read),
          fmt::format("at = pipeline.past<{}, {}>(it, at, [&]([[maybe_unused]] const It& older) "
                      "{{ return {}; }});\n",
                      at, met.stage, met.meets));
    }
    return text;
  }

  // The cycles in which the first at a port asks for it, for those behind.
  std::string own_port(uint32_t at, ValueId value) const {
    const Op& op = t_.op(value);
    const auto turn = t_.turn(op);
    if (!turn || turn->client > 0 || turn->is_last) return "";
    return t_.guarded(
        op, fmt::format("for (Cycle asked = std::max(it.enter[{0}], ready); asked <= at; ++asked) "
                        "{{\nif (!pipeline.stream_waits(it, {0}, asked)) {1}.request({2}, asked, "
                        "asked, {3});\n}}\n",
                        at, turn->arbiter, turn->client, t_.bank(op)));
  }

  ProcessText& t_;
  const schedule::Nest& nest_;
  size_t number_;
  std::vector<ValueId> body_;
  std::set<ValueId> members_, captured_, stepping_;
  std::optional<QuietPath> quiet_;
  std::string iteration_;
};

}  // namespace

std::string nest_text(ProcessText& text, const Loop& outermost, size_t number,
                      std::set<ValueId>& declared) {
  NestText nest(text, outermost, number);
  declared.insert(nest.stepping().begin(), nest.stepping().end());
  return nest.text();
}

std::string assigned_phis(const ProcessText& text, const Loop& loop, bool initial) {
  std::string temporaries, assignments;
  for (const ir::LoopPhi& phi : loop.phis) {
    const ValueId value = initial ? phi.init : phi.next;
    if (!text.is_computed(phi.phi) || value == phi.phi) continue;
    temporaries += fmt::format("const auto next{} = {};\n", phi.phi, text.name(value));
    assignments += fmt::format("{} = next{};\n", text.name(phi.phi), phi.phi);
  }
  return temporaries.empty() ? "" : "{\n" + temporaries + assignments + "}\n";
}

std::string waiting_text(const ProcessText& text, const std::vector<ValueId>& operations,
                         const std::string& since, bool several_waits) {
  std::string result, object;
  Lines ports;
  bool others_wait = false;
  for (ValueId value : operations) {
    const Op& op = text.op(value);
    if (is_wait(op)) {
      const ProcessText::End end = text.end(op);
      std::string wait = fmt::format("{{\nnow = {}(process, {}, now, {}, {});\n", end.wait,
                                     end.stream, object_number(text.object(op)), since);
      if (end.has_item && text.is_computed(value) && op.width > 0)
        wait += fmt::format("{} = {}.front();\n", text.name(value), end.stream);
      result += text.guarded(op, wait + "}\n");
      if (several_waits) result += text.effect(value, "now") + "\n";
    } else if (is_value(op)) {
      if (text.is_computed(value))
        result += fmt::format("{} = {};\n", text.name(value), text.computed(value, ""));
    } else if (const auto turn = text.turn(op)) {
      ports.add(text.guarded(
          op, fmt::format("ports.add({}, {}, {});\n", turn->arbiter, turn->client, text.bank(op))));
      if (turn->client > 0 && !others_wait)
        others_wait = true, object = object_number(text.object(op));
    }
  }
  if (ports.count() == 0) return result;
  const std::string then =
      others_wait ? fmt::format("if (!ports.none()) now = ports.wait(process, now, {}, {});\n",
                                object, since)
                  : "ports.request(now, now);\n";
  return result +
         fmt::format("{{\nPortRequests<{}> ports;\n{}{}}}\n", ports.count(), ports.text(), then);
}

}  // namespace vta::hlsc::model
