// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_DEMANDED_BITS_H_
#define VTA_HW_HLSC_PASSES_DEMANDED_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// Whether a slice demands bits of its operand.
enum class Slices : uint8_t { kDemand, kIgnore };

// The demanded bits of each value, by ValueId: no effect depends on bits above this many. With
// kIgnore they are the bits that operations other than slices demand.
std::vector<uint32_t> demanded_bits(const ir::Process& process, Slices slices);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_DEMANDED_BITS_H_
