// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/resources.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "hw/hlsc/schedule/product_pairs.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

uint32_t parts(uint32_t whole, uint32_t each) { return (whole + each - 1) / each; }

// The products of one step of one sequence, without those by a constant.
struct Step {
  bool is_pipelined = false;
  std::vector<ValueId> products;
};
using Steps = std::map<std::pair<const ir::Sequence*, uint32_t>, Step>;

void collect(const ir::Process& process, const ProcessSchedule& schedule, const ir::Sequence& items,
             bool is_pipelined, Steps& steps) {
  for (const ir::Item& item : items) {
    if (const auto* loop = std::get_if<std::unique_ptr<ir::Loop>>(&item)) {
      const bool pipelines = (*loop)->initiation_interval != 0;
      collect(process, schedule, (*loop)->head, pipelines, steps);
      collect(process, schedule, (*loop)->body, pipelines, steps);
      continue;
    }
    const ValueId value = std::get<ValueId>(item);
    const Op& op = process.ops[value];
    const auto is_constant = [&](ValueId operand) {
      return process.ops[operand].opcode == Opcode::kConstant;
    };
    if (op.opcode != Opcode::kMul || std::ranges::any_of(op.operands, is_constant)) continue;
    Step& step = steps[{&items, schedule.step[value]}];
    step.is_pipelined = is_pipelined;
    step.products.push_back(value);
  }
}

uint32_t of_product(const ir::Process& process, const Op& op) {
  const uint32_t a = process.ops[op.operands[0]].width, b = process.ops[op.operands[1]].width;
  const uint32_t wide = std::max(a, b), narrow = std::min(a, b);
  const bool low_bits_only = op.width == narrow && op.width <= 32;
  const uint32_t count = parts(wide, 25) * parts(narrow, 18);
  return low_bits_only ? std::min(count, 2u) : count;
}

// In a pipeline, and there alone, two small products with a common factor share one.
uint32_t of_step(const ir::Process& process, const Step& step) {
  uint32_t count = 0;
  for (ValueId product : step.products) count += of_product(process, process.ops[product]);
  if (step.is_pipelined)
    count -= static_cast<uint32_t>(pair_products(process, step.products).size()) / 2;
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
  Steps steps;
  collect(process, schedule, process.body, false, steps);
  uint32_t count = 0;
  for (const auto& [place, step] : steps) count += of_step(process, step);
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
