// SPDX-License-Identifier: Apache-2.0
//
// TapRange: the outputs of a tile for which a tap of a convolution reads its input. For the others
// it reads padding: zeros, which need not be multiplied.
#ifndef VTA_COMPILER_LOWER_TAP_RANGES_H_
#define VTA_COMPILER_LOWER_TAP_RANGES_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"

namespace vta::lower {

// Outputs [begin, begin + size) of the tap's phase in the tile.
struct TapRange {
  int64_t phase = 0, begin = 0, size = 0;
  // Whether the tap overwrites the outputs of its phase, all of which it then has; of the first
  // taps of the phase, that is one.
  bool overwrites = false;

  bool operator==(const TapRange&) const = default;
};

// The ranges of taps [first, first + num) of axis_taps(). Unless `clips`, each has all outputs of
// its phase.
std::vector<TapRange> tap_ranges(const ConvAxis& axis, const std::vector<AxisTap>& taps,
                                 int64_t first, int64_t num, const AxisTile& tile, bool clips);

// Pairs of an output and a tap, and the number of different ranges: each pair of a row range and a
// column range is a GEMM.
struct TapCounts {
  int64_t products = 0, ranges = 0;
};
TapCounts counts_of(const std::vector<TapRange>& ranges);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TAP_RANGES_H_
