// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_
#define VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

// The schedule as a simulator likes it: in pipelined bodies long sums (bind::kLongSum terms), and
// what only extends, slices or multiplies for them, stand in the first stage that has their terms,
// whatever that takes of a clock. The sums then go through the stages instead of their terms, which
// are many. Nothing that can be seen from outside moves.
schedule::ProcessSchedule simulation_schedule(const ir::Process& process,
                                              const schedule::ProcessSchedule& schedule);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_
