// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a max pool: the ALU computes the maxima of windows in ACC.
//
// A tile is th x tw outputs of some blocks. A half of ACC holds the tile's results, followed by the
// input of their windows, loaded as int8 with zeros for padding. Each tap is a micro-op: results
// are cleared, the first tap is added, MAX takes the others. Where that is less work, MAX first
// replaces, in all rows of the input, the first element of each window's row by the maximum of the
// row, and the taps of a window are then those of one column. All tiles have one size, so that they
// share micro-ops; the last tile of an axis overlaps its neighbour.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/pool_layer.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

using program::DramAddress;
using program::StreamBuilder;

int64_t num_taps(const PoolLayer& layer) { return layer.rows.kernel * layer.columns.kernel; }

// Whether maxima of rows are computed first: fewer micro-ops than a window at a time.
bool by_rows(const PoolLayer& layer, const PoolTiling& t) {
  const int64_t row_maxima = reached(layer.rows, t.th) * (layer.columns.kernel - 1);
  return row_maxima + t.th * layer.rows.kernel < t.th * num_taps(layer);
}

class PoolEmitter {
 public:
  PoolEmitter(const PoolLayer& layer, const PoolTiling& tiling, LayerContext& context)
      : layer_(layer),
        tiling_(tiling),
        context_(context),
        stream_(context.stream()),
        half_elems_(context.core.acc_depth() / 2),
        width_(reached(layer.columns, tiling.tw)),
        by_rows_(lower::by_rows(layer, tiling)),
        half_(context.state.half) {}

