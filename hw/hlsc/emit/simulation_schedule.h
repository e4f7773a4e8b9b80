// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_
#define VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

// The schedule of the simulation view. In pipelined bodies, long sums (schedule::kLongSum terms)
// move to the first stage that has their operands, without regard to the clock period. So do the
// extensions, slices and multiplications that only they use. The sums are then piped through the
// stages instead of their many terms. Words leave the RAM itself, not its output register, except
// predicates and indices of writes. The behaviour at the ports does not change.
schedule::ProcessSchedule simulation_schedule(const ir::Process& process,
                                              const schedule::ProcessSchedule& schedule);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_SIMULATION_SCHEDULE_H_
