// SPDX-License-Identifier: Apache-2.0
//
// A design at the level of bits: two-input gates, carry chains and products, without registers. A
// register, a memory or a port is a source where its value is read, and an endpoint (design_bits.h)
// where it is written. Gates are folded and hashed, so that equal gates are one node.
#ifndef VTA_HW_HLSC_ESTIMATE_BIT_GRAPH_H_
#define VTA_HW_HLSC_ESTIMATE_BIT_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace vta::hlsc::estimate {

// A node and whether it is inverted: 2 * node + 1 if it is. Nodes are numbered in topological
// order.
using Bit = uint32_t;
using Bits = std::vector<Bit>;  // the least significant first

inline constexpr Bit kZero = 0, kOne = 1;

constexpr Bit inverted(Bit bit) { return bit ^ 1; }
constexpr uint32_t node_of(Bit bit) { return bit / 2; }

enum class NodeKind : uint8_t {
  kConstant,
  kSource,
  kAnd,      // a & b
  kXor,      // a ^ b
  kSum,      // output O of a carry chain: a is the chain, b the position
  kCarry,    // output CO
  kProduct,  // an output of a DSP48E1: a is the product
};

constexpr bool is_gate(NodeKind kind) { return kind == NodeKind::kAnd || kind == NodeKind::kXor; }
constexpr bool is_chain_output(NodeKind kind) {
  return kind == NodeKind::kSum || kind == NodeKind::kCarry;
}

// What drives a source. kProductRegister: after the multiplier of a DSP48E1; kSumRegister: after
// its adder.
enum class SourceKind : uint8_t { kFlipFlop, kBlockRam, kLutRam, kProductRegister, kSumRegister };

struct Node {
  NodeKind kind = NodeKind::kConstant;
  SourceKind source = SourceKind::kFlipFlop;
  uint16_t block = 0;  // the process that it belongs to
  uint32_t a = 0, b = 0;
};

// CARRY4s: sum[i] = select[i] ^ carry[i]; carry[i + 1] = select[i] ? carry[i] : data[i].
struct Chain {
  Bits select, data;
  Bit carry_in = kZero;
};

// A DSP48E1. is_registered: a product in its register is one addend, the operands are the other.
struct Product {
  Bits operands;
  bool is_sum = false, is_registered = false;
};

class BitGraph {
 public:
  BitGraph() : nodes_(1) {}

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Chain>& chains() const { return chains_; }
  const std::vector<Product>& products() const { return products_; }

  void set_block(uint16_t block) { block_ = block; }
  uint16_t block() const { return block_; }

  Bit source(SourceKind kind);
  Bit both(Bit a, Bit b);
  Bit either(Bit a, Bit b) { return inverted(both(inverted(a), inverted(b))); }
  Bit exclusive(Bit a, Bit b);
  Bit select(Bit condition, Bit yes, Bit no);
  // The conjunction of any number of bits, as a balanced tree; and the disjunction.
  Bit all(Bits bits);
  Bit any(Bits bits);

  uint32_t chain(Chain chain);
  Bit sum(uint32_t chain, uint32_t position);
  Bit carry(uint32_t chain, uint32_t position);  // after that position
  // All bits of a product, each of which depends on all operand bits.
  Bits product(Bits operands, uint32_t width);
  // The same for a sum with products, or one product in its register, among its operands, in the
  // same DSP48E1.
  Bits product_sum(const Bits& operands, uint32_t width);
  // Whether products, to which the same DSP48E1 can add, and constants are all that the word has;
  // and the same for product registers.
  bool is_product(const Bits& word) const;
  bool is_product_register(const Bits& word) const;
  // Whether outputs of DSP48E1s, and constants, are all that the word has.
  bool is_dsp_output(const Bits& word) const;

 private:
  Bit add(NodeKind kind, uint32_t a, uint32_t b);
  Bits outputs(Product product, uint32_t width);
  template <typename Is>
  bool consists_of(const Bits& word, Is&& is) const;

  std::vector<Node> nodes_;  // the first is the constant 0
  std::vector<Chain> chains_;
  std::vector<Product> products_;
  std::unordered_map<uint64_t, uint32_t> ands_, xors_;
  uint16_t block_ = 0;
};

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_BIT_GRAPH_H_
