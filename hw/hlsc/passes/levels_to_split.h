// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_LEVELS_TO_SPLIT_H_
#define VTA_HW_HLSC_PASSES_LEVELS_TO_SPLIT_H_

#include <set>

#include "hw/hlsc/passes/nest.h"

namespace vta::hlsc::passes {

// The number of outer levels of the nest that must become loops of their own before the others can
// keep their dynamic phis in registers. An outer level may only pass such a value to its inner loop
// and back, and nothing else may use it meanwhile. `phis` and `dynamic`:
// NestValues::dynamic_phis(), dynamic_values().
size_t levels_to_split(const ir::Process& process, const NestLoops& nest, const NestValues& values,
                       const std::set<ir::ValueId>& phis, const std::set<ir::ValueId>& dynamic);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_LEVELS_TO_SPLIT_H_
