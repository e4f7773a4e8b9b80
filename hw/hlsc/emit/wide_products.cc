// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/wide_products.h"

namespace vta::hlsc::emit {

namespace {

// Widths of unsigned parts.
constexpr uint32_t kWide = 24, kNarrow = 17;

}  // namespace

Block wide_product(const Expression& a, const Expression& b, const Expression& product) {
  const uint32_t width = product.width(), rest_bits = width - kNarrow, corner_bits = width - kWide;
  Block block;
  const auto add = [&](const char* suffix, uint32_t bits, const Expression& value) {
    const Expression net = rtl::net(product.text() + suffix, bits);
    block.variables.push_back({net.text(), bits});
    block.assignments.push_back(rtl::blocking(net, value));
    return net;
  };
  const auto shifted = [](const Expression& value, uint32_t bits) {
    return rtl::concatenation({value, rtl::literal(bits, 0)});
  };
  const Expression near = add("_near", width,
                              rtl::binary(resized(rtl::range(a, kWide - 1, 0), width), "*",
                                          resized(rtl::range(b, kNarrow - 1, 0), width)));
  const Expression corner =
      add("_corner", corner_bits,
          rtl::binary(rtl::range(a, width - 1, kWide), "*", rtl::range(b, corner_bits - 1, 0)));
  const Expression rest = add("_rest", rest_bits,
                              rtl::binary(rtl::binary(rtl::range(a, rest_bits - 1, 0), "*",
                                                      rtl::range(b, width - 1, kNarrow)),
                                          "+", shifted(corner, kWide - kNarrow)));
  block.assignments.push_back(
      rtl::blocking(product, rtl::binary(near, "+", shifted(rest, kNarrow))));
  return block;
}

}  // namespace vta::hlsc::emit
