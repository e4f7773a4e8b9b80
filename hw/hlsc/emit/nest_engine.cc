// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/nest_counters.h"
#include "hw/hlsc/transform/nest.h"

namespace vta::hlsc::emit {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// A write of a RAM, for what reads it in younger iterations.
struct PendingWrite {
  uint32_t stage;
  ValueId index;
  std::vector<ValueId> predicates;
};

class NestEngine {
 public:
  NestEngine(ModuleState& state, const NestEntry& entry)
      : m_(state),
        entry_(entry),
        nest_(state.schedule.nests.at(entry.loop)),
        counters_(state, entry) {
    const ir::Loop& inner = *nest_.levels.back();
    for (const ir::Item& item : inner.body) {
      const ValueId value = std::get<ValueId>(item);
      body_[value] = m_.schedule.step[value];
      order_.push_back(value);
    }
    for (const ir::Loop* level : nest_.levels) {
      for (const ir::LoopPhi& phi : level->phis) counted_.insert(phi.phi);
      add_counted(level->head);
      if (level != &inner) add_counted(level->body);
    }
  }

  void emit() {
    declare_valid();
    name_words();
    for (uint32_t stage = 0; stage < nest_.stages; ++stage) {
      stages_.emplace_back(m_.process, m_.text, fmt::format("{}_{}", entry_.name, stage),
                           [this, stage](ValueId value) { return source(value, stage); });
    }
    for (uint32_t stage = 0; stage < nest_.stages; ++stage) {
      context(stage).set_pairs(pair_products(m_.process, operations(stage)));
      if (m_.for_simulation) context(stage).inline_products();
    }
    collect_pending();
    for (uint32_t stage = nest_.stages; stage-- > 0;) holds(stage);
    const std::string issue = both(valid(0), advances(0));
    context(0).add_wire(
        entry_.name + "_go", 1,
        fmt::format("{} & ({} | ({} != {}'d{} & {} != {}'d0))", entry_.running, "(" + issue + ")",
                    level(), level_bits(), nest_.levels.size(), level(), level_bits()));
    // Older iterations first: where several want a port, it is theirs.
    for (uint32_t stage = nest_.stages; stage-- > 0;) effects(stage);
    counters_.emit(entry_.name + "_go");
    for (uint32_t stage = 0; stage < nest_.stages; ++stage) clock_stage(stage);
    forward_words();
    leave();
  }

