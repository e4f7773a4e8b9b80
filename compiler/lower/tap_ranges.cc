// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tap_ranges.h"

#include <algorithm>
#include <utility>

namespace vta::lower {
namespace {

// The outputs for which the tap reads the input. A phase without taps has zeros of weights, which
// must be written.
TapRange clipped(const ConvAxis& axis, const AxisTap& tap, const AxisTile& tile) {
  const int64_t count = tile.count(axis, tap.phase);
  if (count == 0 || tap.k == kNoTap) return {tap.phase, 0, count};
  const ClippedRange range =
      clip_range(first_input(axis, tap, tile), axis.in_stride(), count, axis.in);
  return {tap.phase, range.before, range.size};
}

bool starts_phase(const std::vector<AxisTap>& taps, int64_t index) {
  return index == 0 ||
         taps[static_cast<size_t>(index - 1)].phase != taps[static_cast<size_t>(index)].phase;
}

}  // namespace

std::vector<TapRange> tap_ranges(const ConvAxis& axis, const std::vector<AxisTap>& taps,
                                 int64_t first, int64_t num, const AxisTile& tile, bool clips) {
  std::vector<TapRange> ranges;
  for (int64_t i = first; i < first + num; ++i) {
    const AxisTap& tap = taps[static_cast<size_t>(i)];
    const TapRange all{tap.phase, 0, tile.count(axis, tap.phase)};
    ranges.push_back(clips ? clipped(axis, tap, tile) : all);
  }
  for (int64_t i = first; i < first + num; ++i) {
    if (!starts_phase(taps, i)) continue;
    // The first tap that has all outputs, or else the first one.
    TapRange all{taps[static_cast<size_t>(i)].phase, 0, 0};
    all.size = tile.count(axis, all.phase);
    const auto found = std::ranges::find(ranges, all);
    TapRange& overwriting = found != ranges.end() ? *found : ranges[static_cast<size_t>(i - first)];
    overwriting = all;
    overwriting.overwrites = true;
  }
  return ranges;
}

TapCounts counts_of(const std::vector<TapRange>& ranges) {
  TapCounts counts;
  std::vector<TapRange> distinct;
  for (TapRange range : ranges) {
    counts.products += range.size;
    range.overwrites = false;
    if (range.size > 0 && std::ranges::find(distinct, range) == distinct.end())
      distinct.push_back(range);
  }
  counts.ranges = static_cast<int64_t>(distinct.size());
  return counts;
}

}  // namespace vta::lower
