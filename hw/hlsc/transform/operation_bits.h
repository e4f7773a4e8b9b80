// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_OPERATION_BITS_H_
#define VTA_HW_HLSC_TRANSFORM_OPERATION_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Bits above this many are 0 in the result of an operation other than a phi, if the same holds of
// its operands with `bits` (by ValueId).
uint32_t operation_bits(const ir::Process& process, const ir::Op& op,
                        const std::vector<uint32_t>& bits);

// Whether `difference`, a subtraction, takes from its first operand what is no more than that.
bool cannot_borrow(const ir::Process& process, const ir::Op& difference);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_OPERATION_BITS_H_
