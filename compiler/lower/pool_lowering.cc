// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a max pool that is a layer of its own.
//
// A tile is th x tw outputs of some blocks. A half of ACC holds, for each block, the results and
// then the input of their windows, loaded as int8. LOAD pads with zeros; where numbers
// may be negative, the ALU then writes -128 there. All tiles have one size,
// so that they share micro-ops; the last tile of an axis overlaps its neighbour.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/acc_rectangle.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/maximum_passes.h"
#include "compiler/lower/pool_layer.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

class PoolEmitter {
 public:
  PoolEmitter(const PoolLayer& layer, const PoolTiling& tiling, bool fills_padding,
              LayerContext& context)
      : layer_(layer),
        tiling_(tiling),
        fills_padding_(fills_padding),
        context_(context),
        stream_(context.stream()),
        half_elems_(context.core.acc_depth() / 2),
        half_(context.state.half) {}

  void emit() {
    for (int64_t n = 0; n < layer_.image_groups; ++n) {
      for (int64_t block = 0; block < layer_.blocks; block += tiling_.blocks) {
        for (int64_t y = 0; y < layer_.rows.out; y += tiling_.th) {
          for (int64_t x = 0; x < layer_.columns.out; x += tiling_.tw) {
            emit_tile(n * layer_.blocks + block, std::min(tiling_.blocks, layer_.blocks - block),
                      std::min(y, layer_.rows.out - tiling_.th),
                      std::min(x, layer_.columns.out - tiling_.tw));
          }
        }
      }
    }
  }

 private:
  int64_t results(int half, int64_t block) const {
    return half * half_elems_ + block * elems(layer_, tiling_);
  }
  int64_t input(int half, int64_t block) const {
    return results(half, block) + tiling_.th * tiling_.tw;
  }

  // The tile at (y, x) of planes [plane, plane + blocks).
  void emit_tile(int64_t plane, int64_t blocks, int64_t y, int64_t x) {
    for (int64_t block = 0; block < blocks; ++block) load_input(plane + block, block, y, x);
    add_maximum_passes(layer_.rows, layer_.columns,
                       {.blocks = blocks,
                        .th = tiling_.th,
                        .tw = tiling_.tw,
                        .results = results(half_, 0),
                        .input = input(half_, 0),
                        .result_pitch = elems(layer_, tiling_),
                        .input_pitch = elems(layer_, tiling_)},
                       context_);
    for (int64_t block = 0; block < blocks; ++block) store(plane + block, block, y, x);
    half_ ^= 1;
  }

  void load_input(int64_t plane, int64_t block, int64_t y, int64_t x) {
    const auto clip = [](const WindowAxis& axis, int64_t first, int64_t pixels) {
      return clip_range(first * axis.stride - axis.pad, 1, axis.reach(pixels), axis.in);
    };
    const ClippedRange rows = clip(layer_.rows, y, tiling_.th);
    const ClippedRange columns = clip(layer_.columns, x, tiling_.tw);
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kAcc8Bit;
    load.sram_base = u32(input(half_, block));
    load.y_size = u32(rows.size);
    load.x_size = u32(columns.size);
    load.x_stride = u32(layer_.columns.in);
    load.y_pad_0 = u32(rows.before);
    load.y_pad_1 = u32(rows.after);
    load.x_pad_0 = u32(columns.before);
    load.x_pad_1 = u32(columns.after);
    const int64_t element =
        (plane * layer_.rows.in + rows.begin) * layer_.columns.in + columns.begin;
    stream_.add(load, layer_.input + address(element));
    if (fills_padding_) fill_padding(input(half_, block), rows, columns);
  }

