// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/arithmetic.h"

#include <algorithm>
#include <utility>

namespace vta::hlsc::estimate {
namespace {

bool is_constant(Bit bit) { return bit <= kOne; }
bool is_constant(const Bits& bits) {
  return std::ranges::all_of(bits, [](Bit bit) { return is_constant(bit); });
}

// Comparisons with constants of at most this many bits are a LUT.
constexpr size_t kMaxLutInputs = 6;

struct Total {
  Bits sum;
  Bit carry;
};

// a + b + carry_in. Positions below the first that can make another carry take no chain.
Total total(BitGraph& graph, const Bits& a, const Bits& b, Bit carry_in) {
  Bits sum;
  size_t start = 0;
  for (; start < a.size(); ++start) {
    if (a[start] == carry_in) {
      sum.push_back(b[start]);
    } else if (b[start] == carry_in) {
      sum.push_back(a[start]);
    } else {
      break;
    }
  }
  if (start == a.size()) return {sum, carry_in};
  Chain chain{{}, {}, carry_in};
  for (size_t i = start; i < a.size(); ++i) {
    chain.select.push_back(graph.exclusive(a[i], b[i]));
    chain.data.push_back(is_constant(b[i]) ? b[i] : a[i]);
  }
  const uint32_t length = static_cast<uint32_t>(chain.select.size());
  const Bit first = graph.exclusive(chain.select[0], carry_in);
  const uint32_t id = graph.chain(std::move(chain));
  // Without a carry in the first position is a gate.
  sum.push_back(is_constant(carry_in) ? first : graph.sum(id, 0));
  for (uint32_t i = 1; i < length; ++i) sum.push_back(graph.sum(id, i));
  return {sum, graph.carry(id, length - 1)};
}

Bits inverted_word(Bits word) {
  for (Bit& bit : word) bit = inverted(bit);
  return word;
}

// a < b for a constant b of few bits or few variable ones, as gates.
Bit less_by_gates(BitGraph& graph, const Bits& a, const Bits& b) {
  Bit found = kZero;
  for (size_t i = 0; i < a.size(); ++i) {
    found = graph.select(graph.exclusive(a[i], b[i]), b[i], found);
  }
  return found;
}

}  // namespace

Bits sum(BitGraph& graph, std::vector<Bits> terms) {
  const size_t width = terms[0].size();
  if (std::ranges::any_of(terms, [&](const Bits& term) { return graph.is_product(term); })) {
    Bits operands;
    for (const Bits& term : terms) operands.insert(operands.end(), term.begin(), term.end());
    std::erase_if(operands, [](Bit bit) { return is_constant(bit); });
    return graph.product_sum(operands, static_cast<uint32_t>(width));
  }
  while (terms.size() > 2) {
    Bits sums, carries = {kZero};
    const Bits &a = terms[0], &b = terms[1], &c = terms[2];
    for (size_t i = 0; i < width; ++i) {
      const Bit differ = graph.exclusive(a[i], b[i]);
      sums.push_back(graph.exclusive(differ, c[i]));
      carries.push_back(graph.select(differ, c[i], a[i]));
    }
    carries.resize(width);
    terms.erase(terms.begin(), terms.begin() + 3);
    terms.push_back(std::move(sums));
    terms.push_back(std::move(carries));
  }
  return total(graph, terms[0], terms[1], kZero).sum;
}

Bits difference(BitGraph& graph, const Bits& a, const Bits& b) {
  return total(graph, a, inverted_word(b), kOne).sum;
}

Bits product(BitGraph& graph, const Bits& a, const Bits& b) {
  const auto power = [](const Bits& word) {
    return is_constant(word) && std::ranges::count(word, kOne) <= 1;
  };
  if (power(a) && !power(b)) return product(graph, b, a);
  if (power(b)) {
    const auto one = std::ranges::find(b, kOne);
    if (one == b.end()) return Bits(a.size(), kZero);
    Bits result(static_cast<size_t>(one - b.begin()), kZero);
    result.insert(result.end(), a.begin(), a.end());
    result.resize(a.size());
    return result;
  }
  Bits operands;
  for (const Bits* word : {&a, &b}) {
    for (Bit bit : *word) {
      if (!is_constant(bit)) operands.push_back(bit);
    }
  }
  return graph.product(std::move(operands), static_cast<uint32_t>(a.size()));
}

Bit less(BitGraph& graph, Bits a, Bits b, bool is_signed) {
  if (is_signed) {
    a.back() = inverted(a.back());
    b.back() = inverted(b.back());
  }
  // Equal leading bits decide nothing.
  while (!a.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  if (a.empty()) return kZero;
  if ((is_constant(a) || is_constant(b)) && a.size() <= kMaxLutInputs)
    return less_by_gates(graph, a, b);
  if (is_constant(a) && is_constant(b)) return less_by_gates(graph, a, b);
  return inverted(total(graph, a, inverted_word(b), kOne).carry);
}

Bit equal(BitGraph& graph, const Bits& a, const Bits& b) {
  Bits same;
  for (size_t i = 0; i < a.size(); ++i) same.push_back(inverted(graph.exclusive(a[i], b[i])));
  return graph.all(std::move(same));
}

Bits select(BitGraph& graph, Bit condition, const Bits& yes, const Bits& no) {
  Bits result;
  for (size_t i = 0; i < yes.size(); ++i) result.push_back(graph.select(condition, yes[i], no[i]));
  return result;
}

Bits part(BitGraph& graph, Bits word, const Bits& offset, uint32_t width, Bit fill) {
  for (size_t i = offset.size(); i-- > 0;) {
    if (offset[i] == kZero) continue;
    const uint64_t step = i < 32 ? uint64_t{1} << i : word.size();
    // The most significant steps come first, so that fewer bits are left for the others.
    const uint64_t rest = (step - 1) + width;
    Bits next;
    for (uint64_t at = 0; at < std::min<uint64_t>(rest, word.size()); ++at) {
      next.push_back(
          graph.select(offset[i], at + step < word.size() ? word[at + step] : fill, word[at]));
    }
    word = std::move(next);
  }
  word.resize(width, fill);
  return word;
}

Bits shifted_left(BitGraph& graph, Bits word, const Bits& amount) {
  for (size_t i = 0; i < amount.size(); ++i) {
    if (amount[i] == kZero) continue;
    const uint64_t step = i < 32 ? uint64_t{1} << i : word.size();
    Bits next;
    for (uint64_t at = 0; at < word.size(); ++at)
      next.push_back(graph.select(amount[i], at >= step ? word[at - step] : kZero, word[at]));
    word = std::move(next);
  }
  return word;
}

}  // namespace vta::hlsc::estimate
