// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_engine.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/nest_counters.h"
#include "hw/hlsc/emit/nest_holds.h"
#include "hw/hlsc/emit/nest_words.h"
#include "hw/hlsc/emit/packed_sums.h"

namespace vta::hlsc::emit {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class NestEngine {
 public:
  NestEngine(ModuleState& state, const NestEntry& entry)
      : m_(state),
        entry_(entry),
        counters_(state, entry),
        pipeline_(state, entry),
        holds_(pipeline_),
        words_(pipeline_) {}

  void emit() {
    declare_valid();
    if (m_.for_simulation) {
      for (uint32_t stage = 0; stage < pipeline_.stages(); ++stage)
        context(stage).inline_products();
    }
    holds_.emit();
    count();
    // Older iterations first: where several want a port, it is theirs.
    for (uint32_t stage = pipeline_.stages(); stage-- > 0;) effects(stage);
    for (uint32_t stage = pipeline_.stages(); stage-- > 0;) clock_stage(stage);
    counters_.emit(entry_.name + "_go");
    words_.emit(reads_happen_);
    leave();
  }

 private:
  Context& context(uint32_t stage) { return pipeline_.context(stage); }
  uint32_t interval() const { return pipeline_.nest().initiation_interval; }
  uint32_t gap_bits() const { return static_cast<uint32_t>(std::bit_width(interval() - 1)); }

  void declare_valid() {
    for (uint32_t stage = 1; stage < pipeline_.stages(); ++stage) {
      m_.text.registers += fmt::format("  reg {};\n", pipeline_.valid(stage));
      m_.text.resets += fmt::format("      {} <= 1'b0;\n", pipeline_.valid(stage));
    }
    std::string issues = fmt::format("{} & {} == {}'d{}", entry_.running, pipeline_.level(),
                                     pipeline_.level_bits(), pipeline_.nest().levels.size());
    if (interval() > 1) {
      m_.text.registers += fmt::format("  reg {}{}_gap;\n", range(gap_bits()), entry_.name);
      m_.text.resets += fmt::format("      {}_gap <= {}'d0;\n", entry_.name, gap_bits());
      issues += fmt::format(" & {}_gap == {}'d0", entry_.name, gap_bits());
    }
    m_.text.wires += fmt::format("  wire {} = {};\n", pipeline_.valid(0), issues);
  }

  // The counters move on with each iteration, and where a level has no turn.
  void count() {
    const std::string issue = both(pipeline_.valid(0), pipeline_.advances(0));
    context(0).add_wire(
        entry_.name + "_go", 1,
        fmt::format("{0} & (({1}) | ({2} != {3}'d{4} & {2} != {3}'d0))", entry_.running, issue,
                    pipeline_.level(), pipeline_.level_bits(), pipeline_.nest().levels.size()));
  }

  // --- What stages do ---

  void effects(uint32_t stage) {
    std::map<ObjectId, std::vector<ValueId>> writes;
    for (ValueId value : pipeline_.operations(stage)) {
      const Op& op = m_.op(value);
      if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
      if (ir::is_pure(op.opcode) || op.opcode == Opcode::kRamWrite ||
          op.opcode == Opcode::kRegisterRead || op.opcode == Opcode::kRegisterWrite ||
          op.opcode == Opcode::kInputRead)
        continue;
      effect(op, value, stage);
    }
    for (const auto& [ram, group] : writes) write(ram, group, stage);
  }

  void effect(const Op& op, ValueId value, uint32_t stage) {
    const std::string wants = pipeline_.wants(value, stage);
    std::string wanted = "(" + wants + ")";
    const std::string happens =
        context(stage).add_wire(fmt::format("{}_{}_{}", m_.object_name(value), value, entry_.name),
                                1, both(wants, pipeline_.advances(stage)));
    if (op.opcode == Opcode::kRamRead) {
      reads_happen_[value] = happens;
      wanted = holds_.asks(wanted, stage);
    }
    access(m_, op, context(stage), wanted, happens);
  }

