// SPDX-License-Identifier: Apache-2.0
//
// Lowering of an average pool: the ALU sums windows in ACC and divides by their number of elements
// (runtime/tensor/average.h).
//
// A half of ACC holds a tile's results, block after block, followed by the input of their windows,
// loaded as int8 with zeros for padding. One sequence of instructions computes all blocks of the
// tile: ADD replaces, in all rows of the input, the first element of each window's row by the sum
// of the row. Results are cleared, and ADD adds to each the column of row sums of its window. Then
// each rectangle of results whose windows have the same number of elements is divided.
//
// A global sum pool is not divided: its int32 results are stored byte by byte (the packed layout of
// runtime/program), with a shift of ACC by a byte in between.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/pool_layer.h"
#include "compiler/lower/transfer.h"
#include "runtime/program/program.h"

namespace vta::lower {
namespace {

// Elements of a window along an axis.
struct WindowCount {
  int64_t divisor = 0;  // as ops.def counts
  int64_t inside = 0;   // in the image

  bool operator==(const WindowCount&) const = default;
};

struct AverageLayer {
  PoolLayer pool;
  std::vector<WindowCount> row_counts, column_counts;  // by row, by column of the result
  Attrs<OpKind::kQAvgPool2d> attrs;
  bool divides = true;            // else results are int32 sums, of which each byte is a tensor of
  uint64_t byte_plane_bytes = 0;  // this size
};

std::vector<WindowCount> counts_of(const Attrs<OpKind::kQAvgPool2d>& attrs, size_t i,
                                   const WindowAxis& axis) {
  const int64_t begin = attrs.count_include_pad ? -attrs.pad[i] : 0;
  const int64_t end = attrs.count_include_pad ? axis.in + attrs.pad[i + 2] : axis.in;
  std::vector<WindowCount> counts;
  for (int64_t out = 0; out < axis.out; ++out) {
    WindowCount count;
    for (int64_t k = 0; k < axis.kernel; ++k) {
      const int64_t position = out * axis.stride - axis.pad + k * axis.dilation;
      count.divisor += position >= begin && position < end ? 1 : 0;
      count.inside += position >= 0 && position < axis.in ? 1 : 0;
    }
    counts.push_back(count);
  }
  return counts;
}

// The passes that divide a sum of rows * columns elements.
std::vector<AluPass> dividing_passes(AluStyle style, const Attrs<OpKind::kQAvgPool2d>& attrs,
                                     const WindowCount& rows, const WindowCount& columns) {
  const int64_t divisor = rows.divisor * columns.divisor;
  if (attrs.ratio == 0) return average_passes(style, average_factor(divisor, attrs.shift));
  return scaled_average_passes(style, scaled_average_factor(divisor, attrs.ratio),
                               rows.inside * columns.inside * attrs.zero, attrs.result_zero);
}

// The window of a qavg_pool2d or a global_sum_pool2d, which has no attributes.
Attrs<OpKind::kQAvgPool2d> window_of(const graph::Node& node, const TensorType& src) {
  Attrs<OpKind::kQAvgPool2d> attrs = node.attrs;
  if (node.kind == OpKind::kGlobalSumPool2d) attrs.kernel = {src.shape[2], src.shape[3]};
  return attrs;
}

PoolLayer pool_of(const graph::Node& node, const TensorType& src, const CoreConfig& core) {
  return pool_layer_of(window_of(node, src), src, node.type, core);
}

AverageLayer average_layer_of(const graph::Node& node, const TensorType& src,
                              const CoreConfig& core) {
  AverageLayer layer;
  layer.attrs = window_of(node, src);
  layer.pool = pool_of(node, src, core);
  layer.row_counts = counts_of(layer.attrs, 0, layer.pool.rows);
  layer.column_counts = counts_of(layer.attrs, 1, layer.pool.columns);
  layer.divides = node.kind == OpKind::kQAvgPool2d;
  layer.byte_plane_bytes = packed_size_bytes({DType::kInt8, node.type.shape}, core);
  return layer;
}

// `count` elements of ACC, which are `dst` (`src`) elements apart.
struct Loop {
  int64_t count = 1, dst = 0, src = 0;
};

// The loops of an ALU instruction, in any order: its two fields, and loops that are unrolled into
// its micro-ops.
struct LoopNest {
  Loop outer, inner;
  std::vector<Loop> unrolled;

