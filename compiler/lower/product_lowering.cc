// SPDX-License-Identifier: Apache-2.0
//
// Lowering of products of two int8 tensors: both are loaded into ACC with sign extension,
// multiplied lane by lane and requantized. The second operand has the first one's layout, or one
// element for each channel block: the factor of an image's channels, as squeeze-and-excite has it.
//
// Tiles are runs of elements in alternating halves of ACC: of whole channel blocks, or of a part of
// one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

// Operand indices; of two operands of one shape, `tensor` is the first.
struct ProductOperands {
  size_t tensor, factor;
  bool per_channel;  // the factor is [n, c, 1, 1]
};

// nullopt: the operands broadcast in another way.
std::optional<ProductOperands> operands_of(const TensorType& a, const TensorType& b) {
  const auto is_factor_of = [](const TensorType& factor, const TensorType& tensor) {
    return tensor.shape.size() == 4 &&
           factor.shape == std::vector<int64_t>{tensor.shape[0], tensor.shape[1], 1, 1};
  };
  if (a.shape == b.shape) return ProductOperands{0, 1, false};
  if (is_factor_of(b, a)) return ProductOperands{0, 1, true};
  if (is_factor_of(a, b)) return ProductOperands{1, 0, true};
  return std::nullopt;
}

std::optional<HostReason> product_obstacle(const PartitionState& state, const graph::Node& node) {
  const graph::Node &a = state.operand(node, 0), &b = state.operand(node, 1);
  const size_t rank = node.type.shape.size();
  if (rank != 2 && rank != 4) return HostReason::kUnpackable;
  const auto operands = operands_of(a.type, b.type);
  // The gate belongs to the second operand.
  if (!operands || (node.attrs.gate != 0 && operands->per_channel)) return HostReason::kNoCoreForm;
  if (!state.is_image_on_core(a) && !state.is_image_on_core(b)) return HostReason::kHostOperand;
  return std::nullopt;
}

struct ProductLayer {
  int64_t blocks = 1, pixels = 1;  // channel blocks of all images, elements of each
  bool per_channel = false;
  DramAddress tensor, factor, output;
  Attrs<OpKind::kQMul> attrs;
  Requantization requantization;

  // Whether a half of ACC holds a second tile: the other operand, or the copy of a leaky relu.
  bool has_second() const { return !per_channel || requantization.leak; }
};

// A tile: `blocks` whole blocks, or a part of one. One shape has no blocks of its own.
struct ProductTiling {
  int64_t blocks = 1, pixels = 1;
};

ProductTiling tiling_of(const ProductLayer& layer, const CoreConfig& core) {
  const int64_t half = core.acc_depth() / 2, tiles = layer.has_second() ? 2 : 1;
  const int64_t factors = layer.per_channel ? 1 : 0;
  const int64_t blocks = std::min(layer.blocks, half / (tiles * layer.pixels + factors));
  if (blocks >= 1) return {ceil_div(layer.blocks, ceil_div(layer.blocks, blocks)), layer.pixels};
  const int64_t most = (half - factors) / tiles;
  return {1, ceil_div(layer.pixels, ceil_div(layer.pixels, most))};
}

// b + addend, 0 to gate, times a and factor_a.
std::vector<AluPass> gate_passes(const Attrs<OpKind::kQMul>& attrs) {
  const auto imm = [](int64_t value) { return static_cast<int32_t>(value); };
  return {{isa::kAdd, Operands::kResidual, imm(attrs.addend)},
          {isa::kMax, Operands::kResidual, 0},
          {isa::kMin, Operands::kResidual, imm(attrs.gate)},
          {isa::kMul, Operands::kTileResidual, 0},
          {isa::kMul, Operands::kTile, imm(attrs.factor_a)}};
}

