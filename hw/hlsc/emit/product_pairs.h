// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of a product pair (bind/product_pairs.h): how its factors are packed for one
// multiplier, and how the two products are taken from q.
#ifndef VTA_HW_HLSC_EMIT_PRODUCT_PAIRS_H_
#define VTA_HW_HLSC_EMIT_PRODUCT_PAIRS_H_

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

// The terms of the packed factor (b << 16) + a, sign-extended to its width.
struct PackedFactor {
  Expression high, low;
};
PackedFactor packed_factor(const Expression& a, const Expression& b);

// a * x and b * x of the net q. The low product borrows from the upper half of q if it is negative,
// which its sign bit gives back.
Expression low_product(const Expression& q);
Expression high_product(const Expression& q);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PRODUCT_PAIRS_H_
