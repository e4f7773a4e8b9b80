// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_OPERATION_BITS_H_
#define VTA_HW_HLSC_PASSES_OPERATION_BITS_H_

#include <llvm/ADT/STLFunctionalExtras.h>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// Active bits of the result of an operation other than a phi: bits above this many are 0. `bits_of`
// gives those of its operands.
uint32_t operation_bits(const ir::Process& process, const ir::Op& op,
                        llvm::function_ref<uint32_t(ir::ValueId)> bits_of);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_OPERATION_BITS_H_
