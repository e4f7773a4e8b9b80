// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_
#define VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// Assigns control steps to all operations outside nests, as early as possible:
// - an operation that may wait has a step of its own; consecutive ones without results (tokens,
//   requests) share a step, in which each takes effect in order as soon as it can, if they use
//   different streams and no memory access comes before one of them in the step;
// - other effects take place when their step ends, not before earlier waits, and not in the step of
//   an earlier halt;
// - a RAM is read once and written once a step; a read of a RAM or register comes at least a step
//   after the previous writes;
// - a loop is entered at the end of a step, and no later operation comes before its end.
void schedule_sequences(const ir::Design& design, const ir::Process& process,
                        const Options& options, ProcessSchedule& schedule);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_
