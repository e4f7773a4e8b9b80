// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_LOOSEN_H_
#define VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_LOOSEN_H_

#include <cstdint>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// Moves operations and entries of loops about, and puts empty steps between, as long as check()
// accepts it: a schedule that ours would never make, and that must mean the same.
// Returns how many changes were accepted.
size_t loosen(const ir::Design& design, Schedule& schedule, uint64_t seed);

}  // namespace vta::hlsc::schedule

#endif  // VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_LOOSEN_H_
