// SPDX-License-Identifier: Apache-2.0
//
// Shortens recurrences: what an iteration takes from the one before enters chains of gates, sums
// and multiplexers last, so that its path to the next iteration has one of them. The other operands
// are combined before, in earlier stages. The laws are those of Boolean algebra (Shannon's
// expansion, associativity) and of addition modulo 2^width.
#ifndef VTA_HW_HLSC_SCHEDULE_SHORTEN_RECURRENCES_H_
#define VTA_HW_HLSC_SCHEDULE_SHORTEN_RECURRENCES_H_

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// After split_operations(). Changes only bodies whose initiation interval is not achievable, and in
// them only recurrences that are longer than the interval. schedule() refuses what is still too
// long.
void shorten_recurrences(ir::Design& design, const Options& options);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SHORTEN_RECURRENCES_H_
