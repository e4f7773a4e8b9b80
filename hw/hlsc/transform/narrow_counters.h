// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_NARROW_COUNTERS_H_
#define VTA_HW_HLSC_TRANSFORM_NARROW_COUNTERS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Gives the phis of loops as many bits as their values can have (value_bits.h): counters those of
// their bound or their start, whichever is more. The process must be simplified; simplify it again.
void narrow_counters(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_NARROW_COUNTERS_H_
