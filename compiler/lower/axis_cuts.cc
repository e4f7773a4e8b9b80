// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/axis_cuts.h"

#include <algorithm>

namespace vta::lower {

std::vector<int64_t> piece_sizes(int64_t n) {
  std::vector<int64_t> sizes;
  for (int64_t pieces = 1; pieces <= n; ++pieces) {
    const int64_t size = ceil_div(n, pieces);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

std::vector<int64_t> AxisCuts::tile_sizes() const {
  const int64_t phases = axis_.num_phases();
  std::vector<int64_t> sizes = piece_sizes(ceil_div(axis_.num_results(), phases));
  for (int64_t& size : sizes) size = std::min(axis_.num_results(), size * phases);
  for (int64_t size : piece_sizes(phases)) {
    if (size < sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

AxisCut AxisCuts::cut(int64_t tile_size, int64_t group_taps) const {
  AxisCut cut{.size = tile_size,
              .num_groups = ceil_div(num_taps(), group_taps),
              .spans = spans_of(axis_, tile_size)};
  for (const AxisSpan& span : cut.spans) {
    for (int64_t k = 0; k < num_taps(); k += group_taps) {
      const AxisWindow w = window_of(axis_, taps_, k, group_taps, span.outputs, skips_);
      AxisCell& cell = cut.cells.emplace_back();
      cell = {w.count, clip_range(w.first, w.stride, w.count, axis_.in).size,
              axis_.in_stride() / w.stride};
      cut.max_positions = std::max(cut.max_positions, cell.positions);
      cut.sum.loaded += cell.loaded;
      for (int clips : {0, 1}) {
        cell.counts[clips] =
            counts_of(tap_ranges(axis_, taps_, k, group_taps, span.outputs, clips != 0));
        cut.sum.counts[clips].products += cell.counts[clips].products;
        cut.sum.counts[clips].ranges += cell.counts[clips].ranges;
      }
    }
  }
  return cut;
}

}  // namespace vta::lower