std::vector<AluPass> passes_of(const ProductLayer& layer, AluStyle style) {
  std::vector<AluPass> passes = {
      {isa::kMul, layer.per_channel ? Operands::kTileBias : Operands::kTileResidual, 0}};
  if (layer.attrs.gate != 0) passes = gate_passes(layer.attrs);
  for (const AluPass& pass : activation_passes(style, layer.requantization, 0))
    passes.push_back(pass);
  return passes;
}

// Appends one tile: `blocks` x `pixels` elements from `pixel` of `block`.
void lower_tile(const ProductLayer& layer, const AccHalves& acc, LayerContext& context,
                const ProductTiling& tile, int64_t block, int64_t pixel) {
  const int half = context.state.half;
  const int64_t elems = tile.blocks * tile.pixels;
  const auto bytes = [&](int64_t elem) {
    return static_cast<uint64_t>(elem) * context.core.out_elem_bytes();
  };
  const uint64_t offset = bytes(block * layer.pixels + pixel);
  context.stream().add(load_of_run(isa::kAcc8Bit, acc.tile(half), elems), layer.tensor + offset);
  if (layer.per_channel) {
    context.stream().add(load_of_run(isa::kAcc8Bit, acc.bias(half), tile.blocks),
                         layer.factor + bytes(block));
  } else {
    context.stream().add(load_of_run(isa::kAcc8Bit, acc.residual(half), elems),
                         layer.factor + offset);
  }
  acc.add_passes(context, passes_of(layer, context.style), half,
                 {tile.blocks, tile.pixels, tile.pixels});
  isa::Instruction store = load_of_run(isa::kOut, acc.tile(half), elems);
  store.opcode = isa::kStore;
  context.stream().add(store, layer.output + offset);
}

void lower_product(const ProductLayer& layer, const ProductTiling& tiling, LayerContext& context) {
  const int64_t tile_elems = tiling.blocks * tiling.pixels;
  const AccHalves acc(context, {.tile = tile_elems,
                                .residual = layer.has_second() ? tile_elems : 0,
                                .blocks = layer.per_channel ? tiling.blocks : 0,
                                .loaded_elems = layer.per_channel ? 1 : 0});
  for (int64_t block = 0; block < layer.blocks; block += tiling.blocks) {
    for (int64_t pixel = 0; pixel < layer.pixels; pixel += tiling.pixels) {
      const ProductTiling tile = {std::min(tiling.blocks, layer.blocks - block),
                                  std::min(tiling.pixels, layer.pixels - pixel)};
      lower_tile(layer, acc, context, tile, block, pixel);
      context.state.half ^= 1;
    }
  }
}

std::string lower_product_step(const CoreStepRequest& step) {
  const auto type = [&](size_t i) { return step.graph.node(step.node.inputs.at(i)).type; };
  const auto operands = operands_of(type(0), type(1));
  VTA_ASSERT(operands.has_value(), "the partition takes products of these shapes");
  ProductLayer layer;
  layer.per_channel = operands->per_channel;
  // Tensors of one shape are a row of elements, of which any run is a tile.
  layer.blocks = layer.per_channel
                     ? step.result_elems / (step.node.type.shape[2] * step.node.type.shape[3])
                     : 1;
  layer.pixels = step.result_elems / layer.blocks;
  layer.tensor = step.operands.at(operands->tensor);
  layer.factor = step.operands.at(operands->factor);
  layer.output = step.result;
  layer.attrs = step.node.attrs;
  layer.requantization = requantization_of(step.node.attrs, step.node.name);
  layer.requantization.max_sum =
      layer.attrs.gate != 0 ? int64_t{128} * layer.attrs.gate * layer.attrs.factor_a : 128 * 128;
  const ProductTiling tiling = tiling_of(layer, step.context.core);
  lower_product(layer, tiling, step.context);
  return fmt::format("{} x {}", tiling.blocks, tiling.pixels);
}

}  // namespace

constinit const CoreLowering kProductLowering = {
    .obstacle = product_obstacle,
    .lower = lower_product_step,
    .arena_operands = size_t{2},
    .bound = ResultBound::kClip,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
