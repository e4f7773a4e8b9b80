// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_COLLECT_SUMS_H_
#define VTA_HW_HLSC_TRANSFORM_COLLECT_SUMS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Chains of additions whose partial sums nobody else uses become one `sum`, which back ends build
// as a tree. Partial sums are left without use.
void collect_sums(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_COLLECT_SUMS_H_
