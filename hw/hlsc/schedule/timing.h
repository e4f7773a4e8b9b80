// SPDX-License-Identifier: Apache-2.0
//
// Chaining: dependent operations in one control step or stage, as far as the clock period allows.
#ifndef VTA_HW_HLSC_SCHEDULE_TIMING_H_
#define VTA_HW_HLSC_SCHEDULE_TIMING_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

struct Time {
  uint32_t step = 0;  // or stage
  double ns = 0;      // from its beginning
};

Time later(const Time& a, const Time& b);

// `time`, or the beginning of `step` if that is later.
Time not_before(const Time& time, uint32_t step);

// When the result of an operation whose operands are available at `start` is available. An
// operation that does not fit the rest of that step moves to the next one; the result's Time::step
// is the step of the operation. What a register or a FIFO gives is available from the beginning of
// the step: it does not wait for the predicate.
Time result_time(const ir::Process& process, const ir::Op& op, const Time& start, double budget_ns);

// Source of the word of a read: the RAM; its output register (ProcessSchedule::registered_words);
// the RAM or a write of an older iteration of the same body; the same through a register
// (ProcessSchedule::late_words).
enum class Word : uint8_t { kRead, kRegistered, kForwarded, kLate };

// When the result of an operation can be used whose result_time() is `result`: later if it is a
// word of a RAM.
Time use_time(const ir::Op& op, const Time& result, Word word = Word::kRead);

// Whether a sum in a pipelined body is split (ProcessSchedule::split_sums): if it does not fit the
// clock from the registers of its products.
bool is_split_sum(const ir::Op& op, double budget_ns);

// When a word is available, in the step in which it can be used.
double word_ns(Word word);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_TIMING_H_
