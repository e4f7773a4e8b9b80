// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/product_pairs.h"

#include "hw/hlsc/bind/product_pairs.h"

namespace vta::hlsc::emit {

using bind::kPairedProductBits;

PackedFactor packed_factor(const Expression& a, const Expression& b) {
  const Expression sign_of_b = rtl::bits(b, bind::kPairedFactorBits - 1, 1);
  return {rtl::concatenation({sign_of_b, b, rtl::literal(kPairedProductBits, 0)}),
          sign_extended(a, bind::kPackedFactorBits)};
}

Expression low_product(const Expression& q) { return rtl::range(q, kPairedProductBits - 1, 0); }

Expression high_product(const Expression& q) {
  const Expression sign_of_low = rtl::bits(q, kPairedProductBits - 1, 1);
  return rtl::range(q, 2 * kPairedProductBits - 1, kPairedProductBits) +
         rtl::concatenation({rtl::literal(kPairedProductBits - 1, 0), sign_of_low});
}

}  // namespace vta::hlsc::emit
