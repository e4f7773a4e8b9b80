// SPDX-License-Identifier: Apache-2.0
//
// Output tiles of a convolution, in the order of computation. A tile is a PixelTile times a
// BlockTile.
#ifndef VTA_COMPILER_LOWER_OUTPUT_TILES_H_
#define VTA_COMPILER_LOWER_OUTPUT_TILES_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// Output blocks [oc, oc + tco) of a tile; the `index`-th such range.
struct BlockTile {
  int64_t index = 0;
  int64_t oc = 0, tco = 0;
};

// A rectangle of results of image group n, and of the outputs that they need; the `index`-th.
struct PixelTile {
  int64_t index = 0;
  int64_t n = 0;
  AxisSpan rows, columns;

  int64_t num_results() const { return rows.results.size * columns.results.size; }
  // In ACC: elements of a row of outputs, elements of a block, the offset of the first output.
  int64_t row_elems() const { return columns.elems(); }
  int64_t elems() const { return rows.elems() * columns.elems(); }
  int64_t first_output() const { return rows.pad_before * row_elems() + columns.pad_before; }
};

struct OutputTile {
  int64_t index = 0;
  PixelTile pixels;
  BlockTile blocks;

  int first_half = 0;  // of ACC: of tile 0

  int half() const { return static_cast<int>((first_half + index) % 2); }  // of ACC
};

std::vector<BlockTile> block_tiles(const ConvShape& shape, const Tiling& tiling);

// Tile 0 uses half `first_half` of ACC.
std::vector<OutputTile> output_tiles(const ConvShape& shape, const Tiling& tiling, int first_half);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_OUTPUT_TILES_H_
