// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_ESTIMATE_WORD_EXPRESSION_H_
#define VTA_HW_HLSC_ESTIMATE_WORD_EXPRESSION_H_

#include <functional>
#include <string>

#include "hw/hlsc/estimate/bit_graph.h"
#include "hw/hlsc/rtl/expression.h"

namespace vta::hlsc::estimate {

// What expressions read: nets by name.
struct NetReader {
  std::function<Bits(const rtl::Expression& net)> bits;
  std::function<bool(const std::string& net)> is_signed;
};

// The bits of an expression in a context of `width` bits (IEEE 1800-2017, 11.6), which is at least
// its own width or 0 for that.
Bits bits_of(BitGraph& graph, const rtl::Expression& expression, uint32_t width,
             const NetReader& nets);

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_WORD_EXPRESSION_H_