  void write(ObjectId ram, const std::vector<ValueId>& group, uint32_t stage) {
    Context& here = context(stage);
    const std::string suffix = fmt::format("{}_{}", entry_.name, stage);
    const std::string& name = m_.design.objects[ram].name;
    const JoinedWrite joined = join_writes(m_, here, group, suffix);
    const std::string wanted =
        here.add_wire(fmt::format("{}_wants_{}", name, suffix), 1,
                      fmt::format("{} & ({})", pipeline_.valid(stage), joined.any));
    const std::string happens = here.add_wire(fmt::format("{}_writes_{}", name, suffix), 1,
                                              both(wanted, pipeline_.advances(stage)));
    words_.write(ram, stage, happens, joined);
    m_.ports.write_ram(
        ram, {holds_.asks(wanted, stage), happens, joined.address, joined.lanes, joined.data});
  }

  // --- How iterations move ---

  void clock_stage(uint32_t stage) {
    Context& here = context(stage);
    std::string actions = register_writes(m_, pipeline_.operations(stage), here);
    for (const auto& [value, last] : m_.demands.pipes) {
      if (!pipeline_.computes(value) || pipeline_.available(value) > stage || last <= stage)
        continue;
      const std::string next = pipeline_.piped(value, stage + 1);
      actions += fmt::format("      {} <= {};\n", next, here.variable(value));
      m_.text.registers += fmt::format("  reg {}{};\n", range(piped_bits(value)), next);
    }
    if (!actions.empty()) {
      m_.text.clocked +=
          fmt::format("    if ({}) begin : {}_stage{}\n{}{}{}    end\n",
                      both(pipeline_.valid(stage), pipeline_.advances(stage)), entry_.name, stage,
                      here.variables().declarations, here.variables().assignments, actions);
    }
    if (stage + 1 < pipeline_.stages()) move_valid(stage);
    if (stage == 0 && interval() > 1) count_gap();
  }

  uint32_t piped_bits(ValueId value) const {
    const bool product = m_.op(value).opcode == Opcode::kMul;
    return product && m_.binding.packed_sums.contains(value) ? kPackedProductBits
                                                             : m_.op(value).width;
  }

  void move_valid(uint32_t stage) {
    const std::string next = pipeline_.advances(stage + 1);
    std::string value = both(pipeline_.valid(stage), pipeline_.advances(stage));
    if (!next.empty())
      value = fmt::format("({}) | ({} & ~{})", value, pipeline_.valid(stage + 1), next);
    m_.text.clocked += fmt::format("    {} <= {};\n", pipeline_.valid(stage + 1), value);
  }

  // Counts only cycles in which the first stage can move: the distance of iterations never shrinks.
  void count_gap() {
    m_.text.clocked += fmt::format(
        "    if ({0} & {1}) {2}_gap <= {3}'d{4};\n    else if ({2}_gap != {3}'d0 & {1}) {2}_gap <= "
        "{2}_gap - {3}'d1;\n",
        pipeline_.valid(0), or_true(pipeline_.advances(0)), entry_.name, gap_bits(),
        interval() - 1);
  }

  void leave() {
    std::string busy = fmt::format("{} != {}'d0", pipeline_.level(), pipeline_.level_bits());
    for (uint32_t stage = 1; stage < pipeline_.stages(); ++stage) {
      std::string there = pipeline_.valid(stage);
      if (stage + 1 == pipeline_.stages()) {
        const std::string advance = pipeline_.advances(stage);
        if (advance.empty()) continue;  // it is through with this cycle
        there += " & ~" + advance;
      }
      busy += fmt::format(" | ({})", there);
    }
    context(0).add_wire(entry_.leave, 1, fmt::format("{} & ~({})", entry_.running, busy));
  }

  ModuleState& m_;
  const NestEntry& entry_;
  NestCounters counters_;
  NestPipeline pipeline_;
  NestHolds holds_;
  NestWords words_;
  std::map<ValueId, std::string> reads_happen_;
};

}  // namespace

void emit_nest(ModuleState& state, const NestEntry& entry) { NestEngine(state, entry).emit(); }

}  // namespace vta::hlsc::emit