  int64_t num_uops() const {
    int64_t product = 1;
    for (const Loop& loop : unrolled) product *= loop.count;
    return product;
  }
};

// Takes the loops from the outermost to the innermost. Adjacent loops over one run become one; the
// two longest loops become fields.
LoopNest nest_of(const std::vector<Loop>& loops) {
  std::vector<Loop> merged;
  for (const Loop& loop : loops) {
    const auto continues = [&](const Loop& last) {
      return last.dst == loop.dst * loop.count && last.src == loop.src * loop.count;
    };
    if (loop.count == 1) continue;
    if (!merged.empty() && continues(merged.back())) {
      merged.back() = {merged.back().count * loop.count, loop.dst, loop.src};
    } else {
      merged.push_back(loop);
    }
  }
  LoopNest nest;
  for (Loop* field : {&nest.outer, &nest.inner}) {
    if (merged.empty()) break;
    const auto longest = std::ranges::max_element(merged, {}, &Loop::count);
    *field = *longest;
    merged.erase(longest);
  }
  nest.unrolled = std::move(merged);
  return nest;
}

// The additions of a tile's rows of windows, then of their columns.
LoopNest row_sums(const PoolLayer& layer, const PoolTiling& t, int64_t blocks) {
  const int64_t width = layer.columns.reach(t.tw), stride = layer.columns.stride;
  const int64_t rows = blocks * layer.rows.reach(t.th);
  const int64_t pitch = rows > 1 ? width : 0;
  const int64_t step = t.tw > 1 ? stride : 0;
  // In place: the taps of an element are to its right and not replaced yet, as columns ascend and
  // the taps, which are unrolled, are innermost.
  return {{rows, pitch, pitch},
          {t.tw, step, step},
          {{layer.columns.kernel - 1, 0, layer.columns.dilation}}};
}

LoopNest column_sums(const PoolLayer& layer, const PoolTiling& t, int64_t blocks) {
  const int64_t width = layer.columns.reach(t.tw);
  return nest_of({{blocks, t.th * t.tw, inp_elems(layer, t)},
                  {t.th, t.tw, layer.rows.stride * width},
                  {t.tw, 1, layer.columns.stride},
                  {layer.rows.kernel, 0, layer.rows.dilation * width}});
}

// Consecutive outputs whose windows have `count` elements along an axis.
struct CountRange {
  int64_t begin, size;
  WindowCount count;
};
std::vector<CountRange> ranges_of(const std::vector<WindowCount>& counts, int64_t first,
                                  int64_t size) {
  std::vector<CountRange> ranges;
  for (int64_t i = 0; i < size; ++i) {
    const WindowCount count = counts[static_cast<size_t>(first + i)];
    if (ranges.empty() || ranges.back().count != count) ranges.push_back({i, 0, count});
    ++ranges.back().size;
  }
  return ranges;
}

class AverageEmitter {
 public:
  AverageEmitter(const AverageLayer& layer, const PoolTiling& tiling, LayerContext& context)
      : average_(layer),
        layer_(layer.pool),
        tiling_(tiling),
        context_(context),
        stream_(context.stream()),
        half_(context.state.half) {}

  void emit() {
    for (int64_t n = 0; n < layer_.image_groups; ++n) {
      for (int64_t block = 0; block < layer_.blocks; block += tiling_.blocks) {
        const int64_t blocks = std::min(tiling_.blocks, layer_.blocks - block);
        for (int64_t y = 0; y < layer_.rows.out; y += tiling_.th) {
          for (int64_t x = 0; x < layer_.columns.out; x += tiling_.tw) {
            emit_tile({n * layer_.blocks + block, blocks, std::min(y, layer_.rows.out - tiling_.th),
                       std::min(x, layer_.columns.out - tiling_.tw)});
          }
        }
      }
    }
  }

 private:
  // The outputs from (y, x) of planes [plane, plane + blocks).
  struct Tile {
    int64_t plane, blocks, y, x;
  };

  int64_t results() const { return half_ * int64_t{context_.core.acc_depth() / 2}; }
  int64_t input() const { return results() + tiling_.blocks * tiling_.th * tiling_.tw; }

