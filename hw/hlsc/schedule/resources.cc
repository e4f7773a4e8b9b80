// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/resources.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

uint32_t parts(uint32_t whole, uint32_t each) { return (whole + each - 1) / each; }

struct Product {
  uint32_t width;
  uint32_t wide, narrow;  // bits of the operands
  bool can_pair;
  ValueId a, b;
};

// The products of one step of one sequence.
using Step = std::pair<const ir::Sequence*, uint32_t>;
using Products = std::map<Step, std::vector<Product>>;

// Two of these, in a pipeline, with a factor in common take one multiplier (emit/product_pairs.h).
bool is_small_product(const Op& product, const Op& a, const Op& b) {
  return product.is_signed && product.width == 16 && a.width == 8 && b.width == 8;
}

void collect(const ir::Process& process, const ProcessSchedule& schedule, const ir::Sequence& items,
             bool pipelined, Products& products) {
  for (const ir::Item& item : items) {
    if (const auto* loop = std::get_if<std::unique_ptr<ir::Loop>>(&item)) {
      const bool pipelines = (*loop)->initiation_interval != 0;
      collect(process, schedule, (*loop)->head, pipelines, products);
      collect(process, schedule, (*loop)->body, pipelines, products);
      continue;
    }
    const ValueId value = std::get<ValueId>(item);
    const Op& op = process.ops[value];
    if (op.opcode != Opcode::kMul) continue;
    const Op &a = process.ops[op.operands[0]], &b = process.ops[op.operands[1]];
    if (a.opcode == Opcode::kConstant || b.opcode == Opcode::kConstant) continue;
    const uint32_t wide = std::max(a.width, b.width), narrow = std::min(a.width, b.width);
    products[{&items, schedule.step[value]}].push_back({op.width, wide, narrow,
                                                        pipelined && is_small_product(op, a, b),
                                                        op.operands[0], op.operands[1]});
  }
}

bool share_an_operand(const Product& x, const Product& y) {
  return x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b;
}

uint32_t of_product(const Product& product) {
  const bool low_bits_only = product.width == product.narrow && product.width <= 32;
  const uint32_t count = parts(product.wide, 25) * parts(product.narrow, 18);
  return low_bits_only ? std::min(count, 2u) : count;
}

uint32_t of_step(const std::vector<Product>& products) {
  uint32_t count = 0;
  std::vector<bool> paired(products.size(), false);
  for (size_t i = 0; i < products.size(); ++i) {
    if (paired[i]) continue;
    count += of_product(products[i]);
    for (size_t j = i + 1; products[i].can_pair && j < products.size(); ++j) {
      if (paired[j] || !products[j].can_pair || !share_an_operand(products[i], products[j]))
        continue;
      paired[j] = true;
      break;
    }
  }
  return count;
}

// RAMB18 for words of a width, of which a RAMB18 takes 36, 18, 9, 4, 2 or 1 bits.
uint32_t ramb18(uint32_t width, uint32_t depth, bool with_parity) {
  static constexpr struct {
    uint32_t width, width_without_parity, depth;
  } kShapes[] = {{36, 32, 512}, {18, 16, 1024}, {9, 8, 2048},
                 {4, 4, 4096},  {2, 2, 8192},   {1, 1, 16384}};
  uint32_t least = ~0u;
  for (const auto& shape : kShapes) {
    const uint32_t bits = with_parity ? shape.width : shape.width_without_parity;
    least = std::min(least, parts(width, bits) * parts(depth, shape.depth));
  }
  return least;
}

}  // namespace

uint32_t dsp48e1(const ir::Process& process, const ProcessSchedule& schedule) {
  Products products;
  collect(process, schedule, process.body, false, products);
  uint32_t count = 0;
  for (const auto& [step, those] : products) count += of_step(those);
  return count;
}

double ramb36(const ir::Object& ram) {
  return ram.banks * ramb18(ram.width, ram.depth / ram.banks, ram.lane_width == ram.width) / 2.0;
}

double ramb36_of_fifo(const ir::Object& stream) {
  constexpr uint32_t kSmall = 32;  // hw/rtl/hls_fifo.sv
  if (stream.width == 0 || stream.depth <= kSmall) return 0;
  return ramb18(stream.width, stream.depth, true) / 2.0;
}

}  // namespace vta::hlsc::schedule
