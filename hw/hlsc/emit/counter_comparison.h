// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_
#define VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// A comparison `counter < limit` in the condition of a nest's level, whose outcome after the next
// step can be computed a step ahead. The counter steps by a constant, and no level changes the
// limit or the counter's initial value.
struct CounterComparison {
  ir::ValueId compare;
  ir::ValueId counter;  // a phi of the level
  uint64_t step;        // modulo 2^width of the counter
};

// None if the level has no such comparison, or if its counter is so narrow that the comparison
// takes a LUT or two.
std::optional<CounterComparison> counter_comparison(const ir::Process& process,
                                                    const std::vector<const ir::Loop*>& levels,
                                                    const ir::Loop& level);

// Whether the level has an iteration whenever it is entered, by constants alone: its counter starts
// below all limits that its condition selects from.
bool always_starts(const ir::Process& process, const ir::Loop& level);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_COUNTER_COMPARISON_H_
