// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_
#define VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_

#include <vector>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// Assigns stages to a pipelined loop's body: as early as data, chaining, order and ports allow;
// reads of RAMs that the body also writes as late as possible without adding stages.
//
// With the initiation interval II:
// - a register is read at most II - 1 stages before it is written, and not after;
// - each read of a RAM has its own stage, and so has each write, except writes of one word or with
//   mutually exclusive predicates; a read comes before the next iteration's writes, and where it
//   must, before or after those of its own (body_rams.h);
// - each operation that may wait has its own stage, in program order, unless the predicates are
//   mutually exclusive;
// - accesses of memory that other processes use keep their order with operations that may wait,
//   also from one iteration to the next (sync_constraints.h).
// Errors: see schedule(). A refusal proposes the shortest interval that was found to be achievable.
void schedule_body(const ir::Design& design, const ir::Process& process, const Options& options,
                   ProcessSchedule& schedule, Nest& nest);

// Whether schedule_body() accepts the initiation interval of the innermost of these levels.
bool is_achievable(const ir::Design& design, const ir::Process& process, const Options& options,
                   const std::vector<const ir::Loop*>& levels);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_
