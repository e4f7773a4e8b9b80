// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_
#define VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// The control steps of everything outside nests, as early as possible:
// - an operation that may wait has a step of its own; several in a row that give nothing back
//   (tokens, requests) share one if they are at different streams, in which they happen one after
//   the other as they can, and if no access to memory stands in front of one of them in the step;
// - other effects happen when their step ends, not before the waits in front of them, and none
//   after a halt that may happen in the same step;
// - a RAM is read once a step and written once; a read follows the writes in front of it by a step,
//   so does the read of a register;
// - a loop is entered at the end of a step, and nothing behind it happens before it is left.
void schedule_sequences(const ir::Design& design, const ir::Process& process,
                        const Options& options, ProcessSchedule& schedule);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SEQUENCE_SCHEDULER_H_
