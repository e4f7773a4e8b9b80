// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a standalone residual add: two int8 operands of one layout are loaded into ACC with
// sign extension, added and requantized. Tiles are runs of elements in alternating halves of ACC.
// The sum of a tensor with itself, a requantization or an activation, is loaded once and shifted.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/transfer.h"
#include "hw/isa/instruction.h"

namespace vta::lower {
namespace {

// (a << shift_a) + (b << shift_b), requantized. Each tensor has `num_elems` elements of OUT.
struct AddLayer {
  int64_t num_elems = 0;
  DramAddress a, b, output;
  int64_t shift_a = 0, shift_b = 0;
  AddFactors factors;    // tile: a, residual: b
  bool doubles = false;  // a and b are one tensor, with one shift
  Requantization requantization;

  // Whether a half of ACC holds a second operand, or the copy of a leaky relu.
  bool has_second() const { return !doubles || requantization.leak; }
};

// Whether the sum is that of a tensor and itself, a shift, which wraps neither alone nor together
// with that of the requantization.
bool doubles(const graph::Node& node) {
  constexpr int64_t kMaxShift = 7;
  const auto attrs = node.attrs_of<OpKind::kQAdd>();
  return node.inputs[0] == node.inputs[1] && attrs.shift_a == attrs.shift_b && !attrs.scaled &&
         attrs.shift_a <= kMaxShift && attrs.shift >= -kMaxShift;
}

// A bound of the magnitude of the sum.
int64_t max_sum(const Attrs<OpKind::kQAdd>& attrs) {
  constexpr int64_t kMost = int64_t{1} << 31;
  if (attrs.scaled) return kMost;
  return std::min(kMost, (int64_t{128} << attrs.shift_a) + (int64_t{128} << attrs.shift_b));
}

std::optional<HostReason> addition_obstacle(const PartitionState& state, const graph::Node& node) {
  const size_t rank = node.type.shape.size();
  if (rank != 2 && rank != 4) return HostReason::kUnpackable;
  if (!state.is_image_on_core(state.operand(node, 0)) &&
      !state.is_image_on_core(state.operand(node, 1)))
    return HostReason::kHostOperand;
  if (node.attrs.scaled && state.core.acc_depth() / 2 < kMinScaledHalfElems)
    return HostReason::kTooLarge;
  return std::nullopt;
}

// Elements of a tile.
int64_t add_tile_elems(const AddLayer& layer, const CoreConfig& core) {
  // Elements of a half, without the addend.
  const int64_t capacity = core.acc_depth() / 2 - (layer.requantization.scaled ? 1 : 0);
  const int64_t most = capacity / (layer.has_second() ? 2 : 1);
  return ceil_div(layer.num_elems, ceil_div(layer.num_elems, most));
}

std::vector<AluPass> passes_of(const AddLayer& layer, AluStyle style) {
  if (layer.requantization.scaled)
    return scaled_addition_passes(style, layer.requantization, layer.factors);
  if (layer.doubles) return activation_passes(style, layer.requantization, layer.shift_a + 1);
  return addition_passes(style, layer.requantization, layer.shift_a, layer.shift_b);
}

void lower_addition(const AddLayer& layer, LayerContext& context) {
  StreamBuilder& stream = context.stream();
  const int64_t tile_elems = add_tile_elems(layer, context.core);
  const bool scaled = layer.requantization.scaled;
  const AccHalves acc(context, {.tile = tile_elems,
                                .residual = layer.has_second() ? tile_elems : 0,
                                .addend = scaled ? 1 : 0});
  const auto passes = passes_of(layer, context.style);
  if (scaled) {
    const uint64_t addend = append_element(context, layer.factors.addend);
    for (int half : {0, 1}) {
      stream.add(load_of_run(isa::kAcc, acc.addend(half), 1), {DramAddress::Area::kImage, addend});
    }
  }

  int& half = context.state.half;
  for (int64_t first = 0; first < layer.num_elems; first += tile_elems, half ^= 1) {
    const int64_t elems = std::min(tile_elems, layer.num_elems - first);
    const uint64_t offset = static_cast<uint64_t>(first) * context.core.out_elem_bytes();
    isa::Instruction run;
    run.y_size = 1;
    run.x_size = run.x_stride = static_cast<uint32_t>(elems);
    run.opcode = isa::kLoad;
    run.memory = isa::kAcc8Bit;
    run.sram_base = acc.tile(half);
    stream.add(run, layer.a + offset);
    if (!layer.doubles) {
      run.sram_base = acc.residual(half);
      stream.add(run, layer.b + offset);
    }
    acc.add_passes(context, passes, half, {1, elems, 0});
    run.opcode = isa::kStore;
    run.memory = isa::kOut;
    run.sram_base = acc.tile(half);
    stream.add(run, layer.output + offset);
  }
}

std::string lower_addition_step(const CoreStepRequest& step) {
  AddLayer layer;
  layer.num_elems = step.result_elems;
  layer.a = step.operands.at(0);
  layer.b = step.operands.at(1);
  layer.output = step.result;
  layer.doubles = doubles(step.node);
  layer.shift_a = step.node.attrs.shift_a;
  layer.shift_b = step.node.attrs.shift_b;
  layer.factors = {step.node.attrs.factor_a, step.node.attrs.factor_b,
                   static_cast<int32_t>(step.node.attrs.addend)};
  layer.requantization = requantization_of(step.node.attrs, step.node.name);
  layer.requantization.max_sum = max_sum(step.node.attrs);
  lower_addition(layer, step.context);
  return fmt::format("{}", add_tile_elems(layer, step.context.core));
}

}  // namespace

constinit const CoreLowering kAdditionLowering = {
    .obstacle = addition_obstacle,
    .lower = lower_addition_step,
    .arena_operands = size_t{2},
    .bound = ResultBound::kClip,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
