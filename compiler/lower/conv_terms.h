// SPDX-License-Identifier: Apache-2.0
//
// Terms of a convolution's output tile. A tile is a sum of terms; a term is the product of one
// input chunk and one weight chunk.
#ifndef VTA_COMPILER_LOWER_CONV_TERMS_H_
#define VTA_COMPILER_LOWER_CONV_TERMS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// An output block and an input block with a weight element for each tap.
struct BlockPair {
  int64_t oc = 0, ic = 0;
};

// The input blocks [ic, ic + num_ic), row taps [row, row + num_rows) and column taps
// [column, column + num_columns) of a term; taps are indices into axis_taps().
struct ConvTerm {
  int64_t ic = 0, num_ic = 0;
  int64_t row = 0, num_rows = 0, column = 0, num_columns = 0;
  std::vector<BlockPair> pairs;  // by output block, then input block
};

// Terms of a tile of output blocks [oc, oc + num_oc), in order. The first term has the first phase.
std::vector<ConvTerm> terms_of(const ConvShape& shape, const Tiling& tiling, int64_t oc,
                               int64_t num_oc);

// Totals over all ranges of output blocks, if tiles have `tco` output blocks and terms `tci` input
// blocks.
struct BlockCut {
  int64_t tiles = 0;
  int64_t terms = 0;      // per group of taps
  int64_t ic_blocks = 0;  // loaded input blocks
  int64_t pairs = 0;
  int64_t max_ic_blocks = 0, max_pairs = 0;  // per term
};
BlockCut cut_blocks(const ConvShape& shape, int64_t tco, int64_t tci);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_TERMS_H_
