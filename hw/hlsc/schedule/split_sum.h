// SPDX-License-Identifier: Apache-2.0
//
// Sums in parts that each fit a step: trees of additions, and additions that are cut into chunks of
// bits whose carry is in a register.
#ifndef VTA_HW_HLSC_SCHEDULE_SPLIT_SUM_H_
#define VTA_HW_HLSC_SCHEDULE_SPLIT_SUM_H_

#include <vector>

#include "hw/hlsc/schedule/part_builder.h"

namespace vta::hlsc::schedule {

// The sum of terms of one width, wrapping. kNoValue if not even a chunk of a few bits fits a step.
ir::ValueId split_sum(PartBuilder& parts, std::vector<ir::ValueId> terms);
ir::ValueId split_difference(PartBuilder& parts, ir::ValueId from, ir::ValueId taken);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SPLIT_SUM_H_
