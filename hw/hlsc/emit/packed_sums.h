// SPDX-License-Identifier: Apache-2.0
//
// Sums over pairs of products that stay together: q = ((b << 16) + a) * x has a * x in its low 16
// bits, where there is room for the sum of two. So the first additions take no more than the adders
// behind the multipliers, and the two sums come apart when half of the terms are left.
#ifndef VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
#define VTA_HW_HLSC_EMIT_PACKED_SUMS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/product_pairs.h"

namespace vta::hlsc::emit {

// The sums of the low and of the high products of pairs that nothing else uses.
struct PackedSum {
  ir::ValueId low, high;
  std::vector<schedule::ProductPair> pairs;
};

constexpr uint32_t kPackedProductBits = 33;

// Those of a pipeline's body, by each of the two sums and by the low products, which stand for
// their pairs. The products are computed in an earlier stage than the sums, as many as make the
// text for simulators another one (simulation_schedule.h): these are better off without.
std::map<ir::ValueId, PackedSum> pack_sums(const ir::Process& process,
                                           std::span<const ir::ValueId> body,
                                           const std::function<uint32_t(ir::ValueId)>& stage_of);

// Adds a variable of this name and width for the expression, and returns it.
using AddVariable = std::function<Expression(const std::string&, uint32_t, const Expression&)>;

// q of three signed operands of 8 bits; adds variables whose names begin with `name`.
Expression packed_product(const Expression& a, const Expression& b, const Expression& x,
                          const std::string& name, const AddVariable& variable);

// The low and the high sum of packed products, of `width` bits.
std::pair<Expression, Expression> packed_sum(const std::vector<Expression>& products,
                                             uint32_t width, const std::string& name,
                                             const AddVariable& variable);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
