// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_
#define VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// A comparison of a counter with a limit, on which the condition of a nest's level depends. The
// counter starts at a value, steps by a constant, and has a limit, which no level changes. So the
// comparison after the next step is known a step ahead.
struct CounterComparison {
  ir::ValueId compare;
  ir::ValueId counter;  // a phi of the level
  uint64_t step;        // modulo 2^width of the counter
};

// None if the level has no such comparison, or only one of a counter so narrow that it takes a LUT
// or two.
std::optional<CounterComparison> counter_comparison(const ir::Process& process,
                                                    const std::vector<const ir::Loop*>& levels,
                                                    const ir::Loop& level);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_
