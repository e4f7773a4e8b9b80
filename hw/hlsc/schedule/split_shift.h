// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SPLIT_SHIFT_H_
#define VTA_HW_HLSC_SCHEDULE_SPLIT_SHIFT_H_

#include "hw/hlsc/schedule/part_builder.h"

namespace vta::hlsc::schedule {

// A shift by a variable amount as selections, one for each bit of the amount. kNoValue if not even
// a comparison of a few bits fits a step.
ir::ValueId split_shift(PartBuilder& parts, const ir::Op& shift);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SPLIT_SHIFT_H_
