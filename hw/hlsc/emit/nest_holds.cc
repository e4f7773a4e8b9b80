// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_holds.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

std::string parenthesized(const std::string& text) { return text.empty() ? "" : "(" + text + ")"; }

}  // namespace

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

std::string NestHolds::waits(uint32_t stage) const {
  return fmt::format("{}_waits{}", pipeline_.entry().name, stage);
}

std::string NestHolds::asks(const std::string& wanted, uint32_t stage) const {
  std::string text = wanted;
  for (uint32_t waiting : stream_waits_) {
    if (waiting >= stage) text = both(text, "~" + waits(waiting));
  }
  return "(" + text + ")";
}

// Operations behind the stage have been through this.
void NestHolds::hold(uint32_t stage) {
  Reasons reasons;
  for (ValueId value : pipeline_.operations(stage)) add_reasons(value, stage, reasons);
  for (ValueId value : pipeline_.order()) {
    if (pipeline_.is_late(value) && pipeline_.stage(value) + 1 == stage)
      wait_for_writes(value, stage, reasons);
  }
  if (reasons.all.empty()) return;
  if (!reasons.streams.empty()) {
    pipeline_.context(stage).add_wire(waits(stage), 1, any(reasons.streams));
    stream_waits_.insert(stream_waits_.begin(), stage);
  }
  pipeline_.add_hold(stage,
                     both(pipeline_.advances(stage + 1), fmt::format("~({})", any(reasons.all))));
}

void NestHolds::because(const std::string& reason, ValueId value, uint32_t stage, Reasons& reasons,
                        bool outside) {
  reasons.all.push_back(fmt::format("({} & {})", pipeline_.wants(value, stage), reason));
  if (outside) state_.ports.wait(state_.op(value), reasons.all.back() + none_ahead(stage));
}

void NestHolds::wait_for_writes(ValueId read, uint32_t stage, Reasons& reasons) {
  const std::string pending = pending_writes(state_.op(read), stage);
  if (!pending.empty()) because(pending, read, stage, reasons);
}

void NestHolds::add_reasons(ValueId value, uint32_t stage, Reasons& reasons) {
  const Op& op = state_.op(value);
  if (op.opcode == Opcode::kRamRead) {
    if (state_.rams.at(op.object).read_waits(state_.process_index))
      because("~" + state_.object_name(value) + "_rgnt", value, stage, reasons);
    if (const std::string older = older_reads(op.object, stage); !older.empty())
      because(older, value, stage, reasons, false);
    if (!pipeline_.is_late(value)) wait_for_writes(value, stage, reasons);
  } else if (op.opcode == Opcode::kRamWrite) {
    if (state_.rams.at(op.object).write_waits(state_.process_index))
      because("~" + state_.object_name(value) + "_wgnt", value, stage, reasons);
  } else if (ir::may_wait(op.opcode) && op.opcode != Opcode::kHalt) {
    because("~(" + state_.ports.ready(op) + ")", value, stage, reasons);
    reasons.streams.push_back(reasons.all.back());
  }
}

// No older iteration is under way: if the stage has to wait, the whole process does.
std::string NestHolds::none_ahead(uint32_t stage) const {
  std::string text;
  for (uint32_t ahead = stage + 1; ahead < pipeline_.stages(); ++ahead)
    text += " & ~" + pipeline_.valid(ahead);
  return text;
}

// Reads of the same RAM in later stages, which belong to older iterations and come first.
std::string NestHolds::older_reads(ir::ObjectId ram, uint32_t stage) {
  std::vector<std::string> reads;
  for (ValueId value : pipeline_.order()) {
    const Op& op = state_.op(value);
    const uint32_t at = pipeline_.stage(value);
    if (op.opcode == Opcode::kRamRead && op.object == ram && at > stage)
      reads.push_back("(" + pipeline_.wants(value, at) + ")");
  }
  return parenthesized(any(reads));
}

// Older iterations that have yet to write the word.
std::string NestHolds::pending_writes(const Op& read, uint32_t stage) {
  std::vector<std::string> all;
  for (const PendingWrite& write : pending_[read.object]) {
    for (uint32_t at = stage + 1; at < write.stage; ++at) {
      const std::string coming = both(pipeline_.valid(at), will_write(write, at));
      all.push_back("(" + both(coming, same_word(read, stage, write, at)) + ")");
    }
  }
  return parenthesized(any(all));
}

// What is not known yet is taken as true.
std::string NestHolds::will_write(const PendingWrite& write, uint32_t at) {
  std::vector<std::string> terms;
  for (ValueId predicate : write.predicates) {
    if (pipeline_.available(predicate) > at) return "";
    terms.push_back(state_.predicate(pipeline_.context(at), predicate));
    if (terms.back().empty()) return "";
  }
  return parenthesized(any(terms));
}

std::string NestHolds::same_word(const Op& read, uint32_t stage, const PendingWrite& write,
                                 uint32_t at) {
  if (pipeline_.available(write.index) > at) return "";
  Op other = read;
  other.operands[1] = write.index;
  const std::string index = ram_address(state_, read, pipeline_.context(stage));
  return fmt::format("({} == {})", index, ram_address(state_, other, pipeline_.context(at)));
}

}  // namespace vta::hlsc::emit
