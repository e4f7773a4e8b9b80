// SPDX-License-Identifier: Apache-2.0
//
// The terms of a convolution's output tile: each multiplies one chunk of input with one chunk of
// weights.
#ifndef VTA_COMPILER_LOWER_CONV_TERMS_H_
#define VTA_COMPILER_LOWER_CONV_TERMS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// An output and an input block that a weight element of each tap connects.
struct BlockPair {
  int64_t oc = 0, ic = 0;
};

// One term's share of the sum: input blocks [ic, ic + num_ic), and of axis_taps() the row taps
// [row, row + num_rows) with the column taps [column, column + num_columns).
struct ConvTerm {
  int64_t ic = 0, num_ic = 0;
  int64_t row = 0, num_rows = 0, column = 0, num_columns = 0;
  std::vector<BlockPair> pairs;  // by output block, then input block
};

// Of the tile of output blocks [oc, oc + num_oc), in order. Its first term has the first phase.
std::vector<ConvTerm> terms_of(const ConvShape& shape, const Tiling& tiling, int64_t oc,
                               int64_t num_oc);

// What a way to cut the blocks comes to, over all tiles of output blocks.
struct BlockCut {
  int64_t tiles = 0;
  int64_t terms = 0;      // for one group of taps, summed over the tiles
  int64_t ic_blocks = 0;  // of input that the terms load
  int64_t pairs = 0;
  int64_t max_ic_blocks = 0, max_pairs = 0;  // of one term
};
BlockCut cut_blocks(const ConvShape& shape, int64_t tco, int64_t tci);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_TERMS_H_
