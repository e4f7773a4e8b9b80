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

// What a LUT has inputs for: so many constants compared with as many bits, half of that otherwise.
constexpr int kLutInputs = 6;
constexpr size_t kDspBits = 48;  // of the adder of a DSP48E1

// Bits of a sum that are computed: a bit after a repeated pair of operand bits is like the one
// before.
size_t significant(const Bits& a, const Bits& b) {
  size_t last = a.size() - 1;  // of the pairs that are all alike up to the end
  while (last > 0 && a[last - 1] == a.back() && b[last - 1] == b.back()) --last;
  const bool is_known = a[last] <= kOne && b[last] <= kOne;
  return std::min(a.size(), last + (is_known ? 1 : 2));
}

// a + b + carry_in. Positions below the first that can make another carry take no chain.
Bits total(BitGraph& graph, const Bits& a, const Bits& b, Bit carry_in) {
  const size_t width = significant(a, b);
  Bits sum;
  size_t start = 0;
  for (; start < width; ++start) {
    if (a[start] == carry_in) {
      sum.push_back(b[start]);
    } else if (b[start] == carry_in) {
      sum.push_back(a[start]);
    } else {
      break;
    }
  }
  if (start < width) {
    Chain chain{{}, {}, carry_in};
    for (size_t i = start; i < width; ++i) {
      chain.select.push_back(graph.exclusive(a[i], b[i]));
      chain.data.push_back(is_constant(b[i]) ? b[i] : a[i]);
    }
    const uint32_t length = static_cast<uint32_t>(chain.select.size());
    const Bit first = graph.exclusive(chain.select[0], carry_in);
    const uint32_t id = graph.chain(std::move(chain));
    // Without a carry in the first position is a gate.
    sum.push_back(is_constant(carry_in) ? first : graph.sum(id, 0));
    for (uint32_t i = 1; i < length; ++i) sum.push_back(graph.sum(id, i));
  }
  const bool is_same = a.back() == b.back();  // then it is the carry, and the sum, from here on
  sum.resize(a.size(), is_same ? a.back() : sum.back());
  return sum;
}

Bits inverted_word(Bits word) {
  for (Bit& bit : word) bit = inverted(bit);
  return word;
}

// Bits of an amount that shift a word of this size, and whether any other bit is set.
std::pair<Bits, Bit> amount_within(BitGraph& graph, Bits amount, size_t size) {
  size_t count = 0;
  while (count < amount.size() && size_t{1} << count < size) ++count;
  const Bit is_beyond =
      graph.any({amount.begin() + static_cast<std::ptrdiff_t>(count), amount.end()});
  amount.resize(count);
  return {std::move(amount), is_beyond};
}

}  // namespace

Bits sum(BitGraph& graph, std::vector<Bits> terms) {
  const size_t width = terms[0].size();
  const auto is_in_dsp = [&](const Bits& term) {
    return graph.is_product(term) || graph.is_product_register(term);
  };
  if (width <= kDspBits && std::ranges::any_of(terms, is_in_dsp)) {
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
  return total(graph, terms[0], terms[1], kZero);
}

Bits difference(BitGraph& graph, const Bits& a, const Bits& b) {
  return total(graph, a, inverted_word(b), kOne);
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

// As yosys' cmp2lcu: a position of the chain compares as many bits as a LUT can, from the most
// significant on.
Bit less(BitGraph& graph, Bits a, Bits b, bool is_signed) {
  if (is_signed) std::swap(a.back(), b.back());
  Chain chain;
  int budget = 0;
  for (size_t i = a.size(); i-- > 0;) {
    const int cost = (is_constant(a[i]) ? 0 : 1) + (is_constant(b[i]) ? 0 : 1);
    if (chain.select.empty() || budget < cost) {
      chain.select.push_back(kOne);
      chain.data.push_back(kZero);
      budget = kLutInputs;
    }
    budget -= cost;
    Bit &equal = chain.select.back(), &found = chain.data.back();
    found = graph.either(found, graph.both(equal, graph.both(inverted(a[i]), b[i])));
    equal = graph.both(equal, inverted(graph.exclusive(a[i], b[i])));
  }
  if (chain.select.empty()) return kZero;
  if (chain.select.size() == 1 && (is_constant(a) || is_constant(b))) return chain.data[0];
  std::ranges::reverse(chain.select);
  std::ranges::reverse(chain.data);
  const auto last = static_cast<uint32_t>(chain.select.size() - 1);
  return graph.carry(graph.chain(std::move(chain)), last);
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
  const auto [steps, is_beyond] = amount_within(graph, offset, word.size());
  for (size_t i = steps.size(); i-- > 0;) {
    if (steps[i] == kZero) continue;
    const size_t step = size_t{1} << i;
    // The most significant steps come first, so that fewer bits are left for the others.
    const size_t rest = (step - 1) + width;
    Bits next;
    for (size_t at = 0; at < std::min(rest, word.size()); ++at) {
      next.push_back(
          graph.select(steps[i], at + step < word.size() ? word[at + step] : fill, word[at]));
    }
    word = std::move(next);
  }
  word.resize(width, fill);
  for (Bit& bit : word) bit = graph.select(is_beyond, fill, bit);
  return word;
}

Bits shifted_left(BitGraph& graph, Bits word, const Bits& amount) {
  const auto [steps, is_beyond] = amount_within(graph, amount, word.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == kZero) continue;
    const size_t step = size_t{1} << i;
    Bits next;
    for (size_t at = 0; at < word.size(); ++at)
      next.push_back(graph.select(steps[i], at >= step ? word[at - step] : kZero, word[at]));
    word = std::move(next);
  }
  for (Bit& bit : word) bit = graph.select(is_beyond, kZero, bit);
  return word;
}

}  // namespace vta::hlsc::estimate
