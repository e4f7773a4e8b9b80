// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/packed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/emit/product_pairs.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::emit {

namespace {

// The sum of two products a * x is in -32512 to 32768. With kBias added it is not negative and fits
// into kLowBits, so it neither borrows from the upper sum nor carries into it.
constexpr uint32_t kLowBits = bind::kPairedProductBits;
constexpr size_t kMaxTogether = schedule::kTermsOfPartialSum;
static_assert(kMaxTogether == 2, "the bias is for two products");
constexpr uint32_t kBias = 2 * 127 * 128;

// A tree of adders of two signed terms. Each adder has an extra lowest bit, which adds 1 and 0: it
// has no effect on the sum, but synthesis tools that would merge the additions into one sum of
// twice the LUTs keep such adders apart.
Expression tree(std::vector<Expression> terms, const std::string& name,
                const AddVariable& variable) {
  const Expression one = rtl::literal_text("1'b1", 1), zero = rtl::literal_text("1'b0", 1);
  int count = 0;
  while (terms.size() > 1) {
    std::vector<Expression> sums;
    for (size_t i = 0; i + 1 < terms.size(); i += 2) {
      const uint32_t bits = std::max(terms[i].width(), terms[i + 1].width()) + 1;
      const Expression sum =
          variable(fmt::format("{}_{}", name, count++), bits + 1,
                   rtl::concatenation({sign_extended(terms[i], bits), one}) +
                       rtl::concatenation({sign_extended(terms[i + 1], bits), zero}));
      sums.push_back(variable(sum.text() + "_sum", bits, rtl::range(sum, bits, 1)));
    }
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = std::move(sums);
  }
  return terms[0];
}

Expression sized(const Expression& term, uint32_t width) {
  return term.width() >= width ? rtl::range(term, width - 1, 0) : sign_extended(term, width);
}

}  // namespace

Expression packed_product(const Expression& a, const Expression& b, const Expression& x,
                          const std::string& name, const AddVariable& variable) {
  const PackedFactor factor = packed_factor(a, b);
  const Expression both =
      variable(name + "_pair", bind::kPackedFactorBits, factor.high + factor.low);
  return variable(name + "_packed", bind::kPackedProductBits,
                  rtl::as_signed(both) * rtl::as_signed(x));
}

std::vector<Expression> partial_sums(const std::vector<Expression>& products,
                                     const std::string& name, const AddVariable& variable) {
  std::vector<Expression> sums;
  for (size_t first = 0; first < products.size(); first += kMaxTogether) {
    const std::string group = fmt::format("{}_group{}", name, sums.size());
    Expression sum = rtl::literal_text(fmt::format("{}'sd{}", kPartialSumBits, kBias),
                                       kPartialSumBits),
               last;
    for (size_t i = first; i < std::min(first + kMaxTogether, products.size()); ++i) {
      last = variable(fmt::format("{}_{}", group, i - first), kPartialSumBits,
                      sum + rtl::as_signed(products[i]));
      sum = rtl::as_signed(last);
    }
    sums.push_back(last);
  }
  return sums;
}

std::pair<Expression, Expression> packed_sum(const std::vector<Expression>& partial_sums,
                                             uint32_t width, const std::string& name,
                                             const AddVariable& variable) {
  std::vector<Expression> low, high;
  for (const Expression& sum : partial_sums) {
    const std::string group = fmt::format("{}_group{}", name, low.size());
    low.push_back(variable(
        group + "_low", kLowBits + 1,
        rtl::concatenation({rtl::literal_text("1'b0", 1), rtl::range(sum, kLowBits - 1, 0)})));
    high.push_back(variable(group + "_high", kPartialSumBits - kLowBits,
                            rtl::range(sum, kPartialSumBits - 1, kLowBits)));
  }
  const Expression bias = literal(llvm::APInt(width, low.size() * kBias));
  const Expression low_sum = sized(tree(low, name + "_low", variable), width);
  return {low_sum - bias, sized(tree(high, name + "_high", variable), width)};
}

}  // namespace vta::hlsc::emit
