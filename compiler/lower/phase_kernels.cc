// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/phase_kernels.h"

#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

PhaseKernel& kernel_of(std::vector<PhaseKernel>& kernels, int64_t row, int64_t column) {
  for (PhaseKernel& kernel : kernels) {
    if (kernel.row_phase == row && kernel.column_phase == column) return kernel;
  }
  return kernels.emplace_back(PhaseKernel{row, column, {}, {}});
}

bool starts_phase(const std::vector<AxisTap>& taps, int64_t index) {
  return index == 0 || taps[index - 1].phase != taps[index].phase;
}

// Offset in the tile's block of the first output of the taps' phase.
int64_t output_elem(const ConvShape& shape, const PixelTile& pixels, const AxisTap& row,
                    const AxisTap& column) {
  return pixels.first_output() +
         pixels.rows.outputs.first(shape.rows, row.phase) * pixels.row_elems() +
         pixels.columns.outputs.first(shape.columns, column.phase);
}

// Offset in the slot's block of the input that this output reads by the taps.
int64_t input_elem(const ConvShape& shape, const PixelTile& pixels, const TermWindow& window,
                   const AxisTap& row, const AxisTap& column) {
  const auto& [rows, columns] = window;
  const int64_t y = (first_input(shape.rows, row, pixels.rows.outputs) - rows.first) / rows.stride;
  const int64_t x = first_input(shape.columns, column, pixels.columns.outputs) - columns.first;
  return y * columns.count + x;
}

}  // namespace

std::vector<PhaseKernel> phase_kernels(const ConvPlan& plan, const OutputTile& tile,
                                       const ConvTerm& term, const TermWindow& window,
                                       const KernelBases& bases, bool overwrites) {
  const ConvShape& shape = plan.shape;
  const PixelTile& pixels = tile.pixels;
  std::vector<PhaseKernel> kernels;
  int64_t wgt = bases.wgt;
  for (const BlockPair& pair : term.pairs) {
    const bool first_block = pair.ic == shape.input_blocks(pair.oc).begin;
    const int64_t acc = bases.acc + (pair.oc - tile.blocks.oc) * plan.pitch;
    const int64_t inp = bases.inp + (pair.ic - term.ic) * plan.inp_block_elems;
    for (int64_t y = term.row; y < term.row + term.num_rows; ++y) {
      for (int64_t x = term.column; x < term.column + term.num_columns; ++x, ++wgt) {
        const AxisTap &row = plan.row_taps[y], &column = plan.column_taps[x];
        if (pixels.rows.outputs.count(shape.rows, row.phase) == 0) continue;
        if (pixels.columns.outputs.count(shape.columns, column.phase) == 0) continue;
        const bool first_tap =
            first_block && starts_phase(plan.row_taps, y) && starts_phase(plan.column_taps, x);
        PhaseKernel& kernel = kernel_of(kernels, row.phase, column.phase);
        (overwrites && first_tap ? kernel.overwriting : kernel.adding)
            .push_back({u32(acc + output_elem(shape, pixels, row, column)),
                        u32(inp + input_elem(shape, pixels, window, row, column)), u32(wgt)});
      }
    }
  }
  return kernels;
}

}  // namespace vta::lower
