// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_BIND_PRODUCT_PAIRS_H_
#define VTA_HW_HLSC_BIND_PRODUCT_PAIRS_H_

#include <cstdint>
#include <map>
#include <span>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::bind {

// Bits of each factor and product of a pair; of (b << 16) + a, whose sign needs a bit of its own;
// and of q.
constexpr uint32_t kPairedFactorBits = 8;
constexpr uint32_t kPairedProductBits = 2 * kPairedFactorBits;
constexpr uint32_t kPackedFactorBits = kPairedProductBits + kPairedFactorBits + 1;
constexpr uint32_t kPackedProductBits = kPackedFactorBits + kPairedFactorBits;

// Two signed 8 x 8 bit products with a common factor x, computed by one 25 x 18 bit multiplier:
// q = ((b << 16) + a) * x, a * x = q[15:0], b * x = q[31:16] + q[15].
struct ProductPair {
  ir::ValueId low, high;  // the products; `low` comes first in program order
  ir::ValueId low_operand, high_operand, shared;
};

// Pairs among these operations, which all happen at once; each pair is listed under both products.
//
// As many as possible: in the graph whose vertices are factors and whose edges are products, every
// connected component of n products gives n / 2 pairs. Products of the most frequent factor are
// paired first, so that a row of products by one factor stays together (packed_sums.h).
std::map<ir::ValueId, ProductPair> pair_products(const ir::Process& process,
                                                 std::span<const ir::ValueId> operations);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_PRODUCT_PAIRS_H_
