// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_sizes.h"

#include <fmt/format.h>

#include "compiler/lower/axis_cuts.h"
#include "compiler/lower/conv_terms.h"

namespace vta::lower {

std::string to_string(const Tiling& t, const ConvShape& shape) {
  std::string text = fmt::format("{} x {} x {} x {}", t.th, t.tw, t.tco, t.tci);
  const auto rows = static_cast<int64_t>(axis_taps(shape.rows).size());
  const auto columns = static_cast<int64_t>(axis_taps(shape.columns).size());
  if (t.tkh != rows || t.tkw != columns) text += fmt::format(", taps {} x {}", t.tkh, t.tkw);
  if (t.channels_outer) text += ", channels outer";
  if (t.residual_in_gemm) text += ", residual in GEMM";
  if (t.tap_in_alu) text += ", tap in ALU";
  return text;
}

int64_t residual_inp_elems(const Tiling& t) {
  return t.residual_in_gemm ? 2 * t.th * t.tw * t.tco : 0;
}
int64_t reserved_inp_elems(const Border& border, const Tiling& t) {
  return residual_inp_elems(t) + (border.in_gemm() ? 1 : 0);
}
int64_t residual_wgt_elems(const Tiling& t) { return t.residual_in_gemm ? 1 : 0; }

int64_t acc_block_elems(const ConvShape& shape, const Tiling& t) {
  const auto elems = [](const ConvAxis& axis, int64_t size) {
    return axis.pool ? axis.pool->reach(size) : size;
  };
  return elems(shape.rows, t.th) * elems(shape.columns, t.tw);
}

int64_t inp_block_elems(const ConvShape& shape, const Tiling& t) {
  return AxisCuts(shape.rows, true).cut(t.th, t.tkh).max_positions *
         AxisCuts(shape.columns, false).cut(t.tw, t.tkw).max_positions;
}

int64_t inp_slot_elems(const ConvShape& shape, const Tiling& t) {
  return cut_blocks(shape, t.tco, t.tci).max_ic_blocks * inp_block_elems(shape, t);
}

int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& t) {
  return cut_blocks(shape, t.tco, t.tci).max_pairs * t.tkh * t.tkw;
}

}  // namespace vta::lower
