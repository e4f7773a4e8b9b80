// SPDX-License-Identifier: Apache-2.0
//
// AxisCuts: an axis of a convolution and the ways to cut it into tiles and groups of taps.
#ifndef VTA_COMPILER_LOWER_AXIS_CUTS_H_
#define VTA_COMPILER_LOWER_AXIS_CUTS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tap_ranges.h"

namespace vta::lower {

// The distinct sizes of 1, 2, 3, ... nearly equal pieces of n, in descending order.
std::vector<int64_t> piece_sizes(int64_t n);

// Tiles of one size, and groups of one number of taps.
struct AxisCut {
  int64_t size = 0, num_tiles = 0, tap_groups = 0;
  int64_t max_positions = 1;      // of the input, in a chunk
  int64_t positions = 0;          // in all chunks, without padding
  TapCounts counts, clipped;      // in all chunks; clipped: taps leave out padding
  std::vector<AxisTile> outputs;  // by tile; the windows of a pool overlap, so may tiles
};

class AxisCuts {
 public:
  // skips: a single tap loads only every stride-th position. `axis` outlives the object.
  AxisCuts(const ConvAxis& axis, bool skips) : axis_(axis), taps_(axis_taps(axis)), skips_(skips) {}

  int64_t num_taps() const { return static_cast<int64_t>(taps_.size()); }

  // Sizes of tiles in descending order: the whole axis and multiples of the phases, then smaller
  // sizes for cores with small scratchpads.
  std::vector<int64_t> tile_sizes() const;

  AxisCut cut(int64_t tile_size, int64_t group_taps) const;

 private:
  const ConvAxis& axis_;
  const std::vector<AxisTap> taps_;
  const bool skips_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_AXIS_CUTS_H_