  void emit() {
    load_uops();
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
  int64_t num_row_uops() const { return by_rows_ ? layer_.columns.kernel - 1 : 0; }
  int64_t num_result_uops() const { return by_rows_ ? layer_.rows.kernel : num_taps(layer_); }
  uint32_t first_uop(int half, int64_t block) const {
    return u32((half * tiling_.blocks + block) * (num_row_uops() + num_result_uops()));
  }

  void load_uops() {
    context_.state.kernels.reset();  // they may use all of UOP
    std::vector<uint32_t> words;
    for (int half = 0; half < 2; ++half) {
      for (int64_t block = 0; block < tiling_.blocks; ++block) append_uops(half, block, words);
    }
    const uint64_t offset = context_.image.append_once(words);
    stream_.add(load_of_run(isa::kUop, 0, static_cast<int64_t>(words.size())),
                {DramAddress::Area::kImage, offset});
  }

  // For the maxima of rows, then for the results.
  void append_uops(int half, int64_t block, std::vector<uint32_t>& words) const {
    const auto append = [&](int64_t dst, int64_t ky, int64_t kx) {
      const int64_t src =
          input(half, block) + ky * layer_.rows.dilation * width_ + kx * layer_.columns.dilation;
      words.push_back(isa::encode(isa::Uop{u32(dst), u32(src), 0}, context_.core));
    };
    for (int64_t kx = 1; kx <= num_row_uops(); ++kx) append(input(half, block), 0, kx);
    const int64_t columns = by_rows_ ? 1 : layer_.columns.kernel;
    for (int64_t ky = 0; ky < layer_.rows.kernel; ++ky) {
      for (int64_t kx = 0; kx < columns; ++kx) append(results(half, block), ky, kx);
    }
  }

  // The tile at (y, x) of planes [plane, plane + blocks).
  void emit_tile(int64_t plane, int64_t blocks, int64_t y, int64_t x) {
    for (int64_t block = 0; block < blocks; ++block) load_input(plane + block, block, y, x);
    for (int64_t block = 0; block < blocks; ++block) add_passes(block);
    for (int64_t block = 0; block < blocks; ++block) store(plane + block, block, y, x);
    half_ ^= 1;
  }

  void load_input(int64_t plane, int64_t block, int64_t y, int64_t x) {
    const auto clip = [](const ConvAxis& axis, int64_t first, int64_t pixels) {
      return clip_range(first * axis.stride - axis.pad, 1, reached(axis, pixels), axis.in);
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
  }

  // In place: the taps of an element are to its right, and not replaced yet.
  void add_row_passes(int64_t block) {
    if (num_row_uops() == 0) return;
    const int64_t rows = reached(layer_.rows, tiling_.th);
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = isa::kMax;
    alu.uop_bgn = first_uop(half_, block);
    alu.uop_end = alu.uop_bgn + u32(num_row_uops());
    alu.iter_out = u32(rows);
    alu.iter_in = u32(tiling_.tw);
    alu.dst_factor_out = alu.src_factor_out = rows > 1 ? u32(width_) : 0;
    alu.dst_factor_in = alu.src_factor_in = tiling_.tw > 1 ? u32(layer_.columns.stride) : 0;
    stream_.add(alu);
  }

  void add_passes(int64_t block) {
    add_row_passes(block);
    const uint32_t first = first_uop(half_, block) + u32(num_row_uops());
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.iter_out = u32(tiling_.th);
    alu.iter_in = u32(tiling_.tw);
    alu.dst_factor_out = tiling_.th > 1 ? u32(tiling_.tw) : 0;
    alu.dst_factor_in = tiling_.tw > 1 ? 1 : 0;
    alu.alu_opcode = isa::kMul;
    alu.use_imm = 1;
    alu.uop_bgn = first;
    alu.uop_end = first + 1;
    stream_.add(alu);
    alu.use_imm = 0;
    alu.src_factor_out = tiling_.th > 1 ? u32(layer_.rows.stride * width_) : 0;
    alu.src_factor_in = tiling_.tw > 1 ? u32(layer_.columns.stride) : 0;
    alu.alu_opcode = isa::kAdd;
    stream_.add(alu);
    alu.alu_opcode = isa::kMax;
    alu.uop_bgn = first + 1;
    alu.uop_end = first + u32(num_result_uops());
    if (alu.uop_end > alu.uop_bgn) stream_.add(alu);
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
  LayerContext& context_;
  StreamBuilder& stream_;
  const int64_t half_elems_;
  const int64_t width_;  // elements of an input row in ACC
  const bool by_rows_;
  int& half_;  // of ACC, for the next tile
};

// Whether windows read padding (zeros).
bool reaches_padding(const PoolLayer& layer) {
  const auto beyond = [](const ConvAxis& axis) {
    return axis.pad > 0 || reached(axis, axis.out) > axis.in;
  };
  return beyond(layer.rows) || beyond(layer.columns);
}

// The largest tiles whose windows' micro-ops fit.
std::optional<PoolTiling> find_pool_tiling(const PoolLayer& layer, const CoreConfig& core) {
  const int64_t windows = core.uop_depth() / (2 * num_taps(layer));
  std::optional<PoolTiling> t = largest_pool_tiling(layer, core);
  if (!t || windows == 0) return std::nullopt;
  t->blocks = std::min(t->blocks, windows);
  return t;
}

// The core pads with zeros, which does not change a maximum of nonnegative numbers.
bool takes_pool(const PartitionState& state, const graph::Node& node) {
  const graph::Node& src = state.operand(node, 0);
  if (!src.on_core || src.type.dtype != DType::kInt8) return false;
  const PoolLayer layer = pool_layer_of(node.attrs, src.type, node.type, state.core);
  if (reaches_padding(layer) && !state.is_never_negative(src)) return false;
  return find_pool_tiling(layer, state.core).has_value();
}

std::string lower_pool_step(const CoreStepRequest& step) {
  PoolLayer layer = pool_layer_of(step.node.attrs, step.graph.node(step.node.inputs[0]).type,
                                  step.node.type, step.context.core);
  layer.input = step.operands.at(0);
  layer.output = step.result;
  const auto tiling = find_pool_tiling(layer, step.context.core);
  VTA_ASSERT(tiling.has_value(), "takes_pool() leaves other pools on the host");
  PoolEmitter(layer, *tiling, step.context).emit();
  return fmt::format("{} x {} x {}", tiling->th, tiling->tw, tiling->blocks);
}

}  // namespace

constinit const CoreLowering kMaxPoolLowering = {
    .takes = takes_pool,
    .lower = lower_pool_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kOperands,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