 private:
  void add_counted(const ir::Sequence& items) {
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) counted_.insert(*value);
    }
  }

  Context& context(uint32_t stage) { return stages_[stage]; }
  std::string level() const { return entry_.name + "_level"; }
  uint32_t level_bits() const { return static_cast<uint32_t>(std::bit_width(nest_.levels.size())); }
  std::string valid(uint32_t stage) const { return fmt::format("{}_v{}", entry_.name, stage); }
  std::string piped(ValueId value, uint32_t stage) const {
    return fmt::format("{}_p{}", value_name(m_.process, value), stage);
  }

  // --- Where values are ---

  bool in_nest(ValueId value) const { return body_.contains(value) || counted_.contains(value); }

  // The first stage in which a value can be used.
  uint32_t available(ValueId value) const {
    const auto found = body_.find(value);
    if (found == body_.end()) return 0;
    return found->second + (m_.op(value).opcode == Opcode::kRamRead ? 1 : 0);
  }

  std::string source(ValueId value, uint32_t stage) {
    if (!in_nest(value)) return m_.outside_value(value);
    const Op& op = m_.op(value);
    if (op.opcode == Opcode::kInputRead) return m_.object_name(value);
    if (op.opcode == Opcode::kLate) return "";
    const uint32_t from = available(value);
    if (stage == from) {
      if (op.opcode == Opcode::kPhi) return m_.phi_register(value);
      if (op.opcode == Opcode::kRegisterRead) return m_.object_name(value);
      if (op.opcode == Opcode::kRamRead) return words_.at(value);
      return ir::is_pure(op.opcode) ? "" : m_.ports.item(op);
    }
    // An extension is made where it is used.
    if (op.opcode == Opcode::kZext || op.opcode == Opcode::kSext) return "";
    m_.demands.pipe(value, stage);
    return piped(value, stage);
  }

  // --- Stages ---

  void declare_valid() {
    for (uint32_t stage = 1; stage < nest_.stages; ++stage) {
      m_.text.registers += fmt::format("  reg {};\n", valid(stage));
      m_.text.resets += fmt::format("      {} <= 1'b0;\n", valid(stage));
    }
    std::string issues = fmt::format("{} & {} == {}'d{}", entry_.running, level(), level_bits(),
                                     nest_.levels.size());
    if (nest_.initiation_interval > 1) {
      const uint32_t bits = static_cast<uint32_t>(std::bit_width(nest_.initiation_interval - 1));
      m_.text.registers += fmt::format("  reg {}{}_gap;\n", range(bits), entry_.name);
      m_.text.resets += fmt::format("      {}_gap <= {}'d0;\n", entry_.name, bits);
      issues += fmt::format(" & {}_gap == {}'d0", entry_.name, bits);
    }
    m_.text.wires += fmt::format("  wire {} = {};\n", valid(0), issues);
  }

  // "" if the stage never has to wait.
  std::string advances(uint32_t stage) const {
    for (uint32_t holding = stage; holding < nest_.stages; ++holding) {
      if (hold_.contains(holding)) return fmt::format("{}_adv{}", entry_.name, holding);
    }
    return "";
  }

  std::vector<ValueId> operations(uint32_t stage) const {
    std::vector<ValueId> result;
    for (ValueId value : order_) {
      if (body_.at(value) == stage) result.push_back(value);
    }
    return result;
  }

  std::string wants(ValueId value, uint32_t stage) {
    return both(valid(stage), m_.predicate(context(stage), m_.op(value).operands[0]));
  }

  // A RAM's port is asked for only while neither this stage nor a later one waits for a stream:
  // meanwhile other processes can have it. Grants are left out, lest they depend on each other.
  std::string asks(const std::string& wanted, uint32_t stage) const {
    std::string text = wanted;
    for (const auto& [waiting, reasons] : stream_waits_) {
      if (waiting >= stage) text += fmt::format(" & ~{}_waits{}", entry_.name, waiting);
    }
    return "(" + text + ")";
  }

  // Why a stage may have to wait; operations behind it have been through this.
  void holds(uint32_t stage) {
    std::vector<std::string> reasons;
    for (ValueId value : operations(stage)) {
      const Op& op = m_.op(value);
      const auto because = [&](const std::string& reason, bool outside = true) {
        reasons.push_back(fmt::format("({} & {})", wants(value, stage), reason));
        if (outside) m_.ports.wait(op, reasons.back() + none_ahead(stage));
      };
      if (op.opcode == Opcode::kRamRead) {
        if (m_.rams.at(op.object).read_waits(m_.process_index))
          because("~" + m_.object_name(value) + "_rgnt");
        if (const std::string older = older_reads(op.object, stage); !older.empty())
          because(older, false);
        if (const std::string pending = pending_writes(op, stage); !pending.empty())
          because(pending);
      } else if (op.opcode == Opcode::kRamWrite) {
        if (m_.rams.at(op.object).write_waits(m_.process_index))
          because("~" + m_.object_name(value) + "_wgnt");
      } else if (ir::may_wait(op.opcode) && op.opcode != Opcode::kHalt) {
        because("~(" + m_.ports.ready(op) + ")");
        std::string& waits = stream_waits_[stage];
        waits += (waits.empty() ? "" : " | ") + reasons.back();
      }
    }
    if (reasons.empty()) return;
    if (stream_waits_.contains(stage)) {
      context(stage).add_wire(fmt::format("{}_waits{}", entry_.name, stage), 1,
                              stream_waits_[stage]);
    }
    std::string all;
    for (const std::string& reason : reasons) all += (all.empty() ? "" : " | ") + reason;
    const std::string deeper = advances(stage + 1);
    hold_.insert(stage);
    context(stage).add_wire(fmt::format("{}_adv{}", entry_.name, stage), 1,
                            both(deeper, fmt::format("~({})", all)));
  }

  // No older iteration is under way: if the stage has to wait, the whole process does.
  std::string none_ahead(uint32_t stage) const {
    std::string text;
    for (uint32_t ahead = stage + 1; ahead < nest_.stages; ++ahead) text += " & ~" + valid(ahead);
    return text;
  }

  // Reads of the same RAM in later stages, which belong to older iterations and come first.
  std::string older_reads(ObjectId ram, uint32_t stage) {
    std::string all;
    for (ValueId value : order_) {
      const Op& op = m_.op(value);
      if (op.opcode != Opcode::kRamRead || op.object != ram || body_.at(value) <= stage) continue;
      all += fmt::format("{}({})", all.empty() ? "" : " | ", wants(value, body_.at(value)));
    }
    return all.empty() ? "" : "(" + all + ")";
  }

  void collect_pending() {
    for (ValueId value : order_) {
      const Op& op = m_.op(value);
      if (op.opcode != Opcode::kRamWrite) continue;
      std::vector<PendingWrite>& writes = pending_[op.object];
      const auto same = std::find_if(writes.begin(), writes.end(), [&](const PendingWrite& write) {
        return write.stage == body_.at(value) && write.index == op.operands[1];
      });
      PendingWrite& write =
          same == writes.end()
              ? writes.emplace_back(PendingWrite{body_.at(value), op.operands[1], {}})
              : *same;
      if (std::find(write.predicates.begin(), write.predicates.end(), op.operands[0]) ==
          write.predicates.end())
        write.predicates.push_back(op.operands[0]);
    }
  }

  // Older iterations that have yet to write the word.
  std::string pending_writes(const Op& read, uint32_t stage) {
    std::string all;
    for (const PendingWrite& write : pending_[read.object]) {
      for (uint32_t at = stage + 1; at < write.stage; ++at) {
        all += fmt::format(
            "{}({})", all.empty() ? "" : " | ",
            both(both(valid(at), will_write(write, at)), same_word(read, stage, write, at)));
      }
    }
    return all.empty() ? "" : "(" + all + ")";
  }
  // What is not known yet is taken as true.
  std::string will_write(const PendingWrite& write, uint32_t at) {
    std::string any;
    for (ValueId predicate : write.predicates) {
      if (available(predicate) > at) return "";
      const std::string text = m_.predicate(context(at), predicate);
      if (text.empty()) return "";
      any += (any.empty() ? "" : " | ") + text;
    }
    return "(" + any + ")";
  }
  std::string same_word(const Op& read, uint32_t stage, const PendingWrite& write, uint32_t at) {
    if (available(write.index) > at) return "";
    Op other = read;
    other.operands[1] = write.index;
    return fmt::format("({} == {})", ram_address(m_, read, context(stage)),
                       ram_address(m_, other, context(at)));
  }

  // --- What stages do ---

  void effects(uint32_t stage) {
    std::map<ObjectId, std::vector<ValueId>> writes;
    for (ValueId value : operations(stage)) {
      const Op& op = m_.op(value);
      if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
      if (ir::is_pure(op.opcode) || op.opcode == Opcode::kRamWrite ||
          op.opcode == Opcode::kRegisterRead || op.opcode == Opcode::kRegisterWrite ||
          op.opcode == Opcode::kInputRead)
        continue;
      const std::string wanted = "(" + wants(value, stage) + ")";
      const std::string happens = context(stage).add_wire(
          fmt::format("{}_{}_{}", m_.object_name(value), value, entry_.name), 1,
          both(wants(value, stage), advances(stage)));
      effect(op, value, stage, wanted, happens);
    }
    for (const auto& [ram, group] : writes) write(ram, group, stage);
  }

  void effect(const Op& op, ValueId value, uint32_t stage, const std::string& wanted,
              const std::string& happens) {
    Context& here = context(stage);
    switch (op.opcode) {
      case Opcode::kRamRead:
        reads_happen_[value] = happens;
        return m_.ports.read_ram(op.object,
                                 {asks(wanted, stage), happens, ram_address(m_, op, here), "", ""});
      case Opcode::kStreamRead:
        return m_.ports.pop(op.object, happens);
      case Opcode::kReadBeat:
        return m_.ports.pop_beat(op.object, happens);
      case Opcode::kStreamWrite: {
        const std::string data = op.operands.size() > 1 ? here.wire(op.operands[1]) : "";
        return m_.ports.push(op.object, {wanted, happens, "", "", data});
      }
      case Opcode::kWriteBeat:
        return m_.ports.push_beat(op.object, {wanted, happens, "", "", here.wire(op.operands[1])});
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
        return m_.ports.push_request(op.object,
                                     {wanted, happens, "", "", request_item(m_, op, here)});
      default:
        return;
    }
  }

  void write(ObjectId ram, const std::vector<ValueId>& group, uint32_t stage) {
    Context& here = context(stage);
    const std::string suffix = fmt::format("{}_{}", entry_.name, stage);
    const std::string& name = m_.design.objects[ram].name;
    const JoinedWrite joined = join_writes(m_, here, group, suffix);
    std::string any, place;
    std::set<std::string> predicates;
    for (size_t i = group.size(); i-- > 0;) {
      const Op& op = m_.op(group[i]);
      const std::string predicate = or_true(m_.predicate(here, op.operands[0]));
      if (predicates.insert(predicate).second)
        any = any.empty() ? predicate : predicate + " | " + any;
      const std::string index = ram_address(m_, op, here);
      place = place.empty() || place == index
                  ? index
                  : fmt::format("{} ? {} : {}", predicate, index, place);
    }
    place = here.add_wire(fmt::format("{}_at_{}", name, suffix),
                          address_bits(m_.design.objects[ram]), place);
    const std::string wanted = here.add_wire(fmt::format("{}_wants_{}", name, suffix), 1,
                                             fmt::format("{} & ({})", valid(stage), any));
    const std::string happens =
        here.add_wire(fmt::format("{}_writes_{}", name, suffix), 1, both(wanted, advances(stage)));
    m_.ports.write_ram(ram, {asks(wanted, stage), happens, place, joined.lanes, joined.data});
  }

  void clock_stage(uint32_t stage) {
    Context& here = context(stage);
    std::string actions;
    for (ValueId value : operations(stage)) {
      const Op& op = m_.op(value);
      if (op.opcode != Opcode::kRegisterWrite) continue;
      const bool always = ir::is_constant(m_.process, op.operands[0], 1);
      actions += fmt::format("      {}{} <= {};\n",
                             always ? "" : fmt::format("if ({}) ", here.variable(op.operands[0])),
                             m_.object_name(value), here.variable(op.operands[1]));
    }
    for (const auto& [value, last] : m_.demands.pipes) {
      if (!in_nest(value) || available(value) > stage || last <= stage) continue;
      actions += fmt::format("      {} <= {};\n", piped(value, stage + 1), here.variable(value));
      m_.text.registers +=
          fmt::format("  reg {}{};\n", range(m_.op(value).width), piped(value, stage + 1));
    }
    const std::string advance = advances(stage);
    if (!actions.empty()) {
      m_.text.clocked += fmt::format("    if ({}) begin : {}_stage{}\n{}{}{}    end\n",
                                     both(valid(stage), advance), entry_.name, stage,
                                     here.declarations(), here.assignments(), actions);
    }
    if (stage + 1 < nest_.stages) move_valid(stage);
    if (stage == 0 && nest_.initiation_interval > 1) count_gap();
  }

  void move_valid(uint32_t stage) {
    const std::string advance = advances(stage), next = advances(stage + 1);
    std::string value = both(valid(stage), advance);
    if (!next.empty()) value = fmt::format("({}) | ({} & ~{})", value, valid(stage + 1), next);
    m_.text.clocked += fmt::format("    {} <= {};\n", valid(stage + 1), value);
  }

  // Counts only cycles in which the first stage can move: the distance of iterations never shrinks.
  void count_gap() {
    const uint32_t bits = static_cast<uint32_t>(std::bit_width(nest_.initiation_interval - 1));
    const std::string advance = or_true(advances(0));
    m_.text.clocked += fmt::format(
        "    if ({0} & {1}) {2}_gap <= {3}'d{4};\n    else if ({2}_gap != {3}'d0 & {1}) {2}_gap <= "
        "{2}_gap - {3}'d1;\n",
        valid(0), advance, entry_.name, bits, nest_.initiation_interval - 1);
  }

  // --- Words read ---

  bool needs_keeping(ValueId read) const {
    const Op& op = m_.op(read);
    const auto reads = std::count_if(order_.begin(), order_.end(), [&](ValueId value) {
      return m_.op(value).opcode == Opcode::kRamRead && m_.op(value).object == op.object;
    });
    return reads > 1 || m_.rams.at(op.object).read_is_shared(m_.process_index);
  }
  // Whether an older iteration's write can meet the read.
  bool meets_writes(ValueId read) const {
    return std::any_of(order_.begin(), order_.end(), [&](ValueId value) {
      return m_.op(value).opcode == Opcode::kRamWrite &&
             m_.op(value).object == m_.op(read).object && body_.at(value) > body_.at(read);
    });
  }

  void name_words() {
    for (ValueId value : order_) {
      if (m_.op(value).opcode != Opcode::kRamRead) continue;
      const std::string& ram = m_.object_name(value);
      const std::string site = fmt::format("{}_{}", ram, value);
      words_[value] = needs_keeping(value) ? site + "_q" : ram + "_rq";
      if (meets_writes(value)) words_[value] = site + "_word";
    }
  }

  void forward_words() {
    for (const auto& [value, happens] : reads_happen_) {
      const ir::Object& ram = m_.design.objects[m_.op(value).object];
      const std::string site = fmt::format("{}_{}", ram.name, value);
      if (needs_keeping(value)) keep_word(m_, ram, site, happens);
      if (meets_writes(value))
        forward(ram, site, happens, needs_keeping(value) ? site + "_q" : ram.name + "_rq");
    }
  }

  void forward(const ir::Object& ram, const std::string& site, const std::string& happens,
               const std::string& read) {
    const uint32_t lanes = ram.width / ram.lane_width;
    m_.text.registers += fmt::format("  reg {}{}_met;\n  reg {}{}_new;\n", range(lanes), site,
                                     range(ram.width), site);
    std::string word;
    for (uint32_t lane = lanes; lane-- > 0;) {
      const std::string bits =
          lanes == 1 ? ""
          : ram.lane_width == 1
              ? fmt::format("[{}]", lane)
              : fmt::format("[{}:{}]", (lane + 1) * ram.lane_width - 1, lane * ram.lane_width);
      const std::string met = lanes == 1 ? site + "_met" : fmt::format("{}_met[{}]", site, lane);
      word +=
          fmt::format("{} ? {}_new{} : {}{}{}", met, site, bits, read, bits, lane == 0 ? "" : ", ");
    }
    m_.text.registers += fmt::format("  wire {}{}_word = {{{}}};\n", range(ram.width), site, word);
    const std::string same = fmt::format("({0}_wa == {0}_ra)", ram.name);
    const std::string mask = lanes == 1 ? same : fmt::format("{{{}{{{}}}}}", lanes, same);
    m_.text.clocked += fmt::format(
        "    if ({0}) {1}_met <= {2}_we & {3};\n    if ({0} & (|{2}_we)) {1}_new <= {2}_wd;\n",
        happens, site, ram.name, mask);
  }

  void leave() {
    std::string busy = fmt::format("{} != {}'d0", level(), level_bits());
    for (uint32_t stage = 1; stage < nest_.stages; ++stage) {
      std::string there = valid(stage);
      if (stage + 1 == nest_.stages) {
        const std::string advance = advances(stage);
        if (advance.empty()) continue;  // it is through with this cycle
        there += " & ~" + advance;
      }
      busy += fmt::format(" | ({})", there);
    }
    context(0).add_wire(entry_.leave, 1, fmt::format("{} & ~({})", entry_.running, busy));
  }

  ModuleState& m_;
  const NestEntry& entry_;
  const schedule::Nest& nest_;
  NestCounters counters_;
  std::map<ValueId, uint32_t> body_;  // stages
  std::vector<ValueId> order_;
  std::set<ValueId> counted_;
  std::vector<Context> stages_;
  std::set<uint32_t> hold_;
  std::map<uint32_t, std::string> stream_waits_;  // by stage
  std::map<ObjectId, std::vector<PendingWrite>> pending_;
  std::map<ValueId, std::string> reads_happen_, words_;
};

}  // namespace

void emit_nest(ModuleState& state, const NestEntry& entry) { NestEngine(state, entry).emit(); }

}  // namespace vta::hlsc::emit
