// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_stalls.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/bind/ram_hazards.h"
#include "hw/hlsc/emit/effects.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

NestStalls::NestStalls(NestPipeline& pipeline) : pipeline_(pipeline), state_(pipeline.state()) {
  for (ValueId value : pipeline_.order()) {
    if (state_.op(value).opcode == Opcode::kRamWrite) add_pending(value);
  }
}

void NestStalls::add_pending(ValueId value) {
  const Op& op = state_.op(value);
  std::vector<PendingWrite>& writes = pending_[op.object];
  const uint32_t stage = pipeline_.stage(value);
  const auto same = std::find_if(writes.begin(), writes.end(), [&](const PendingWrite& write) {
    return pipeline_.stage(write.write) == stage && write.index == op.operands[1];
  });
  PendingWrite& write =
      same == writes.end() ? writes.emplace_back(PendingWrite{value, op.operands[1], {}}) : *same;
  if (std::find(write.predicates.begin(), write.predicates.end(), op.operands[0]) ==
      write.predicates.end())
    write.predicates.push_back(op.operands[0]);
}

void NestStalls::emit() {
  for (uint32_t stage = pipeline_.stages(); stage-- > 0;) add_stage(stage);
}

Expression NestStalls::waits(uint32_t stage) const {
  return rtl::net(fmt::format("{}_waits{}", pipeline_.entry().name, stage));
}

Expression NestStalls::request(const Expression& wanted, uint32_t stage) const {
  Expression requested = wanted;
  for (uint32_t waiting : stream_waits_) {
    if (waiting >= stage) requested = both(requested, ~waits(waiting));
  }
  return rtl::parentheses(requested);
}

void NestStalls::add_stage(uint32_t stage) {
  Reasons reasons;
  for (ValueId value : pipeline_.operations(stage)) add_reasons(value, stage, reasons);
  for (ValueId value : pipeline_.order()) {
    if (pipeline_.is_late(value) && pipeline_.stage(value) + 1 == stage)
      add_write_reason(value, stage, reasons);
  }
  if (reasons.all.empty()) return;
  if (!reasons.streams.empty()) {
    pipeline_.context(stage).add_wire(waits(stage).text(), 1, any(reasons.streams));
    stream_waits_.insert(stream_waits_.begin(), stage);
  }
  pipeline_.add_stall(stage, condition(stage, ~rtl::parentheses(any(reasons.all))));
}

// Each stage waits for itself, by `moves`, and for all later ones: by the condition of the next
// one, or, with shorter paths, by one gate of what each of them waits for.
Expression NestStalls::condition(uint32_t stage, const Expression& moves) {
  if (!pipeline_.nest().short_paths) return both(pipeline_.advances(stage + 1), moves);
  const Expression own = pipeline_.context(stage).add_wire(
      fmt::format("{}_moves{}", pipeline_.entry().name, stage), 1, moves);
  later_move_ = both(own, later_move_);
  return later_move_;
}

void NestStalls::add_reason(const Expression& reason, ValueId value, uint32_t stage,
                            Reasons& reasons, bool outside) {
  reasons.all.push_back(rtl::parentheses(pipeline_.wants(value, stage) & reason));
  if (outside) state_.ports.wait(state_.op(value), stalls_process(reasons.all.back(), stage));
}

void NestStalls::add_write_reason(ValueId read, uint32_t stage, Reasons& reasons) {
  const Expression pending = pending_writes(read);
  if (!pending.empty()) add_reason(pending, read, stage, reasons);
}

void NestStalls::add_reasons(ValueId value, uint32_t stage, Reasons& reasons) {
  const Op& op = state_.op(value);
  if (op.opcode == Opcode::kRamRead) {
    if (state_.rams.at(op.object).may_wait(state_.process_index, op.opcode))
      add_reason(~rtl::net(state_.object_name(value) + "_rgnt"), value, stage, reasons);
    if (const Expression older = older_reads(value); !older.empty())
      add_reason(older, value, stage, reasons, false);
    if (!pipeline_.is_late(value)) add_write_reason(value, stage, reasons);
  } else if (op.opcode == Opcode::kRamWrite) {
    if (state_.rams.at(op.object).may_wait(state_.process_index, op.opcode))
      add_reason(~rtl::net(state_.object_name(value) + "_wgnt"), value, stage, reasons);
  } else if (ir::accesses_channel(op.opcode)) {
    add_reason(~rtl::parentheses(state_.ports.ready(op)), value, stage, reasons);
    reasons.streams.push_back(reasons.all.back());
  }
}

// The reason, and no older iteration is in flight: then the whole process stalls.
Expression NestStalls::stalls_process(const Expression& reason, uint32_t stage) const {
  Expression stalls = reason;
  for (uint32_t ahead = stage + 1; ahead < pipeline_.stages(); ++ahead)
    stalls = stalls & ~pipeline_.valid(ahead);
  return stalls;
}

Expression NestStalls::older_reads(ValueId read) {
  std::vector<Expression> reads;
  for (ValueId value : pipeline_.order()) {
    const Op& op = state_.op(value);
    if (op.opcode == Opcode::kRamRead && op.object == state_.op(read).object &&
        bind::waits_for_read(pipeline_, read, value))
      reads.push_back(rtl::parentheses(pipeline_.wants(value, pipeline_.stage(value))));
  }
  return enclosed(any(reads));
}

// Older iterations that have not written the word yet.
Expression NestStalls::pending_writes(ValueId read) {
  std::vector<Expression> all;
  for (const PendingWrite& write : pending_[state_.op(read).object]) {
    const bind::StageRange stages = bind::pending_stages(pipeline_, read, write.write);
    for (uint32_t at = stages.first; at < stages.end; ++at) {
      const Expression coming = both(pipeline_.valid(at), will_write(write, at));
      all.push_back(rtl::parentheses(both(coming, same_word(read, write, at))));
    }
  }
  return enclosed(any(all));
}

// A predicate that is not computed yet counts as true.
Expression NestStalls::will_write(const PendingWrite& write, uint32_t at) {
  std::vector<Expression> terms;
  for (ValueId predicate : write.predicates) {
    if (pipeline_.available(predicate) > at) return {};
    terms.push_back(state_.predicate(pipeline_.context(at), predicate));
    if (terms.back().empty()) return {};
  }
  return enclosed(any(terms));
}

// Whether the indices are equal; absent, which counts as true, if the write's is not computed yet.
Expression NestStalls::same_word(ValueId read, const PendingWrite& write, uint32_t at) {
  if (pipeline_.available(write.index) > at) return {};
  const Op& op = state_.op(read);
  Op other = op;
  other.operands[1] = write.index;
  const Expression index = ram_address(state_, op, pipeline_.context(pipeline_.word_stage(read)));
  return rtl::parentheses(rtl::equal(index, ram_address(state_, other, pipeline_.context(at))));
}

}  // namespace vta::hlsc::emit