  void emit_tile(const Tile& tile) {
    load_input(tile);
    if (layer_.columns.kernel > 1) {
      add_pass({.opcode = isa::kAdd}, row_sums(layer_, tiling_, tile.blocks), input(),
               input() + layer_.columns.dilation);
    }
    const LoopNest all = nest_of({{tile.blocks * tiling_.th * tiling_.tw, 1, 1}});
    add_pass({.opcode = isa::kMul, .imm = 0}, all, results(), results());
    add_pass({.opcode = isa::kAdd}, column_sums(layer_, tiling_, tile.blocks), results(), input());
    if (average_.divides) {
      divide(tile);
      store(tile, layer_.output);
    } else {
      store_bytes(tile);
    }
    half_ ^= 1;
  }

  void store_bytes(const Tile& tile) {
    constexpr int32_t kByteBits = 8;
    const LoopNest all = nest_of({{tile.blocks * tiling_.th * tiling_.tw, 1, 1}});
    for (uint64_t i = 0; i < sizeof(int32_t); ++i) {
      if (i > 0) add_pass({.opcode = isa::kShr, .imm = kByteBits}, all, results(), results());
      store(tile, layer_.output + i * average_.byte_plane_bytes);
    }
  }

  void divide(const Tile& tile) {
    const int64_t tw = tiling_.tw;
    for (const CountRange& rows : ranges_of(average_.row_counts, tile.y, tiling_.th)) {
      for (const CountRange& columns : ranges_of(average_.column_counts, tile.x, tw)) {
        const int64_t first = results() + rows.begin * tw + columns.begin;
        const LoopNest nest = nest_of({{tile.blocks, tiling_.th * tw, tiling_.th * tw},
                                       {rows.size, tw, tw},
                                       {columns.size, 1, 1}});
        for (const AluPass& pass :
             dividing_passes(context_.style, average_.attrs, rows.count, columns.count))
          add_pass({pass.opcode, pass.imm}, nest, first, first);
      }
    }
  }

  // An operation with an immediate, or with the elements from `src`.
  struct Operation {
    uint32_t opcode;
    std::optional<int32_t> imm = std::nullopt;
  };

  void add_pass(const Operation& operation, const LoopNest& nest, int64_t dst, int64_t src) {
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = operation.opcode;
    alu.use_imm = operation.imm ? 1 : 0;
    alu.imm = operation.imm.value_or(0);
    alu.uop_bgn = context_.place_kernel(uops_of(nest, dst, src));
    alu.uop_end = alu.uop_bgn + u32(nest.num_uops());
    alu.iter_out = u32(nest.outer.count);
    alu.iter_in = u32(nest.inner.count);
    alu.dst_factor_out = u32(nest.outer.dst);
    alu.dst_factor_in = u32(nest.inner.dst);
    alu.src_factor_out = u32(nest.outer.src);
    alu.src_factor_in = u32(nest.inner.src);
    stream_.add(alu);
  }

  std::vector<uint32_t> uops_of(const LoopNest& nest, int64_t dst, int64_t src) const {
    std::vector<isa::Uop> uops = {{u32(dst), u32(src), 0}};
    for (const Loop& loop : nest.unrolled) {
      const std::vector<isa::Uop> outer = std::exchange(uops, {});
      for (const isa::Uop& uop : outer) {
        for (int64_t i = 0; i < loop.count; ++i)
          uops.push_back({uop.dst + u32(i * loop.dst), uop.src + u32(i * loop.src), 0});
      }
    }
    std::vector<uint32_t> words;
    for (const isa::Uop& uop : uops) words.push_back(isa::encode(uop, context_.core));
    return words;
  }

  void load_input(const Tile& tile) {
    const auto clip = [](const WindowAxis& axis, int64_t first, int64_t pixels) {
      return clip_range(first * axis.stride - axis.pad, 1, axis.reach(pixels), axis.in);
    };
    const ClippedRange rows = clip(layer_.rows, tile.y, tiling_.th);
    const ClippedRange columns = clip(layer_.columns, tile.x, tiling_.tw);
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kAcc8Bit;
    load.y_pad_0 = u32(rows.before);
    load.y_pad_1 = u32(rows.after);
    load.x_pad_0 = u32(columns.before);
    load.x_pad_1 = u32(columns.after);
    transfer(load, layer_.input, input(), inp_elems(layer_, tiling_),
             {tile.plane, tile.blocks, rows.begin, rows.size, columns.begin, columns.size,
              layer_.rows.in, layer_.columns.in});
  }

