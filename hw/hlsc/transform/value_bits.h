// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_VALUE_BITS_H_
#define VTA_HW_HLSC_TRANSFORM_VALUE_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// For each value of the process: bits above this many are 0 whenever the value is specified.
//
// Phis start from nothing and grow with what reaches them. What the condition of a loop says of a
// phi, or of its next value, limits it: counters end near their bound, and what is added to once an
// iteration grows no faster than the loop counts.
std::vector<uint32_t> value_bits(const ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_VALUE_BITS_H_
