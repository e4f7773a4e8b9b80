// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_LEVELS_TO_LEAVE_H_
#define VTA_HW_HLSC_TRANSFORM_LEVELS_TO_LEAVE_H_

#include <set>

#include "hw/hlsc/transform/nest.h"

namespace vta::hlsc::transform {

// How many outer levels of the nest must be loops of their own before what the rest carries can
// stand in registers: an outer level may carry what its counters cannot compute only from its inner
// loop and back to it, and nobody else may look at it meanwhile. `phis` and `dynamic`:
// NestValues::dynamic_phis(), dynamic_values().
size_t levels_to_leave(const ir::Process& process, const NestLoops& nest, const NestValues& values,
                       const std::set<ir::ValueId>& phis, const std::set<ir::ValueId>& dynamic);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_LEVELS_TO_LEAVE_H_
