// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/wide_products.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;

namespace {

// Of parts without a sign.
constexpr uint32_t kWide = 24, kNarrow = 17;
constexpr uint32_t kMaxBits = 32;  // the corner of both rests has no more than 8

}  // namespace

bool is_wide_product(const ir::Process& process, const Op& op) {
  if (op.opcode != Opcode::kMul || op.width <= kWide || op.width > kMaxBits) return false;
  for (ir::ValueId operand : op.operands) {
    const Op& factor = process.ops[operand];
    if (factor.width != op.width || factor.opcode == Opcode::kConstant) return false;
  }
  return true;
}

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
