// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_COUNTER_DELAYS_H_
#define VTA_HW_HLSC_SCHEDULE_COUNTER_DELAYS_H_

#include <map>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// When the values that a nest computes from its counters are available in the first stage. The
// counters are registers. The operations of heads, and of the bodies of all levels but the
// innermost, are logic between these registers and the stage.
std::map<ir::ValueId, double> counter_delays_ns(const ir::Process& process,
                                                const std::vector<const ir::Loop*>& levels);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_COUNTER_DELAYS_H_
