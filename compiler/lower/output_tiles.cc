// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/output_tiles.h"

#include <algorithm>

namespace vta::lower {
namespace {

std::vector<PixelTile> pixel_tiles(const ConvShape& shape, const Tiling& tiling) {
  std::vector<PixelTile> tiles;
  const std::vector<AxisSpan> rows = spans_of(shape.rows, tiling.th);
  const std::vector<AxisSpan> columns = spans_of(shape.columns, tiling.tw);
  PixelTile tile;
  for (tile.n = 0; tile.n < shape.image_groups; ++tile.n) {
    for (const AxisSpan& row : rows) {
      tile.rows = row;
      for (const AxisSpan& column : columns) {
        tile.columns = column;
        tiles.push_back(tile);
        ++tile.index;
      }
    }
  }
  return tiles;
}

}  // namespace

std::vector<BlockTile> block_tiles(const ConvShape& shape, const Tiling& tiling) {
  std::vector<BlockTile> tiles;
  for (BlockTile tile; tile.oc < shape.oc_blocks; tile.oc += tiling.tco, ++tile.index) {
    tile.tco = std::min(tiling.tco, shape.oc_blocks - tile.oc);
    tiles.push_back(tile);
  }
  return tiles;
}

std::vector<OutputTile> output_tiles(const ConvShape& shape, const Tiling& tiling, int first_half) {
  const std::vector<BlockTile> all_blocks = block_tiles(shape, tiling);
  const std::vector<PixelTile> all_pixels = pixel_tiles(shape, tiling);
  std::vector<OutputTile> tiles;
  const auto add = [&](const PixelTile& pixels, const BlockTile& blocks) {
    tiles.push_back({static_cast<int64_t>(tiles.size()), pixels, blocks, first_half});
  };
  if (tiling.channels_outer) {
    for (const BlockTile& blocks : all_blocks) {
      for (const PixelTile& pixels : all_pixels) add(pixels, blocks);
    }
  } else {
    for (const PixelTile& pixels : all_pixels) {
      for (const BlockTile& blocks : all_blocks) add(pixels, blocks);
    }
  }
  return tiles;
}

}  // namespace vta::lower
