// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SCHEDULER_H_
#define VTA_HW_HLSC_SCHEDULE_SCHEDULER_H_

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// `design` must have been through passes::legalize() and outlive the result.
// Errors: kInvalidArgument "file:line: ..." for an initiation interval that is not achievable. The
// text has what limits it (a port, a register's recurrence) and, if one has been found, the
// interval that would be. Also for an operation that takes longer than the clock period, and for a
// halt in a pipelined loop.
Schedule schedule(const ir::Design& design, const Options& options);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SCHEDULER_H_
