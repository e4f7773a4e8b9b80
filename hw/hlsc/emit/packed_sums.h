// SPDX-License-Identifier: Apache-2.0
//
// The expressions of packed products and of their sums (bind/packed_sums.h).
#ifndef VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
#define VTA_HW_HLSC_EMIT_PACKED_SUMS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/bind/product_pairs.h"
#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

// Adds a variable of this name and width for the expression, and returns it.
using AddVariable = std::function<Expression(const std::string&, uint32_t, const Expression&)>;

// q of three signed operands of 8 bits; adds variables whose names begin with `name`.
Expression packed_product(const Expression& a, const Expression& b, const Expression& x,
                          const std::string& name, const AddVariable& variable);

// Partial sums of packed products, two products each, and the low and the high sum, of `width`
// bits, of these.
constexpr uint32_t kPartialSumBits = bind::kPackedProductBits + 1;
std::vector<Expression> partial_sums(const std::vector<Expression>& products,
                                     const std::string& name, const AddVariable& variable);
std::pair<Expression, Expression> packed_sum(const std::vector<Expression>& partial_sums,
                                             uint32_t width, const std::string& name,
                                             const AddVariable& variable);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
