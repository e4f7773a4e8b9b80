// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_plan.h"

#include "compiler/lower/tiling_sizes.h"

namespace vta::lower {

ConvPlan::ConvPlan(const ConvSchedule& schedule, const CoreConfig& core)
    : shape(schedule.problem.shape),
      tiling(schedule.tiling),
      row_taps(axis_taps(shape.rows)),
      column_taps(axis_taps(shape.columns)),
      alu_tap(tiling.tap_in_alu ? lower::alu_tap(shape) : std::nullopt),
      pitch(lower::acc_block_elems(shape, tiling)),
      result_pitch(tiling.th * tiling.tw),
      inp_slot_depth(core.inp_depth() -
                     static_cast<uint32_t>(reserved_inp_elems(schedule.problem.border, tiling))),
      inp_block_elems(lower::inp_block_elems(shape, tiling)) {
  for (const BlockTile& blocks : block_tiles(shape, tiling)) {
    terms.push_back(lower::terms_of(shape, tiling, blocks.oc, blocks.tco));
  }
}

TermWindow ConvPlan::window_of(const ConvTerm& term, const PixelTile& pixels) const {
  return {lower::window_of(shape.rows, row_taps, term.row, term.num_rows, pixels.rows.outputs,
                           /*skips=*/true),
          lower::window_of(shape.columns, column_taps, term.column, term.num_columns,
                           pixels.columns.outputs, /*skips=*/false)};
}

}  // namespace vta::lower
