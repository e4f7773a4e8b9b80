// SPDX-License-Identifier: Apache-2.0
//
// Text of packed products and of their sums (bind/packed_sums.h).
#ifndef VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
#define VTA_HW_HLSC_EMIT_PACKED_SUMS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vta::hlsc::emit {

constexpr uint32_t kPackedProductBits = 33;

// Adds a variable of this name, width and expression, and gives its name.
using AddVariable = std::function<std::string(const std::string&, uint32_t, const std::string&)>;

// q of three signed operands of 8 bits, all by name; variables of the given name and more.
std::string write_packed_product(const std::string& a, const std::string& b, const std::string& x,
                                 const std::string& name, const AddVariable& variable);

// The low and the high sum of packed products, as expressions of `width` bits.
std::pair<std::string, std::string> write_packed_sum(const std::vector<std::string>& products,
                                                     uint32_t width, const std::string& name,
                                                     const AddVariable& variable);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PACKED_SUMS_H_
