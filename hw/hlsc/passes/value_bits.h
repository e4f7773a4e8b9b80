// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_VALUE_BITS_H_
#define VTA_HW_HLSC_PASSES_VALUE_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// The active bits of each value, by ValueId: bits above this many are 0 whenever the value is
// specified.
//
// A fixpoint over the loops: phis start with no bits and grow with their initial and next values.
// The condition of the loop limits a phi or its next value (loop_limits.h): a counter ends near its
// bound, and an accumulator grows no faster than the loop counts.
std::vector<uint32_t> value_bits(const ir::Process& process);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_VALUE_BITS_H_
