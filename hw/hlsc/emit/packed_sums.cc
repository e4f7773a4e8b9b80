// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/packed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/simulation_schedule.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// The sum of two products a * x is -32512 to 32768. With kBias added it fits 16 bits, is never
// negative, and so borrows nothing from the sum above.
constexpr uint32_t kLowBits = 16;
constexpr size_t kMostTogether = 2;
constexpr uint32_t kBias = 2 * 127 * 128;

class Packer {
 public:
  Packer(const ir::Process& process, std::span<const ValueId> body,
         const std::function<uint32_t(ValueId)>& stage_of)
      : process_(process), body_(body), stage_of_(stage_of), uses_(ir::count_uses(process)) {
    std::map<uint32_t, std::vector<ValueId>> stages;
    for (ValueId value : body) stages[stage_of(value)].push_back(value);
    for (const auto& [stage, operations] : stages) {
      for (const auto& [product, pair] : schedule::pair_products(process, operations))
        pairs_.emplace(product, pair);
    }
  }

  std::map<ValueId, PackedSum> run() {
    std::map<std::set<ValueId>, ValueId> sums;  // by their products
    for (ValueId value : body_) {
      if (const std::set<ValueId> products = products_of(value); !products.empty())
        sums.emplace(products, value);
    }
    std::map<ValueId, PackedSum> packed;
    for (const auto& [products, sum] : sums) {
      const std::set<ValueId> partners = high_products(products);
      const auto other = sums.find(partners);
      if (partners.empty() || other == sums.end() || !come_apart(sum, other->second)) continue;
      PackedSum both{sum, other->second, {}};
      for (ValueId product : products) both.pairs.push_back(pairs_.at(product));
      for (ValueId product : products) packed.emplace(product, both);
      packed.emplace(sum, both);
      packed.emplace(other->second, both);
    }
    return packed;
  }

 private:
  // Whether both sums are of the same width, and in the same stage.
  bool come_apart(ValueId sum, ValueId other) const {
    return process_.ops[sum].width == process_.ops[other].width &&
           stage_of_(sum) == stage_of_(other);
  }

  // Of a long sum of nothing but products for it alone, each of a pair; none if it is no such sum.
  std::set<ValueId> products_of(ValueId sum) const {
    const Op& op = process_.ops[sum];
    std::set<ValueId> products;
    if (op.opcode != Opcode::kSum || op.operands.size() < kLongSum) return products;
    for (ValueId term : op.operands) {
      const bool extended = process_.ops[term].opcode == Opcode::kSext;
      const ValueId product = extended ? process_.ops[term].operands[0] : term;
      const bool alone = uses_[term] == 1 && uses_[product] == 1;
      if (!alone || !pairs_.contains(product) || stage_of_(product) >= stage_of_(sum)) return {};
      products.insert(product);
    }
    return products;
  }

  // The partners of products that are all low ones of their pairs.
  std::set<ValueId> high_products(const std::set<ValueId>& products) const {
    std::set<ValueId> partners;
    for (ValueId product : products) {
      const schedule::ProductPair& pair = pairs_.at(product);
      if (pair.low != product) return {};
      partners.insert(pair.high);
    }
    return partners;
  }

  const ir::Process& process_;
  std::span<const ValueId> body_;
  const std::function<uint32_t(ValueId)>& stage_of_;
  const std::vector<uint32_t> uses_;
  std::map<ValueId, schedule::ProductPair> pairs_;
};

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

std::map<ValueId, PackedSum> pack_sums(const ir::Process& process, std::span<const ValueId> body,
                                       const std::function<uint32_t(ValueId)>& stage_of) {
  return Packer(process, body, stage_of).run();
}

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
