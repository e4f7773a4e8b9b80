// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_DEMANDED_BITS_H_
#define VTA_HW_HLSC_TRANSFORM_DEMANDED_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

enum class Slices : uint8_t { kCount, kIgnore };

// For each value of the process: nothing that the process does depends on bits above this many.
// With kIgnore, slices ask for nothing: what is left is asked by those who use the value whole.
std::vector<uint32_t> demanded_bits(const ir::Process& process, Slices slices);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_DEMANDED_BITS_H_
