// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/body_stages.h"

#include <algorithm>
#include <utility>

#include "hw/hlsc/schedule/counter_delays.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;
using passes::Literals;

BodyStages::BodyStages(const ir::Design& design, const ir::Process& process,
                       const std::vector<const ir::Loop*>& levels, double budget_ns,
                       const std::set<ir::ObjectId>& shared)
    : process_(process),
      deadlines_(design, process, &levels.back()->body),
      budget_ns_(budget_ns),
      shared_(shared),
      counter_delays_ns_(counter_delays_ns(process, levels)),
      in_body_(process.ops.size(), false),
      is_split_(process.ops.size(), false),
      earliest_(process.ops.size(), 0) {
  for (const ir::Item& item : levels.back()->body) {
    order_.push_back(std::get<ValueId>(item));
    in_body_[order_.back()] = true;
    const Op& op = process.ops[order_.back()];
    is_split_[order_.back()] = is_split_sum(op, budget_ns);
    if (op.opcode == Opcode::kRamWrite) written_.insert(op.object);
  }
}

uint32_t BodyStages::last() const {
  uint32_t last = 0;
  for (ValueId value : order_) last = std::max(last, stage(value) + (is_split(value) ? 1 : 0));
  return last;
}

bool BodyStages::delay(ValueId value, uint32_t stage) {
  if (at_[value].step >= stage) return false;
  earliest_[value] = std::max(earliest_[value], stage);
  return true;
}

void BodyStages::restore(State state) {
  earliest_ = std::move(state.earliest);
  at_ = std::move(state.at);
  late_words_ = std::move(state.late_words);
  registered_words_ = std::move(state.registered_words);
  refusal_.reset();
}

void BodyStages::refuse(Refusal refusal) {
  if (!refusal_) refusal_ = std::move(refusal);
}

void BodyStages::place() {
  at_.assign(process_.ops.size(), Time{0, kRegisterNs});
  uint32_t wait_stage = 0, access_stage = 0;
  std::vector<std::pair<Literals, uint32_t>> waits;
  for (ValueId value : order_) {
    const Op& op = process_.ops[value];
    const bool waits_here = ir::may_wait(op.opcode);
    const bool is_shared = ir::accesses_memory(op.opcode) && shared_.contains(op.object);
    Time time = not_before(operands_ready(op), earliest_[value]);
    Literals literals;
    if (waits_here) {
      literals = passes::conjunction(process_, op.operands[0]);
      time = not_before(time, std::max(stage_after(waits, literals), access_stage));
    } else if (is_shared) {
      time = not_before(time, wait_stage);
    }
    if (!is_split(value) &&
        op.opcode != Opcode::kStage) {  // else the delay is from the registers of the products
      for (ValueId operand : op.operands) {
        if (available(operand).step < time.step)
          time.ns = std::max(time.ns, kept_ns(process_, operand));
      }
    }
    at_[value] =
        is_split(value) ? partial_sums_time(op, time) : result_time(process_, op, time, budget_ns_);
    if (waits_here) {
      waits.emplace_back(literals, stage(value));
      wait_stage = std::max(wait_stage, stage(value));
    } else if (is_shared) {
      access_stage = std::max(access_stage, stage(value));
    }
  }
}

Time BodyStages::partial_sums_time(const Op& op, const Time& start) const {
  const double partial_ns = split_sum_ns(op)->partial_ns;
  if (start.ns + partial_ns <= budget_ns_ || start.ns <= kRegisterNs)
    return {start.step, start.ns + partial_ns};
  return {start.step + 1, kRegisterNs + partial_ns};
}

// The first stage for an operation that waits under this condition.
uint32_t BodyStages::stage_after(const std::vector<std::pair<Literals, uint32_t>>& waits,
                                 const Literals& literals) const {
  uint32_t first = 0;
  for (const auto& [other, stage] : waits) {
    if (!passes::are_disjoint(process_, other, literals)) first = std::max(first, stage + 1);
  }
  return first;
}

Time BodyStages::operands_ready(const Op& op) const {
  Time latest{0, kRegisterNs};
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const double before_end_ns = deadlines_.before_end_ns(op, i);
    latest = later(latest, in_time(available(op.operands[i]), before_end_ns, budget_ns_));
  }
  if (op.opcode == Opcode::kStage) return {latest.step + 1, kRegisterNs};
  return latest;
}

// The earliest time at which a value can be used. Values from outside the body are in registers, or
// computed from the counters in stage 0.
Time BodyStages::available(ValueId value) const {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return {0, 0};
  if (!in_body_[value]) {
    const auto found = counter_delays_ns_.find(value);
    return {0, found == counter_delays_ns_.end() ? kept_ns(process_, value) : found->second};
  }
  if (is_split(value)) return {at_[value].step + 1, split_sum_ns(op)->total_ns};
  const Word word = late_words_.contains(value)         ? Word::kLate
                    : registered_words_.contains(value) ? Word::kRegistered
                    : written_.contains(op.object)      ? Word::kForwarded
                                                        : Word::kRead;
  return use_time(op, at_[value], word);
}

double BodyStages::operands_ready_ns(ValueId value) const {
  const Time ready = operands_ready(process_.ops[value]);
  return ready.step < stage(value) ? kRegisterNs : ready.ns;
}

}  // namespace vta::hlsc::schedule
