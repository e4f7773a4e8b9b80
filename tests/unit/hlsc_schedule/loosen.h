// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HLSC_SCHEDULE_LOOSEN_H_
#define VTA_TESTS_UNIT_HLSC_SCHEDULE_LOOSEN_H_

#include <cstdint>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// Moves operations and loop entries and inserts empty steps as long as check() accepts the
// schedule: one that the scheduler would not make, but that must have the same meaning. Returns the
// number of accepted changes.
size_t loosen(const ir::Design& design, Schedule& schedule, uint64_t seed);

}  // namespace vta::hlsc::schedule

#endif  // VTA_TESTS_UNIT_HLSC_SCHEDULE_LOOSEN_H_
