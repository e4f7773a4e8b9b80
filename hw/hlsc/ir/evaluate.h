// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_IR_EVALUATE_H_
#define VTA_HW_HLSC_IR_EVALUATE_H_

#include <span>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// The value of a pure operation of a verified design, which is not a constant or a phi.
llvm::APInt evaluate(const Op& op, std::span<const llvm::APInt> operands);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_EVALUATE_H_
