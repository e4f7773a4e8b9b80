// SPDX-License-Identifier: Apache-2.0
//
// Splits operations that are slower than the clock into operations that fit a step each, so that
// the scheduler can put registers between them.
#ifndef VTA_HW_HLSC_SCHEDULE_SPLIT_OPERATIONS_H_
#define VTA_HW_HLSC_SCHEDULE_SPLIT_OPERATIONS_H_

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// First after passes::legalize() (fit_period.h). Sums, differences, products, comparisons and
// shifts by variable amounts are split. Operations that fit a step are left as they are, and so are
// those that compute the counters of a nest, which have no stages. schedule() refuses what is still
// slower than the clock.
void split_operations(ir::Design& design, const Options& options);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SPLIT_OPERATIONS_H_
