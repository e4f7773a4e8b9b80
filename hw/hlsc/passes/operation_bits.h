// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_OPERATION_BITS_H_
#define VTA_HW_HLSC_PASSES_OPERATION_BITS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// Active bits of the result of an operation other than a phi: bits above this many are 0. `bits`
// are those of its operands, by ValueId.
uint32_t operation_bits(const ir::Process& process, const ir::Op& op,
                        const std::vector<uint32_t>& bits);

// Whether the subtraction `difference` cannot wrap: operand 1 is at most operand 0.
bool cannot_borrow(const ir::Process& process, const ir::Op& difference);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_OPERATION_BITS_H_
