// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a nearest resize2d by whole factors: each row of the source is `factor` rows of the
// result, whose elements repeat likewise.
//
// A tile is a run of elements of the source: whole rows of any blocks, or a part of a row. A half
// of ACC holds the tile, loaded as int8, and after it the tile with repeated elements: ADD writes
// each element `factor` times into cleared ones. The stores repeat the rows.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/transfer.h"
#include "runtime/tensor/resize.h"

namespace vta::lower {
namespace {

struct ResizeLayer {
  int64_t rows = 1, width = 1;  // of the source: rows of all blocks
  int64_t row_factor = 1, column_factor = 1;
  DramAddress input, output;  // packed

  int64_t out_width() const { return width * column_factor; }
};

// A tile of the source: whole rows if tw is the width, else a part of one.
struct ResizeTiling {
  int64_t th = 1, tw = 1;
};

// nullopt: an element of the source is not the nearest one of `factor` elements of the result.
std::optional<int64_t> factor_of(const Attrs<OpKind::kResize2d>& attrs, size_t axis, int64_t in) {
  const int64_t out = attrs.out[axis], factor = out / in;
  if (factor == 0 || out % in != 0) return std::nullopt;
  for (int64_t i = 0; i < out; ++i) {
    const double coordinate = resize_coordinate(attrs, axis, in, i);
    if (nearest_element(attrs.rounding, coordinate, in) != i / factor) return std::nullopt;
  }
  return factor;
}

std::optional<ResizeLayer> resize_layer_of(const Attrs<OpKind::kResize2d>& attrs,
                                           const TensorType& src, const CoreConfig& core) {
  const auto row_factor = factor_of(attrs, 0, src.shape[2]);
  const auto column_factor = factor_of(attrs, 1, src.shape[3]);
  if (!row_factor || !column_factor) return std::nullopt;
  ResizeLayer layer;
  layer.rows =
      ceil_div(src.shape[0], core.batch) * ceil_div(src.shape[1], core.block_out) * src.shape[2];
  layer.width = src.shape[3];
  layer.row_factor = *row_factor;
  layer.column_factor = *column_factor;
  return layer;
}

// nullopt: an element with its repetitions does not fit half of ACC or their micro-ops UOP, or rows
// of the result are further apart than a STORE's stride.
std::optional<ResizeTiling> find_resize_tiling(const ResizeLayer& layer, const CoreConfig& core) {
  const int64_t capacity = core.acc_depth() / 2 / (1 + layer.column_factor);
  const bool fits = capacity > 0 && layer.column_factor <= core.uop_depth() &&
                    layer.row_factor * layer.out_width() <= kMaxExtent;
  if (!fits) return std::nullopt;
  if (layer.width > capacity)
    return ResizeTiling{1, ceil_div(layer.width, ceil_div(layer.width, capacity))};
  const int64_t tiles = ceil_div(layer.rows, capacity / layer.width);
  return ResizeTiling{ceil_div(layer.rows, tiles), layer.width};
}

class ResizeEmitter {
 public:
  ResizeEmitter(const ResizeLayer& layer, LayerContext& context)
      : layer_(layer), context_(context) {}

  void emit(const ResizeTiling& tiling) {
    int& half = context_.state.half;
    for (int64_t row = 0; row < layer_.rows; row += tiling.th) {
      for (int64_t column = 0; column < layer_.width; column += tiling.tw, half ^= 1) {
        emit_tile({row, std::min(tiling.th, layer_.rows - row), column,
                   std::min(tiling.tw, layer_.width - column)},
                  half * int64_t{context_.core.acc_depth() / 2});
      }
    }
  }

 private:
  struct Tile {
    int64_t row, rows, column, columns;
  };

