// SPDX-License-Identifier: Apache-2.0
//
// Chaining: operations that follow each other in a control step or stage, as far as the clock
// allows.
#ifndef VTA_HW_HLSC_SCHEDULE_TIMING_H_
#define VTA_HW_HLSC_SCHEDULE_TIMING_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

struct Time {
  uint32_t step = 0;  // or stage
  double ns = 0;      // from its beginning
};

Time later(const Time& a, const Time& b);

// In `step`, from its beginning on, unless `time` is in it or behind it.
Time not_before(const Time& time, uint32_t step);

// When the result of an operation is there that has its operands at `start`: in the next step if
// it fits the clock there only. `Time::step` is the step of the operation. What an object gives is
// there from the beginning of the step, whatever the predicate says.
Time result_time(const ir::Process& process, const ir::Op& op, const Time& start, double budget_ns);

// How the word of a read comes: from the RAM; from the RAM or a write of an older iteration of the
// same body; the same through a register (ProcessSchedule::late_words).
enum class Word : uint8_t { kRead, kForwarded, kLate };

// From when on the result can be used, of an operation with that result_time().
Time use_time(const ir::Op& op, const Time& result, Word word = Word::kRead);

// When a word is there, in the step in which it can be used.
double word_ns(Word word);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_TIMING_H_
