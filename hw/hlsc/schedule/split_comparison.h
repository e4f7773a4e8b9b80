// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SPLIT_COMPARISON_H_
#define VTA_HW_HLSC_SCHEDULE_SPLIT_COMPARISON_H_

#include "hw/hlsc/schedule/part_builder.h"

namespace vta::hlsc::schedule {

// A comparison as comparisons of chunks of bits, and gates. kNoValue if not even a chunk of a few
// bits fits a step.
ir::ValueId split_comparison(PartBuilder& parts, const ir::Op& comparison);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SPLIT_COMPARISON_H_
