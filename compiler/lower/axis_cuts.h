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

// A tile and a group of taps.
struct AxisCell {
  int64_t positions = 0;     // of the input chunk, padding included
  int64_t loaded = 0;        // of these, without padding
  int64_t stride = 1;        // of outputs, in positions of the chunk
  TapCounts counts[2] = {};  // with and without the products of padding
};

// Tiles of one size, and groups of one number of taps.
struct AxisCut {
  int64_t size = 0, num_groups = 0;
  std::vector<AxisSpan> spans;  // by tile; the windows of a pool overlap, so may outputs
  std::vector<AxisCell> cells;
  int64_t max_positions = 1;  // of a cell
  AxisCell sum;               // of all cells

  int64_t num_tiles() const { return static_cast<int64_t>(spans.size()); }
  const AxisSpan& span(int64_t tile) const { return spans[static_cast<size_t>(tile)]; }
  const AxisCell& cell(int64_t tile, int64_t group) const {
    return cells[static_cast<size_t>(tile * num_groups + group)];
  }
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