  void emit_tile(const Tile& tile, int64_t input) {
    const int64_t elems = tile.rows * tile.columns, result = input + elems;
    context_.stream().add(load_of_run(isa::kAcc8Bit, u32(input), elems),
                          layer_.input + offset(tile.row * layer_.width + tile.column));
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.iter_out = 1;
    alu.alu_opcode = isa::kMul;
    alu.use_imm = 1;  // 0
    add_pass(alu, {{u32(result), u32(result), 0}}, elems * layer_.column_factor, 1, 1);
    alu.alu_opcode = isa::kAdd;
    alu.use_imm = 0;
    std::vector<isa::Uop> uops;
    for (int64_t i = 0; i < layer_.column_factor; ++i)
      uops.push_back({u32(result + i), u32(input), 0});
    add_pass(alu, uops, elems, layer_.column_factor, 1);
    for (int64_t i = 0; i < layer_.row_factor; ++i) store(tile, result, i);
  }

  void add_pass(isa::Instruction alu, const std::vector<isa::Uop>& uops, int64_t iterations,
                int64_t dst, int64_t src) {
    std::vector<uint32_t> words;
    for (const isa::Uop& uop : uops) words.push_back(isa::encode(uop, context_.core));
    alu.uop_bgn = context_.place_kernel(words);
    alu.uop_end = alu.uop_bgn + u32(static_cast<int64_t>(words.size()));
    alu.iter_in = u32(iterations);
    alu.dst_factor_in = iterations > 1 ? u32(dst) : 0;
    alu.src_factor_in = iterations > 1 ? u32(src) : 0;
    context_.stream().add(alu);
  }

  // The `i`-th repetition of the tile's rows.
  void store(const Tile& tile, int64_t result, int64_t i) {
    isa::Instruction store;
    store.opcode = isa::kStore;
    store.memory = isa::kOut;
    store.sram_base = u32(result);
    store.y_size = u32(tile.rows);
    store.x_size = u32(tile.columns * layer_.column_factor);
    store.x_stride = u32(tile.rows > 1 ? layer_.row_factor * layer_.out_width()
                                       : tile.columns * layer_.column_factor);
    const int64_t element = (tile.row * layer_.row_factor + i) * layer_.out_width() +
                            tile.column * layer_.column_factor;
    context_.stream().add(store, layer_.output + offset(element));
  }

  uint64_t offset(int64_t element) const {
    return static_cast<uint64_t>(element) * context_.core.out_elem_bytes();
  }

  const ResizeLayer& layer_;
  LayerContext& context_;
};

std::optional<HostReason> resize_obstacle(const PartitionState& state, const graph::Node& node) {
  const graph::Node& src = state.operand(node, 0);
  if (!state.is_image_on_core(src)) return HostReason::kHostOperand;
  if (src.type.dtype != DType::kInt8) return HostReason::kUnpackable;
  if (node.attrs.resize_mode != ResizeMode::kNearest) return HostReason::kNoWholeFactor;
  const auto layer = resize_layer_of(node.attrs, src.type, state.core);
  if (!layer) return HostReason::kNoWholeFactor;
  if (!find_resize_tiling(*layer, state.core)) return HostReason::kTooLarge;
  return std::nullopt;
}

std::string lower_resize_step(const CoreStepRequest& step) {
  const TensorType& src = step.graph.node(step.node.inputs[0]).type;
  auto layer = resize_layer_of(step.node.attrs, src, step.context.core);
  VTA_ASSERT(layer.has_value(), "resize_obstacle() leaves other factors on the host");
  layer->input = step.operands.at(0);
  layer->output = step.result;
  const auto tiling = find_resize_tiling(*layer, step.context.core);
  VTA_ASSERT(tiling.has_value(), "resize_obstacle() leaves other sizes on the host");
  ResizeEmitter(*layer, step.context).emit(*tiling);
  return fmt::format("{} x {}", tiling->th, tiling->tw);
}

}  // namespace

constinit const CoreLowering kResizeLowering = {
    .obstacle = resize_obstacle,
    .lower = lower_resize_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kOperands,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