  void store(const Tile& tile, const DramAddress& output) {
    isa::Instruction store;
    store.opcode = isa::kStore;
    store.memory = isa::kOut;
    transfer(store, output, results(), tiling_.th * tiling_.tw,
             {tile.plane, tile.blocks, tile.y, tiling_.th, tile.x, tiling_.tw, layer_.rows.out,
              layer_.columns.out});
  }

  // Rows and columns of consecutive planes of a packed tensor.
  struct Box {
    int64_t plane, blocks;
    int64_t row, rows, column, columns;
    int64_t height, width;  // of a plane
  };

  // Adds transfers like `transfer` between the box and `blocks` runs of `pitch` elements from
  // `sram_base`: one if the box has whole rows and is not padded, else one per block.
  void transfer(isa::Instruction transfer, const DramAddress& tensor, int64_t sram_base,
                int64_t pitch, const Box& box) {
    const int64_t plane_elems = box.height * box.width, run = box.rows * box.columns;
    const auto add = [&](int64_t block, int64_t rows, int64_t columns, int64_t stride) {
      transfer.sram_base = u32(sram_base + block * pitch);
      transfer.y_size = u32(rows);
      transfer.x_size = u32(columns);
      transfer.x_stride = u32(rows > 1 ? stride : columns);
      const int64_t element = (box.plane + block) * plane_elems + box.row * box.width + box.column;
      stream_.add(transfer,
                  tensor + static_cast<uint64_t>(element) * context_.core.out_elem_bytes());
    };
    const bool dense = run == pitch && box.columns == box.width;  // not padded
    if (dense && box.rows == box.height) return add(0, 1, box.blocks * run, 0);
    if (dense && plane_elems <= kMaxExtent) return add(0, box.blocks, run, plane_elems);
    for (int64_t block = 0; block < box.blocks; ++block)
      add(block, box.rows, box.columns, box.width);
  }

  const AverageLayer& average_;
  const PoolLayer& layer_;
  const PoolTiling& tiling_;
  LayerContext& context_;
  StreamBuilder& stream_;
  int& half_;  // of ACC, for the next tile
};

// The largest tiles whose micro-ops fit UOP, with blocks in nearly equal groups.
std::optional<PoolTiling> find_average_tiling(const PoolLayer& layer, const CoreConfig& core) {
  const int64_t capacity = core.uop_depth();
  std::optional<PoolTiling> t = largest_pool_tiling(layer, core);
  if (!t || row_sums(layer, *t, 1).num_uops() > capacity) return std::nullopt;
  while (t->blocks > 1 && column_sums(layer, *t, t->blocks).num_uops() > capacity) --t->blocks;
  if (column_sums(layer, *t, t->blocks).num_uops() > capacity) return std::nullopt;
  t->blocks = ceil_div(layer.blocks, ceil_div(layer.blocks, t->blocks));
  return t;
}

std::optional<HostReason> average_obstacle(const PartitionState& state, const graph::Node& node) {
  const graph::Node& src = state.operand(node, 0);
  if (!state.is_image_on_core(src)) return HostReason::kHostOperand;
  const PoolLayer layer = pool_of(node, src.type, state.core);
  if (!find_average_tiling(layer, state.core)) return HostReason::kTooLarge;
  return std::nullopt;
}

std::string lower_average_step(const CoreStepRequest& step) {
  AverageLayer layer =
      average_layer_of(step.node, step.graph.node(step.node.inputs[0]).type, step.context.core);
  layer.pool.input = step.operands.at(0);
  layer.pool.output = step.result;
  const auto tiling = find_average_tiling(layer.pool, step.context.core);
  VTA_ASSERT(tiling.has_value(), "average_obstacle() leaves other pools on the host");
  AverageEmitter(layer, *tiling, step.context).emit();
  return fmt::format("{} x {} x {}", tiling->th, tiling->tw, tiling->blocks);
}

}  // namespace

constinit const CoreLowering kAveragePoolLowering = {
    .obstacle = average_obstacle,
    .lower = lower_average_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kOperands,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
