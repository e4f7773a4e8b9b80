// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_DIVISIONS_H_
#define VTA_HW_HLSC_FRONT_DIVISIONS_H_

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Function.h>

namespace vta::hlsc::front {

// A division by a constant as a product: for 0 <= n <= `maximum`, n / divisor is
// (n * multiplier) >> shift, and for 0 < n <= `maximum`, floor(-n * multiplier / 2^shift) is
// -(n / divisor) - 1. The least shift that is exact for all of them.
// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994.
struct Reciprocal {
  llvm::APInt multiplier;  // of as many bits as it needs
  uint32_t shift;
};
// `divisor` is more than 1, `maximum` at least 1; both are unsigned and of any width.
Reciprocal reciprocal(const llvm::APInt& divisor, const llvm::APInt& maximum);

// Replaces quotients and remainders by constants with shifts, or products of the bits that the
// dividend can have.
// Errors: a division by 0; by a value that is not constant.
void expand_divisions(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_DIVISIONS_H_
