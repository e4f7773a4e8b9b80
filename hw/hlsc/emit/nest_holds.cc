// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_holds.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/emit/effects.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

NestHolds::NestHolds(NestPipeline& pipeline) : pipeline_(pipeline), state_(pipeline.state()) {
  for (ValueId value : pipeline_.order()) {
    if (state_.op(value).opcode == Opcode::kRamWrite) add_pending(value);
  }
}

void NestHolds::add_pending(ValueId value) {
  const Op& op = state_.op(value);
  std::vector<PendingWrite>& writes = pending_[op.object];
  const uint32_t stage = pipeline_.stage(value);
  const auto same = std::find_if(writes.begin(), writes.end(), [&](const PendingWrite& write) {
    return write.stage == stage && write.index == op.operands[1];
  });
  PendingWrite& write =
      same == writes.end() ? writes.emplace_back(PendingWrite{stage, op.operands[1], {}}) : *same;
  if (std::find(write.predicates.begin(), write.predicates.end(), op.operands[0]) ==
      write.predicates.end())
    write.predicates.push_back(op.operands[0]);
}

void NestHolds::emit() {
  for (uint32_t stage = pipeline_.stages(); stage-- > 0;) hold(stage);
}

Expression NestHolds::waits(uint32_t stage) const {
  return rtl::net(fmt::format("{}_waits{}", pipeline_.entry().name, stage));
}

Expression NestHolds::asks(const Expression& wanted, uint32_t stage) const {
  Expression request = wanted;
  for (uint32_t waiting : stream_waits_) {
    if (waiting >= stage) request = both(request, ~waits(waiting));
  }
  return rtl::parentheses(request);
}

// Later stages have their conditions already.
void NestHolds::hold(uint32_t stage) {
  Reasons reasons;
  for (ValueId value : pipeline_.operations(stage)) add_reasons(value, stage, reasons);
  for (ValueId value : pipeline_.order()) {
    if (pipeline_.is_late(value) && pipeline_.stage(value) + 1 == stage)
      wait_for_writes(value, stage, reasons);
  }
  if (reasons.all.empty()) return;
  if (!reasons.streams.empty()) {
    pipeline_.context(stage).add_wire(waits(stage).text(), 1, any(reasons.streams));
    stream_waits_.insert(stream_waits_.begin(), stage);
  }
  pipeline_.add_hold(stage,
                     both(pipeline_.advances(stage + 1), ~rtl::parentheses(any(reasons.all))));
}

void NestHolds::because(const Expression& reason, ValueId value, uint32_t stage, Reasons& reasons,
                        bool outside) {
  reasons.all.push_back(rtl::parentheses(pipeline_.wants(value, stage) & reason));
  if (outside) state_.ports.wait(state_.op(value), stalls_process(reasons.all.back(), stage));
}

void NestHolds::wait_for_writes(ValueId read, uint32_t stage, Reasons& reasons) {
  const Expression pending = pending_writes(state_.op(read), stage);
  if (!pending.empty()) because(pending, read, stage, reasons);
}

void NestHolds::add_reasons(ValueId value, uint32_t stage, Reasons& reasons) {
  const Op& op = state_.op(value);
  if (op.opcode == Opcode::kRamRead) {
    if (state_.rams.at(op.object).read_waits(state_.process_index))
      because(~rtl::net(state_.object_name(value) + "_rgnt"), value, stage, reasons);
    if (const Expression older = older_reads(op.object, stage); !older.empty())
      because(older, value, stage, reasons, false);
    if (!pipeline_.is_late(value)) wait_for_writes(value, stage, reasons);
  } else if (op.opcode == Opcode::kRamWrite) {
    if (state_.rams.at(op.object).write_waits(state_.process_index))
      because(~rtl::net(state_.object_name(value) + "_wgnt"), value, stage, reasons);
  } else if (ir::may_wait(op.opcode) && op.opcode != Opcode::kHalt) {
    because(~rtl::parentheses(state_.ports.ready(op)), value, stage, reasons);
    reasons.streams.push_back(reasons.all.back());
  }
}

// The reason, and no older iteration is in flight: then the whole process stalls.
Expression NestHolds::stalls_process(const Expression& reason, uint32_t stage) const {
  Expression stalls = reason;
  for (uint32_t ahead = stage + 1; ahead < pipeline_.stages(); ++ahead)
    stalls = stalls & ~pipeline_.valid(ahead);
  return stalls;
}

// Reads of the same RAM in later stages, which belong to older iterations and come first.
Expression NestHolds::older_reads(ir::ObjectId ram, uint32_t stage) {
  std::vector<Expression> reads;
  for (ValueId value : pipeline_.order()) {
    const Op& op = state_.op(value);
    const uint32_t at = pipeline_.stage(value);
    if (op.opcode == Opcode::kRamRead && op.object == ram && at > stage)
      reads.push_back(rtl::parentheses(pipeline_.wants(value, at)));
  }
  return enclosed(any(reads));
}

// Older iterations that have not written the word yet.
Expression NestHolds::pending_writes(const Op& read, uint32_t stage) {
  std::vector<Expression> all;
  for (const PendingWrite& write : pending_[read.object]) {
    for (uint32_t at = stage + 1; at < write.stage; ++at) {
      const Expression coming = both(pipeline_.valid(at), will_write(write, at));
      all.push_back(rtl::parentheses(both(coming, same_word(read, stage, write, at))));
    }
  }
  return enclosed(any(all));
}

// A predicate that is not computed yet counts as true.
Expression NestHolds::will_write(const PendingWrite& write, uint32_t at) {
  std::vector<Expression> terms;
  for (ValueId predicate : write.predicates) {
    if (pipeline_.available(predicate) > at) return {};
    terms.push_back(state_.predicate(pipeline_.context(at), predicate));
    if (terms.back().empty()) return {};
  }
  return enclosed(any(terms));
}

Expression NestHolds::same_word(const Op& read, uint32_t stage, const PendingWrite& write,
                                uint32_t at) {
  if (pipeline_.available(write.index) > at) return {};
  Op other = read;
  other.operands[1] = write.index;
  const Expression index = ram_address(state_, read, pipeline_.context(stage));
  return rtl::parentheses(rtl::equal(index, ram_address(state_, other, pipeline_.context(at))));
}

}  // namespace vta::hlsc::emit