  // Fills the padding of one block's input, from `first`.
  void fill_padding(int64_t first, const ClippedRange& rows, const ClippedRange& columns) {
    constexpr AluPass kPasses[] = {{isa::kMul, Operands::kTile, 0},
                                   {isa::kAdd, Operands::kTile, -128}};
    const int64_t width = columns.before + columns.size + columns.after;
    const auto fill = [&](int64_t row, int64_t num_rows, int64_t column, int64_t num_columns) {
      add_passes({.first = first + row * width + column,
                  .rows = num_rows,
                  .columns = num_columns,
                  .width = width},
                 kPasses, context_);
    };
    fill(0, rows.before, 0, width);
    fill(rows.before + rows.size, rows.after, 0, width);
    fill(rows.before, rows.size, 0, columns.before);
    fill(rows.before, rows.size, columns.before + columns.size, columns.after);
  }

  void store(int64_t plane, int64_t block, int64_t y, int64_t x) {
    isa::Instruction store;
    store.opcode = isa::kStore;
    store.memory = isa::kOut;
    store.sram_base = u32(results(half_, block));
    store.y_size = u32(tiling_.th);
    store.x_size = u32(tiling_.tw);
    store.x_stride = u32(tiling_.th > 1 ? layer_.columns.out : tiling_.tw);
    const int64_t element = (plane * layer_.rows.out + y) * layer_.columns.out + x;
    stream_.add(store, layer_.output + address(element));
  }

  uint64_t address(int64_t element) const {
    return static_cast<uint64_t>(element) * context_.core.out_elem_bytes();
  }

  const PoolLayer& layer_;
  const PoolTiling& tiling_;
  const bool fills_padding_;
  LayerContext& context_;
  StreamBuilder& stream_;
  const int64_t half_elems_;
  int& half_;  // of ACC, for the next tile
};

// Whether windows read padding.
bool reaches_padding(const PoolLayer& layer) {
  const auto beyond = [](const WindowAxis& axis) {
    return axis.pad > 0 || axis.reach(axis.out) > axis.in;
  };
  return beyond(layer.rows) || beyond(layer.columns);
}

// The largest tiles whose windows' micro-ops fit.
std::optional<PoolTiling> find_pool_tiling(const PoolLayer& layer, const CoreConfig& core) {
  const int64_t windows =
      core.uop_depth() / (2 * max_maximum_uops(layer.rows, layer.columns));  // in both halves
  std::optional<PoolTiling> t = largest_pool_tiling(layer, core);
  if (!t || windows == 0) return std::nullopt;
  t->blocks = std::min(t->blocks, windows);
  return t;
}

std::optional<HostReason> pool_obstacle(const PartitionState& state, const graph::Node& node) {
  const graph::Node& src = state.operand(node, 0);
  if (!state.is_image_on_core(src)) return HostReason::kHostOperand;
  if (src.type.dtype != DType::kInt8) return HostReason::kUnpackable;
  const PoolLayer layer = pool_layer_of(node.attrs, src.type, node.type, state.core);
  if (!find_pool_tiling(layer, state.core)) return HostReason::kTooLarge;
  return std::nullopt;
}

std::string lower_pool_step(const CoreStepRequest& step) {
  PoolLayer layer = pool_layer_of(step.node.attrs, step.graph.node(step.node.inputs[0]).type,
                                  step.node.type, step.context.core);
  layer.input = step.operands.at(0);
  layer.output = step.result;
  const auto tiling = find_pool_tiling(layer, step.context.core);
  VTA_ASSERT(tiling.has_value(), "pool_obstacle() leaves other pools on the host");
  // LOAD's zeros do not change a maximum of nonnegative numbers.
  const bool fills_padding = reaches_padding(layer) &&
                             !is_never_negative(step.graph, step.graph.node(step.node.inputs[0]));
  PoolEmitter(layer, *tiling, fills_padding, step.context).emit();
  return fmt::format("{} x {} x {}", tiling->th, tiling->tw, tiling->blocks);
}

}  // namespace

constinit const CoreLowering kMaxPoolLowering = {
    .obstacle = pool_obstacle,
    .lower = lower_pool_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kOperands,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
