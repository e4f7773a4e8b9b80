// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/bit_graph.h"

#include <algorithm>
#include <utility>

namespace vta::hlsc::estimate {
namespace {

uint64_t key(Bit a, Bit b) { return uint64_t{a} << 32 | b; }

}  // namespace

Bit BitGraph::add(NodeKind kind, uint32_t a, uint32_t b) {
  nodes_.push_back({kind, SourceKind::kFlipFlop, block_, a, b});
  return static_cast<Bit>(2 * (nodes_.size() - 1));
}

Bit BitGraph::source(SourceKind kind) {
  const Bit bit = add(NodeKind::kSource, 0, 0);
  nodes_.back().source = kind;
  return bit;
}

Bit BitGraph::both(Bit a, Bit b) {
  if (a > b) std::swap(a, b);
  if (a == kZero || a == inverted(b)) return kZero;
  if (a == kOne || a == b) return b;
  const auto [found, is_new] = ands_.try_emplace(key(a, b), 0);
  if (is_new) found->second = add(NodeKind::kAnd, a, b);
  return found->second;
}

Bit BitGraph::exclusive(Bit a, Bit b) {
  const Bit inversion = (a ^ b) & 1;
  a &= ~Bit{1};
  b &= ~Bit{1};
  if (a > b) std::swap(a, b);
  if (a == b) return inversion;
  if (a == kZero) return b ^ inversion;
  const auto [found, is_new] = xors_.try_emplace(key(a, b), 0);
  if (is_new) found->second = add(NodeKind::kXor, a, b);
  return found->second ^ inversion;
}

Bit BitGraph::select(Bit condition, Bit yes, Bit no) {
  if (yes == no) return yes;
  if (yes == inverted(no)) return exclusive(condition, no);
  return either(both(condition, yes), both(inverted(condition), no));
}

Bit BitGraph::all(Bits bits) {
  if (bits.empty()) return kOne;
  while (bits.size() > 1) {
    Bits halved;
    for (size_t i = 0; i + 1 < bits.size(); i += 2) halved.push_back(both(bits[i], bits[i + 1]));
    if (bits.size() % 2 == 1) halved.push_back(bits.back());
    bits = std::move(halved);
  }
  return bits[0];
}

Bit BitGraph::any(Bits bits) {
  for (Bit& bit : bits) bit = inverted(bit);
  return inverted(all(std::move(bits)));
}

uint32_t BitGraph::chain(Chain chain) {
  chains_.push_back(std::move(chain));
  return static_cast<uint32_t>(chains_.size() - 1);
}

Bit BitGraph::sum(uint32_t chain, uint32_t position) {
  return add(NodeKind::kSum, chain, position);
}

Bit BitGraph::carry(uint32_t chain, uint32_t position) {
  return add(NodeKind::kCarry, chain, position);
}

Bits BitGraph::outputs(Product product, uint32_t width) {
  products_.push_back(std::move(product));
  Bits bits;
  for (uint32_t i = 0; i < width; ++i)
    bits.push_back(add(NodeKind::kProduct, static_cast<uint32_t>(products_.size() - 1), i));
  return bits;
}

Bits BitGraph::product(Bits operands, uint32_t width) {
  return outputs({std::move(operands)}, width);
}

Bits BitGraph::product_sum(const Bits& operands, uint32_t width) {
  Product sum{{}, true, true};
  for (Bit bit : operands) {
    const Node& node = nodes_[node_of(bit)];
    if (node.kind == NodeKind::kProduct) {
      const Product& product = products_[node.a];
      sum.is_registered = false;
      sum.operands.insert(sum.operands.end(), product.operands.begin(), product.operands.end());
    } else if (node.kind != NodeKind::kSource || node.source != SourceKind::kProductRegister) {
      sum.operands.push_back(bit);
    }
  }
  // An addend in flip-flops moves into the register of its pins.
  if (sum.is_registered)
    std::erase_if(sum.operands, [&](Bit bit) {
      const Node& node = nodes_[node_of(bit)];
      return node.kind == NodeKind::kSource && node.source == SourceKind::kFlipFlop;
    });
  std::ranges::sort(sum.operands);
  sum.operands.erase(std::ranges::unique(sum.operands).begin(), sum.operands.end());
  return outputs(std::move(sum), width);
}

template <typename Is>
bool BitGraph::consists_of(const Bits& word, Is&& is) const {
  const auto is_such = [&](Bit bit) { return is(nodes_[node_of(bit)]); };
  return std::ranges::any_of(word, is_such) &&
         std::ranges::all_of(word, [&](Bit bit) { return node_of(bit) == 0 || is_such(bit); });
}

bool BitGraph::is_product(const Bits& word) const {
  return consists_of(word, [&](const Node& node) {
    return node.kind == NodeKind::kProduct && !products_[node.a].is_registered;
  });
}

bool BitGraph::is_dsp_output(const Bits& word) const {
  return consists_of(word, [](const Node& node) { return node.kind == NodeKind::kProduct; });
}

bool BitGraph::is_product_register(const Bits& word) const {
  return consists_of(word, [](const Node& node) {
    return node.kind == NodeKind::kSource && node.source == SourceKind::kProductRegister;
  });
}

}  // namespace vta::hlsc::estimate
