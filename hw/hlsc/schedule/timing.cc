// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/timing.h"

#include <algorithm>

#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::Opcode;

namespace {

// Whether the result comes from a register or a FIFO, which it leaves when the step begins.
bool starts_at_object(Opcode opcode) {
  const ir::DelayClass delay = ir::info(opcode).delay;
  return delay == ir::DelayClass::kRegister || delay == ir::DelayClass::kStream;
}

}  // namespace

Time later(const Time& a, const Time& b) {
  if (a.step != b.step) return a.step > b.step ? a : b;
  return {a.step, std::max(a.ns, b.ns)};
}

Time not_before(const Time& time, uint32_t step) {
  return time.step < step ? Time{step, kRegisterNs} : time;
}

Time result_time(const ir::Process& process, const ir::Op& op, const Time& start,
                 double budget_ns) {
  const double delay = delay_ns(process, op);
  if (starts_at_object(op.opcode)) return {start.step, std::max(start.ns, delay)};
  const double kept = kept_operands_ns(process, op, budget_ns);
  if (start.ns + delay > budget_ns && start.ns > kept) return {start.step + 1, kept + delay};
  return {start.step, start.ns + delay};
}

Time use_time(const ir::Op& op, const Time& result, Word word) {
  if (op.opcode != Opcode::kRamRead) return result;
  const bool waits_a_step = word == Word::kLate || word == Word::kRegistered;
  return {result.step + (waits_a_step ? 2 : 1), word_ns(word)};
}

bool is_split_sum(const ir::Op& op, double budget_ns) {
  const std::optional<SumDelays> delays = split_sum_ns(op);
  return delays.has_value() && delays->partial_ns + delays->total_ns > budget_ns;
}

double word_ns(Word word) {
  switch (word) {
    case Word::kRead:
      return kRamNs;
    case Word::kRegistered:
      return kRamRegisterNs;
    case Word::kForwarded:
      return kRamNs + kMergeNs;
    case Word::kLate:
      return kRegisterNs;
  }
  return kRamNs;
}

}  // namespace vta::hlsc::schedule
