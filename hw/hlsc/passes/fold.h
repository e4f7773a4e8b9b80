// SPDX-License-Identifier: Apache-2.0
//
// The rules of simplify: constants, identities, predicates, and words as concatenations of parts,
// to which the shifts and masks of bit fields and structs reduce.
#ifndef VTA_HW_HLSC_PASSES_FOLD_H_
#define VTA_HW_HLSC_PASSES_FOLD_H_

#include "hw/hlsc/passes/rewriter.h"

namespace vta::hlsc::passes {

// A simpler value equal to `op`, whose operands are simplified; kNoValue if there is none.
ir::ValueId fold(Rewriter& rewriter, const ir::Op& op);

// The rules of each operation, as fold(). fold_logic.cc:
ir::ValueId fold_and(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_or(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_xor(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_select(Rewriter& rewriter, const ir::Op& op);
// fold_arithmetic.cc:
ir::ValueId fold_add(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_sub(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_mul(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_shift(Rewriter& rewriter, const ir::Op& op);
// fold_compare.cc:
ir::ValueId fold_compare(Rewriter& rewriter, const ir::Op& op);
// fold_parts.cc:
ir::ValueId fold_zext(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_sext(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_slice(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_lane(Rewriter& rewriter, const ir::Op& op);
ir::ValueId fold_concat(Rewriter& rewriter, const ir::Op& op);
// and, or, xor of words one of which is a concatenation: part by part where a part is constant.
ir::ValueId fold_by_parts(Rewriter& rewriter, const ir::Op& op);

// The active bits of a value: bits above this many are known to be 0.
uint32_t active_bits(const Rewriter& rewriter, ir::ValueId value);

// The significant bits of a value as a signed number, 1 to its width: it is the sign extension of
// its low bits, this many. significant_bits.cc.
uint32_t significant_bits(const Rewriter& rewriter, ir::ValueId value);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_FOLD_H_
