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
              .num_tiles = ceil_div(axis_.num_results(), tile_size),
              .tap_groups = ceil_div(num_taps(), group_taps)};
  for (const AxisSpan& span : spans_of(axis_, tile_size)) {
    cut.outputs.push_back(span.outputs);
    for (int64_t k = 0; k < num_taps(); k += group_taps) {
      const AxisWindow w = window_of(axis_, taps_, k, group_taps, span.outputs, skips_);
      cut.max_positions = std::max(cut.max_positions, w.count);
      cut.positions += clip_range(w.first, w.stride, w.count, axis_.in).size;
      for (bool clips : {false, true}) {
        const TapCounts counts =
            counts_of(tap_ranges(axis_, taps_, k, group_taps, span.outputs, clips));
        TapCounts& sum = clips ? cut.clipped : cut.counts;
        sum.products += counts.products;
        sum.ranges += counts.ranges;
      }
    }
  }
  return cut;
}

}  // namespace vta::lower
