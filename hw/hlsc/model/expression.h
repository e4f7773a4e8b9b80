// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_EXPRESSION_H_
#define VTA_HW_HLSC_MODEL_EXPRESSION_H_

#include <span>
#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::model {

// A constant of sim/process_network/bits.h.
std::string literal(const llvm::APInt& value);

// A pure operation other than a phi in C++; its operands `x` are C++ expressions.
std::string expression(const ir::Process& process, const ir::Op& op,
                       std::span<const std::string> x);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_EXPRESSION_H_
