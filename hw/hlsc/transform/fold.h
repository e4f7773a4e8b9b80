// SPDX-License-Identifier: Apache-2.0
//
// The rules of simplification: constants, identities, predicates, and words as concatenations of
// parts, which is what C++ makes of bit fields and structs with shifts and masks.
#ifndef VTA_HW_HLSC_TRANSFORM_FOLD_H_
#define VTA_HW_HLSC_TRANSFORM_FOLD_H_

#include "hw/hlsc/transform/rewriter.h"

namespace vta::hlsc::transform {

// A value equal to `op`, whose operands are in their simplest form; kNoValue if it is that itself.
ir::ValueId fold(Rewriter& rewriter, const ir::Op& op);

// The groups of rules, in fold_*.cc; each as fold().
ir::ValueId fold_logic(Rewriter& rewriter, const ir::Op& op);       // and, or, xor, select
ir::ValueId fold_arithmetic(Rewriter& rewriter, const ir::Op& op);  // add, sub, mul, shifts, sum
ir::ValueId fold_compare(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_parts(Rewriter& rewriter, const ir::Op& op);  // zext, sext, slice, lane, concat
// and, or, xor of words of which one is a concatenation: part by part where a part is constant.
ir::ValueId fold_by_parts(Rewriter& rewriter, const ir::Op& op);

// Bits above this many are known to be 0.
uint32_t active_bits(const Rewriter& rewriter, ir::ValueId value);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_FOLD_H_
