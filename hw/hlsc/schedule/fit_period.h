// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_FIT_PERIOD_H_
#define VTA_HW_HLSC_SCHEDULE_FIT_PERIOD_H_

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// Between passes::legalize() and schedule(): changes what has no schedule for the period, by
// split_operations() and then shorten_recurrences(). A design that has one stays as it is.
void fit_period(ir::Design& design, const Options& options);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_FIT_PERIOD_H_
