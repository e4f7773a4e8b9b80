// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_PRODUCT_PAIRS_H_
#define VTA_HW_HLSC_SCHEDULE_PRODUCT_PAIRS_H_

#include <map>
#include <span>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// Two signed products of 8 x 8 bits that have an operand x in common fit one multiplier of 25 x 18
// bits, exactly: q = ((b << 16) + a) * x, a * x = q[15:0], b * x = q[31:16] + q[15].
struct ProductPair {
  ir::ValueId low, high;  // the products
  ir::ValueId low_operand, high_operand, shared;
};

// The pairs among these operations, by each of their products.
std::map<ir::ValueId, ProductPair> pair_products(const ir::Process& process,
                                                 std::span<const ir::ValueId> operations);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_PRODUCT_PAIRS_H_
