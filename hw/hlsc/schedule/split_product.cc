// SPDX-License-Identifier: Apache-2.0
//
// A factor is cut into parts that are unsigned, but for the top part of a signed factor:
//   a = a0 + (a1 << 24), b = b0 + (b1 << 17): a * b = a0 * b0 + (a1 * b0 << 24) + ...
// Products whose distance is as many bits as they have, such as a0 * b0 and a1 * b1, are one term
// of the sum.
#include "hw/hlsc/schedule/split_product.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/split_sum.h"

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Unsigned bits of a part; the DSP48E1 has a sign beside them.
constexpr uint32_t kWidePart = kDspWideBits - 1, kNarrowPart = kDspNarrowBits - 1;

struct Part {
  ValueId value;  // without its extension
  bool is_signed;
  uint32_t shift = 0;
};

// The factor without its extension to the width of the product.
Part factor_of(PartBuilder& parts, const Op& product, ValueId value) {
  const Op op = parts.op(value);
  const bool is_whole = op.width == product.width;
  if (op.opcode == Opcode::kConstant) {
    const llvm::APInt& number = op.constant;
    const bool is_negative = (product.is_signed || is_whole) && number.isNegative();
    const uint32_t bits = is_negative ? number.getSignificantBits() : number.getActiveBits();
    return {parts.slice(value, 0, std::max(bits, 1u)), is_negative};
  }
  if (op.opcode == Opcode::kZext) return {op.operands[0], false};
  if (op.opcode == Opcode::kSext && (is_whole || product.is_signed)) return {op.operands[0], true};
  return {value, !is_whole && product.is_signed};
}

std::vector<Part> cut(PartBuilder& parts, const Part& factor, uint32_t part_bits) {
  std::vector<Part> cut;
  const uint32_t bits = parts.width(factor.value), sign = factor.is_signed ? 1 : 0;
  uint32_t at = 0;
  for (; bits - at > part_bits + sign; at += part_bits)
    cut.push_back({parts.slice(factor.value, at, part_bits), false, at});
  cut.push_back({parts.slice(factor.value, at, bits - at), factor.is_signed, at});
  return cut;
}

class Multiplier {
 public:
  Multiplier(PartBuilder& parts, uint32_t width) : parts_(parts), width_(width) {}

  // The terms of the product of two factors in parts; empty: it is 0.
  std::vector<ValueId> terms(const std::vector<Part>& a, const std::vector<Part>& b) {
    std::map<int64_t, std::vector<Part>> diagonals;
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t j = 0; j < b.size(); ++j) {
        const uint32_t shift = a[i].shift + b[j].shift;
        if (shift >= width_ || parts_.is_constant(a[i].value, 0) ||
            parts_.is_constant(b[j].value, 0))
          continue;
        diagonals[static_cast<int64_t>(i) - static_cast<int64_t>(j)].push_back(
            product(a[i], b[j], shift));
      }
    }
    std::vector<ValueId> terms;
    for (const auto& [distance, products] : diagonals) terms.push_back(term_of(products));
    return terms;
  }

 private:
  // In the registers A and B, M and P.
  Part product(const Part& a, const Part& b, uint32_t shift) {
    const uint32_t whole = parts_.width(a.value) + parts_.width(b.value);
    const uint32_t bits = std::min(whole, width_ - shift);
    Op op = ir::make_op(Opcode::kMul, bits, {});
    op.is_signed = a.is_signed || b.is_signed;
    op.operands = {operand(a, op), operand(b, op)};
    const bool is_signed = op.is_signed;
    const ValueId multiplied = parts_.append(std::move(op));
    return {parts_.staged(parts_.staged(multiplied)), is_signed, shift};
  }

  // An unsigned factor of a signed product needs a sign.
  ValueId operand(const Part& factor, const Op& product) {
    const uint32_t bits = parts_.width(factor.value);
    if (bits >= product.width) return parts_.staged(parts_.slice(factor.value, 0, product.width));
    const ValueId value = parts_.staged(factor.value);
    return product.is_signed && !factor.is_signed ? parts_.extend(value, bits + 1, false) : value;
  }

  // Products side by side, and zeros where there is none.
  ValueId term_of(const std::vector<Part>& products) {
    std::vector<ValueId> row;
    uint32_t end = 0;
    for (const Part& it : products) {
      if (it.shift > end) row.push_back(parts_.constant(it.shift - end, 0));
      row.push_back(it.value);
      end = it.shift + parts_.width(it.value);
    }
    return parts_.extend(parts_.concat(std::move(row)), width_, products.back().is_signed);
  }

  PartBuilder& parts_;
  const uint32_t width_;
};

size_t num_products(PartBuilder& parts, const Part& wide, const Part& narrow) {
  const auto count = [&](const Part& factor, uint32_t part_bits) {
    const uint32_t bits = parts.width(factor.value) - (factor.is_signed ? 1 : 0);
    return std::max(1u, (bits + part_bits - 1) / part_bits);
  };
  return size_t{count(wide, kWidePart)} * count(narrow, kNarrowPart);
}

}  // namespace

ValueId split_product(PartBuilder& parts, const Op& product) {
  Part a = factor_of(parts, product, product.operands[0]);
  Part b = factor_of(parts, product, product.operands[1]);
  if (num_products(parts, b, a) < num_products(parts, a, b)) std::swap(a, b);
  const std::vector<ValueId> terms =
      Multiplier(parts, product.width).terms(cut(parts, a, kWidePart), cut(parts, b, kNarrowPart));
  if (terms.empty()) return parts.constant(product.width, 0);
  return split_sum(parts, terms);
}

}  // namespace vta::hlsc::schedule
