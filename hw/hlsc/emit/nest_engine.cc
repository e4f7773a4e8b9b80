// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_engine.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/nest_counters.h"
#include "hw/hlsc/emit/nest_stalls.h"
#include "hw/hlsc/emit/nest_words.h"

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
        stalls_(pipeline_),
        words_(pipeline_) {}

  void emit() {
    declare_valid();
    stalls_.emit();
    count();
    // Older iterations first: they have priority at a port.
    for (uint32_t stage = pipeline_.stages(); stage-- > 0;) effects(stage);
    for (uint32_t stage = pipeline_.stages(); stage-- > 0;) clock_stage(stage);
    counters_.emit(rtl::net(entry_.name + "_go"));
    words_.emit(reads_happen_);
    leave();
  }

 private:
  Context& context(uint32_t stage) { return pipeline_.context(stage); }
  uint32_t interval() const { return pipeline_.nest().initiation_interval; }
  uint32_t gap_bits() const { return static_cast<uint32_t>(std::bit_width(interval() - 1)); }

  Expression gap() const { return rtl::net(entry_.name + "_gap", gap_bits()); }

  void declare_valid() {
    for (uint32_t stage = 1; stage < pipeline_.stages(); ++stage)
      m_.parts.add_flag(pipeline_.valid(stage).text());
    Expression issues = entry_.running &
                        rtl::equal(pipeline_.level(), level_number(pipeline_.nest().levels.size()));
    if (interval() > 1) {
      m_.parts.add_register(gap().text(), gap_bits());
      m_.parts.reset(gap(), rtl::literal(gap_bits(), 0));
      issues = issues & rtl::equal(gap(), rtl::literal(gap_bits(), 0));
    }
    context(0).add_wire(pipeline_.valid(0).text(), 1, issues);
  }

  Expression level_number(size_t level) const {
    return rtl::literal(pipeline_.level_bits(), level);
  }

  // The counters step with each iteration, and where a level has none.
  void count() {
    const Expression issue = both(pipeline_.valid(0), pipeline_.advances(0));
    const Expression level = pipeline_.level();
    const Expression skips = rtl::not_equal(level, level_number(pipeline_.nest().levels.size())) &
                             rtl::not_equal(level, level_number(0));
    context(0).add_wire(
        entry_.name + "_go", 1,
        entry_.running & rtl::parentheses(rtl::parentheses(issue) | rtl::parentheses(skips)));
  }

  // --- Effects of the stages ---

  void effects(uint32_t stage) {
    std::map<ObjectId, std::vector<ValueId>> writes;
    for (ValueId value : pipeline_.operations(stage)) {
      const Op& op = m_.op(value);
      if (op.opcode == Opcode::kRamWrite) writes[op.object].push_back(value);
      if (op.opcode == Opcode::kRamRead || ir::accesses_channel(op.opcode))
        effect(op, value, stage);
    }
    for (const auto& [ram, group] : writes) write(ram, group, stage);
  }

  void effect(const Op& op, ValueId value, uint32_t stage) {
    const Expression wants = pipeline_.wants(value, stage);
    Expression wanted = rtl::parentheses(wants);
    const bool always = op.opcode == Opcode::kRamRead && words_.may_read_always(value);
    const Expression happens = context(stage).add_wire(
        fmt::format("{}_{}_{}", m_.object_name(value), value, entry_.name), 1,
        both(always ? pipeline_.valid(stage) : wants, pipeline_.advances(stage)));
    if (op.opcode == Opcode::kRamRead) {
      reads_happen_[value] = happens;
      wanted = stalls_.request(wanted, stage);
    }
    access(m_, op, context(stage), wanted, happens);
  }

  void write(ObjectId ram, const std::vector<ValueId>& group, uint32_t stage) {
    Context& here = context(stage);
    const std::string suffix = fmt::format("{}_{}", entry_.name, stage);
    const std::string& name = m_.design.objects[ram].name;
    const JoinedWrite joined = join_writes(m_, here, group, suffix);
    const Expression wanted = here.add_wire(fmt::format("{}_wants_{}", name, suffix), 1,
                                            pipeline_.valid(stage) & rtl::parentheses(joined.any));
    const Expression happens = here.add_wire(fmt::format("{}_writes_{}", name, suffix), 1,
                                             both(wanted, pipeline_.advances(stage)));
    words_.write(ram, stage, happens, joined);
    m_.ports.write_ram(
        ram, {stalls_.request(wanted, stage), happens, joined.address, joined.lanes, joined.data});
  }

  // --- How iterations advance ---

  void clock_stage(uint32_t stage) {
    Context& here = context(stage);
    std::vector<rtl::Statement> writes = register_writes(m_, pipeline_.operations(stage), here);
    std::vector<rtl::Statement> pipes;
    for (const auto& [value, last] : m_.demands.pipes) {
      if (!pipeline_.computes(value) || pipeline_.available(value) > stage || last <= stage)
        continue;
      const Expression next = pipeline_.piped(value, stage + 1);
      pipes.push_back(rtl::nonblocking(next, here.variable(value)));
      m_.parts.add_register(next.text(), next.width());
    }
    keep_registered_words(stage, pipes);
    for (ValueId value : pipeline_.operations(stage)) {
      if (is_summed_later(value)) keep_partial_sums(value, here, pipes);
    }
    if (!writes.empty() || !pipes.empty()) move_values(stage, std::move(writes), std::move(pipes));
    if (stage + 1 < pipeline_.stages()) move_valid(stage);
    if (stage == 0 && interval() > 1) count_gap();
  }

  // The output registers of RAMs. Nothing else uses the RAM's word in this stage, so that synthesis
  // can move the register into the block RAM.
  void keep_registered_words(uint32_t stage, std::vector<rtl::Statement>& pipes) {
    for (ValueId value : pipeline_.order()) {
      if (!pipeline_.is_registered(value) || pipeline_.available(value) != stage + 1) continue;
      const Expression next = pipeline_.piped(value, stage + 1);
      pipes.push_back(rtl::nonblocking(next, pipeline_.word(value)));
      m_.parts.add_register(next.text(), next.width());
    }
  }

  // The partial sums of a packed sum are those of both of its sums.
  bool is_summed_later(ValueId value) const {
    const auto packed = m_.binding.packed_sums.find(value);
    return pipeline_.is_split(value) &&
           (packed == m_.binding.packed_sums.end() || packed->second.low == value);
  }
  void keep_partial_sums(ValueId sum, Context& here, std::vector<rtl::Statement>& pipes) {
    const std::vector<Expression> registers = pipeline_.partial_sums(sum);
    const std::vector<Expression> sums = here.partial_sums(sum);
    for (size_t i = 0; i < registers.size(); ++i) {
      pipes.push_back(rtl::nonblocking(registers[i], sums[i]));
      m_.parts.add_register(registers[i].text(), registers[i].width());
    }
  }

  // Simulators skip a stage without an iteration. In hardware its piped values do not matter, and
  // without `valid` their registers have fewer enables, or none.
  void move_values(uint32_t stage, std::vector<rtl::Statement> writes,
                   std::vector<rtl::Statement> pipes) {
    const Expression valid = pipeline_.valid(stage);
    Expression condition = pipeline_.advances(stage);
    if (m_.for_simulation || pipes.empty()) {
      condition = both(valid, condition);
    } else if (!writes.empty()) {
      rtl::Statement guarded = clocked_block(valid, "", {}, std::move(writes));
      pipes.push_back(std::move(guarded));
      writes.clear();
    }
    writes.insert(writes.end(), std::make_move_iterator(pipes.begin()),
                  std::make_move_iterator(pipes.end()));
    m_.parts.clock(clocked_block(condition, fmt::format("{}_stage{}", entry_.name, stage),
                                 context(stage).variables(), std::move(writes)));
  }

  void move_valid(uint32_t stage) {
    const Expression next = pipeline_.advances(stage + 1), valid = pipeline_.valid(stage + 1);
    const Expression enters = both(pipeline_.valid(stage), pipeline_.advances(stage));
    m_.parts.clock(
        valid, next.empty() ? enters : rtl::parentheses(enters) | rtl::parentheses(valid & ~next));
  }

  // Counts only cycles in which the first stage can advance: the distance of iterations is never
  // less than the interval.
  void count_gap() {
    const Expression advances = or_true(pipeline_.advances(0));
    const rtl::Statement start = rtl::nonblocking(gap(), rtl::literal(gap_bits(), interval() - 1));
    const rtl::Statement count = rtl::nonblocking(gap(), gap() - rtl::literal(gap_bits(), 1));
    const Expression counts = rtl::not_equal(gap(), rtl::literal(gap_bits(), 0)) & advances;
    m_.parts.clock(rtl::if_else(pipeline_.valid(0) & advances, start, rtl::if_then(counts, count)));
  }

  void leave() {
    Expression busy = rtl::not_equal(pipeline_.level(), level_number(0));
    for (uint32_t stage = 1; stage < pipeline_.stages(); ++stage) {
      Expression there = pipeline_.valid(stage);
      if (stage + 1 == pipeline_.stages()) {
        const Expression advance = pipeline_.advances(stage);
        if (advance.empty()) continue;  // it is done at the end of this cycle
        there = there & ~advance;
      }
      busy = busy | rtl::parentheses(there);
    }
    context(0).add_wire(entry_.leave.text(), 1, entry_.running & ~rtl::parentheses(busy));
  }

  ModuleState& m_;
  const NestEntry& entry_;
  NestCounters counters_;
  NestPipeline pipeline_;
  NestStalls stalls_;
  NestWords words_;
  std::map<ValueId, Expression> reads_happen_;
};

}  // namespace

void emit_nest(ModuleState& state, const NestEntry& entry) { NestEngine(state, entry).emit(); }

}  // namespace vta::hlsc::emit
