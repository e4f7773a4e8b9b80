// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/packed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/emit/product_pairs.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::emit {

namespace {

// The sum of two products a * x is in -32512 to 32768. With kBias added it fits into kLowBits and
// is never negative, so it does not borrow from the upper sum. kBias is 1 less than half of the
// range, so these bits with the highest one inverted are the sum less 1 as a signed number.
constexpr uint32_t kLowBits = bind::kPairedProductBits;
constexpr size_t kMaxTogether = schedule::kTermsOfPartialSum;
static_assert(kMaxTogether == 2, "the bias is for two products");
constexpr uint32_t kBias = (1u << (kLowBits - 1)) - 1;
static_assert(kBias >= 2 * 127 * 128 && kBias + 2 * 128 * 128 < (1u << kLowBits));

using Terms = std::pair<Expression, Expression>;

// Two terms with the sum a + b + 1, by a carry-save adder of a, b and 1. Its two outputs are logic
// of two bits of each term, for which the LUTs of the following adder have inputs.
Terms plus_one(const Expression& a, const Expression& b, const std::string& name,
               const AddVariable& variable) {
  const uint32_t bits = a.width();
  const Expression x = variable(name + "_a", bits, a), y = variable(name + "_b", bits, b);
  const Expression one = rtl::literal(bits, 1);
  const Expression carries = variable(name + "_carries", bits, (x & y) | ((x | y) & one));
  return {rtl::parentheses(x ^ y) ^ one,
          rtl::concatenation({rtl::range(carries, bits - 2, 0), rtl::literal_text("1'b0", 1)})};
}

// The sum of signed terms and `ones`, at most their number, by a tree of adders of two terms. Each
// adder has an extra lowest bit, which adds 1 and 0, or 1 and 1 to carry one of the `ones`; the
// last adder carries a second one. Also without a carry that bit keeps adders apart that synthesis
// tools would merge into one sum of twice the LUTs.
Expression tree(std::vector<Expression> terms, size_t ones, const std::string& name,
                const AddVariable& variable) {
  const Expression one = rtl::literal_text("1'b1", 1), zero = rtl::literal_text("1'b0", 1);
  int count = 0;
  while (terms.size() > 1) {
    std::vector<Expression> sums;
    for (size_t i = 0; i + 1 < terms.size(); i += 2) {
      const bool carries = ones > 0, carries_two = terms.size() == 2 && ones > 1;
      ones -= carries_two ? 2 : carries;
      // A sum of terms of n bits and 1 has n + 1 bits, of such terms and 2 one more.
      const uint32_t bits =
          std::max(terms[i].width(), terms[i + 1].width()) + (carries_two ? 2 : 1);
      const std::string sum_name = fmt::format("{}_{}", name, count++);
      Terms pair{sign_extended(terms[i], bits), sign_extended(terms[i + 1], bits)};
      if (carries_two) pair = plus_one(pair.first, pair.second, sum_name, variable);
      const Expression sum = variable(sum_name, bits + 1,
                                      rtl::concatenation({pair.first, one}) +
                                          rtl::concatenation({pair.second, carries ? one : zero}));
      sums.push_back(variable(sum.text() + "_sum", bits, rtl::range(sum, bits, 1)));
    }
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = std::move(sums);
  }
  VTA_ASSERT(ones == 0, "a tree of n terms carries n ones");
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
        group + "_low", kLowBits,
        rtl::concatenation({~rtl::bits(sum, kLowBits - 1, 1), rtl::range(sum, kLowBits - 2, 0)})));
    high.push_back(variable(group + "_high", kPartialSumBits - kLowBits,
                            rtl::range(sum, kPartialSumBits - 1, kLowBits)));
  }
  const size_t ones = low.size();  // each low term lacks 1
  return {sized(tree(std::move(low), ones, name + "_low", variable), width),
          sized(tree(std::move(high), 0, name + "_high", variable), width)};
}

}  // namespace vta::hlsc::emit
