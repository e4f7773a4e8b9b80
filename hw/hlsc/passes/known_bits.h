// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_KNOWN_BITS_H_
#define VTA_HW_HLSC_PASSES_KNOWN_BITS_H_

#include <llvm/ADT/APInt.h>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// The bits of a value that are constant: their mask, and their values (0 elsewhere).
struct KnownBits {
  llvm::APInt mask, value;
};

// What follows from constants, extensions, parts, selects and masks.
KnownBits known_bits(const ir::Process& process, ir::ValueId value);

// The bits that are known and equal in both.
KnownBits common(const KnownBits& a, const KnownBits& b);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_KNOWN_BITS_H_
