// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/packed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

namespace {

// The sum of two products a * x is -32512 to 32768. With kBias added it fits 16 bits, is never
// negative, and so borrows nothing from the sum above.
constexpr uint32_t kLowBits = 16;
constexpr size_t kMostTogether = 2;
constexpr uint32_t kBias = 2 * 127 * 128;

struct Term {
  std::string name;
  uint32_t bits;
};

std::string extended(const Term& term, uint32_t bits) {
  if (term.bits == bits) return term.name;
  return fmt::format("{{{{{}{{{}[{}]}}}}, {}}}", bits - term.bits, term.name, term.bits - 1,
                     term.name);
}

// A tree of adders of two signed terms. The place below the lowest adds 1 and 0: nothing, but tools
// that gather whatever is added into one sum, of twice the LUTs, take such adders as they are.
Term tree(std::vector<Term> terms, const std::string& name, const AddVariable& variable) {
  int count = 0;
  while (terms.size() > 1) {
    std::vector<Term> sums;
    for (size_t i = 0; i + 1 < terms.size(); i += 2) {
      const uint32_t bits = std::max(terms[i].bits, terms[i + 1].bits) + 1;
      const std::string sum =
          variable(fmt::format("{}_{}", name, count++), bits + 1,
                   fmt::format("{{{}, 1'b1}} + {{{}, 1'b0}}", extended(terms[i], bits),
                               extended(terms[i + 1], bits)));
      sums.push_back({variable(sum + "_sum", bits, fmt::format("{}[{}:1]", sum, bits)), bits});
    }
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = std::move(sums);
  }
  return terms[0];
}

std::string sized(const Term& term, uint32_t width) {
  return term.bits >= width ? fmt::format("{}[{}:0]", term.name, width - 1) : extended(term, width);
}

}  // namespace

std::string write_packed_product(const std::string& a, const std::string& b, const std::string& x,
                                 const std::string& name, const AddVariable& variable) {
  const std::string both = variable(
      name + "_pair", kLowBits + 9,
      fmt::format("{{{0}[7], {0}, {1}'d0}} + {2}", b, kLowBits, extended({a, 8}, kLowBits + 9)));
  return variable(name + "_packed", kPackedProductBits,
                  fmt::format("$signed({}) * $signed({})", both, x));
}

std::pair<std::string, std::string> write_packed_sum(const std::vector<std::string>& products,
                                                     uint32_t width, const std::string& name,
                                                     const AddVariable& variable) {
  constexpr uint32_t kGroupBits = kPackedProductBits + 1, kHighBits = kGroupBits - kLowBits;
  std::vector<Term> low, high;
  for (size_t first = 0; first < products.size(); first += kMostTogether) {
    const std::string group = fmt::format("{}_group{}", name, low.size());
    std::string sum = fmt::format("{}'sd{}", kGroupBits, kBias), last;
    for (size_t i = first; i < std::min(first + kMostTogether, products.size()); ++i) {
      last = variable(fmt::format("{}_{}", group, i - first), kGroupBits,
                      fmt::format("{} + $signed({})", sum, products[i]));
      sum = fmt::format("$signed({})", last);
    }
    low.push_back({variable(group + "_low", kLowBits + 1,
                            fmt::format("{{1'b0, {}[{}:0]}}", last, kLowBits - 1)),
                   kLowBits + 1});
    high.push_back({variable(group + "_high", kHighBits,
                             fmt::format("{}[{}:{}]", last, kGroupBits - 1, kLowBits)),
                    kHighBits});
  }
  const llvm::APInt bias(width, low.size() * kBias);
  const std::string low_sum = sized(tree(low, name + "_low", variable), width);
  return {fmt::format("{} - {}", low_sum, literal(bias)),
          sized(tree(high, name + "_high", variable), width)};
}

}  // namespace vta::hlsc::emit
