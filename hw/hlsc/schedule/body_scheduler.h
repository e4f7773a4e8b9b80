// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_
#define VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// The stages of a pipelined loop's body: as early as data, chaining, order and ports allow; reads
// of RAMs that the body also writes as late as they can be without making it longer.
//
// With the initiation interval II:
// - a register is read at most II - 1 stages before it is written, and not after;
// - the reads of a RAM have stages of their own, so have its writes but those of one word or of
//   predicates that exclude each other; reads come before writes but where another process may
//   have changed what was written (body_rams.h);
// - operations that may wait have stages of their own, in program order, unless their predicates
//   exclude each other;
// - memory that other processes use is accessed in order with operations that may wait, and from
//   one iteration to the next as they can agree upon (agreements.h).
// Errors: see schedule().
void schedule_body(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
                   const Options& options, ProcessSchedule& schedule, Nest& nest);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_SCHEDULER_H_
