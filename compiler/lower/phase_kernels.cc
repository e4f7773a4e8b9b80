// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/phase_kernels.h"

#include <optional>
#include <utility>

#include "compiler/lower/tiling_cost.h"
#include "compiler/lower/transfer.h"
#include "configs/core_timing.h"

namespace vta::lower {
namespace {

PhaseKernel& kernel_of(std::vector<PhaseKernel>& kernels, TapRange rows, TapRange columns) {
  rows.overwrites = columns.overwrites = false;
  for (PhaseKernel& kernel : kernels) {
    if (kernel.rows == rows && kernel.columns == columns) return kernel;
  }
  return kernels.emplace_back(PhaseKernel{rows, columns, {}, {}});
}

// The ranges of a term's taps.
struct TermRanges {
  std::vector<TapRange> rows, columns;
  std::optional<AluTap> alu_tap;  // its term has all taps

  // Cycles of GEMM for `pairs` pairs of blocks.
  int64_t cycles(int64_t pairs) const {
    const TapCounts of_rows = counts_of(rows), of_columns = counts_of(columns);
    const int64_t products =
        alu_tap ? products_beside(*alu_tap, rows, columns) : of_rows.products * of_columns.products;
    return pairs * products + kRankedGemmOverheadCycles * of_rows.ranges * of_columns.ranges;
  }

  // Ranges of tap (y, x); size 0: GEMM leaves it out. Both overwrite, or neither.
  std::pair<TapRange, TapRange> of_tap(int64_t y, int64_t x) const {
    TapRange row = rows[static_cast<size_t>(y)], column = columns[static_cast<size_t>(x)];
    if (alu_tap == AluTap{y, x}) return {};
    // The products of the ALU's tap are in the tile already.
    const bool overwrites = !alu_tap && row.overwrites && column.overwrites;
    row.overwrites = column.overwrites = overwrites;
    return {row, column};
  }
};

// Cycles to load micro-ops that only this tile has.
int64_t load_cycles(const ConvTerm& term) {
  constexpr int64_t kUopsACycle = 2;
  const auto pairs = static_cast<int64_t>(term.pairs.size());
  return kReadLatencyCycles + pairs * term.num_rows * term.num_columns / kUopsACycle;
}

TermRanges ranges_of(const ConvPlan& plan, const OutputTile& tile, const ConvTerm& term,
                     bool clips) {
  const PixelTile& pixels = tile.pixels;
  const auto ranges = [&](bool clips_rows, bool clips_columns) {
    return TermRanges{tap_ranges(plan.shape.rows, plan.row_taps, term.row, term.num_rows,
                                 pixels.rows.outputs, clips_rows),
                      tap_ranges(plan.shape.columns, plan.column_taps, term.column,
                                 term.num_columns, pixels.columns.outputs, clips_columns),
                      plan.alu_tap_of(tile)};
  };
  TermRanges best = ranges(false, false);
  if (!clips) return best;
  const auto pairs = static_cast<int64_t>(term.pairs.size());
  int64_t least = best.cycles(pairs) - load_cycles(term);
  for (const auto& [rows, columns] : {std::pair(true, false), {false, true}, {true, true}}) {
    TermRanges other = ranges(rows, columns);
    if (other.cycles(pairs) >= least) continue;
    least = other.cycles(pairs);
    best = std::move(other);
  }
  return best;
}

// Offset in the tile's block of the kernel's first output.
int64_t output_elem(const ConvShape& shape, const PixelTile& pixels, const TapRange& row,
                    const TapRange& column) {
  const auto first = [](const ConvAxis& axis, const AxisTile& tile, const TapRange& range) {
    return tile.first(axis, range.phase) + range.begin * axis.num_phases();
  };
  return pixels.first_output() + first(shape.rows, pixels.rows.outputs, row) * pixels.row_elems() +
         first(shape.columns, pixels.columns.outputs, column);
}

// A tap and its range.
struct RangedTap {
  const AxisTap& tap;
  const TapRange& range;
};

// Offset in the slot's block of the input that this output reads by the taps.
int64_t input_elem(const ConvShape& shape, const PixelTile& pixels, const TermWindow& window,
                   const RangedTap& row, const RangedTap& column) {
  const auto first = [](const ConvAxis& axis, const AxisTile& tile, const RangedTap& tap) {
    return first_input(axis, tap.tap, tile) + tap.range.begin * axis.in_stride();
  };
  const auto& [rows, columns] = window;
  const int64_t y = (first(shape.rows, pixels.rows.outputs, row) - rows.first) / rows.stride;
  const int64_t x = first(shape.columns, pixels.columns.outputs, column) - columns.first;
  return y * columns.count + x;
}

}  // namespace

std::vector<PhaseKernel> phase_kernels(const ConvPlan& plan, const OutputTile& tile,
                                       const ConvTerm& term, const TermWindow& window,
                                       const KernelBases& bases, bool split) {
  const ConvShape& shape = plan.shape;
  const PixelTile& pixels = tile.pixels;
  const TermRanges ranges = ranges_of(plan, tile, term, split);
  std::vector<PhaseKernel> kernels;
  for (int64_t y = 0; y < term.num_rows; ++y) {
    for (size_t i = 0; i < term.pairs.size(); ++i) {
      const BlockPair& pair = term.pairs[i];
      const bool first_block = pair.ic == shape.input_blocks(pair.oc).begin;
      const int64_t acc = bases.acc + (pair.oc - tile.blocks.oc) * plan.pitch;
      const int64_t inp = bases.inp + (pair.ic - term.ic) * plan.inp_block_elems;
      const int64_t wgt =
          bases.wgt + (static_cast<int64_t>(i) * term.num_rows + y) * term.num_columns;
      for (int64_t x = 0; x < term.num_columns; ++x) {
        const auto [rows, columns] = ranges.of_tap(y, x);
        if (rows.size == 0 || columns.size == 0) continue;
        const RangedTap row{plan.row_taps[term.row + y], rows},
            column{plan.column_taps[term.column + x], columns};
        const bool overwrites = split && first_block && rows.overwrites;
        PhaseKernel& kernel = kernel_of(kernels, rows, columns);
        (overwrites ? kernel.overwriting : kernel.adding)
            .push_back({u32(acc + output_elem(shape, pixels, rows, columns)),
                        u32(inp + input_elem(shape, pixels, window, row, column)), u32(wgt + x)});
      }
    }
  }
  return kernels;
}

}  // namespace vta::lower
