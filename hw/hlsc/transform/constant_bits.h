// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_CONSTANT_BITS_H_
#define VTA_HW_HLSC_TRANSFORM_CONSTANT_BITS_H_

#include <llvm/ADT/APInt.h>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Bits of a value that are always the same: a mask of them, and what they are (0 elsewhere).
struct ConstantBits {
  llvm::APInt mask, value;
};

// As far as constants, extensions, parts, selects and masks tell.
ConstantBits constant_bits(const ir::Process& process, ir::ValueId value);

// What is the same in both.
ConstantBits common(const ConstantBits& a, const ConstantBits& b);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_CONSTANT_BITS_H_
