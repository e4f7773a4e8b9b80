// SPDX-License-Identifier: Apache-2.0
//
// The LOADs that bring a chunk of a convolution's input, with its padding, into a slot of INP.
#ifndef VTA_COMPILER_LOWER_INPUT_LOADS_H_
#define VTA_COMPILER_LOWER_INPUT_LOADS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {

// Blocks [block, block + num_blocks) of image group n; of each the same rows and columns.
struct InputChunk {
  int64_t n = 0, block = 0, num_blocks = 1;
  ClippedRange rows, columns;
  int64_t row_stride = 1;  // rows of the image from one row of the chunk to the next

  int64_t height() const { return rows.before + rows.size + rows.after; }
  int64_t width() const { return columns.before + columns.size + columns.after; }
};

// The chunk's blocks lie `block_pitch` elements apart from `sram_base`, each dense. One LOAD takes
// all blocks where their rows are runs, else one a block; padding beyond LOAD's fields is written
// first, then the rows.
std::vector<Transfer> input_loads(const ConvShape& shape, const InputChunk& chunk,
                                  program::DramAddress input, uint32_t sram_base,
                                  int64_t block_pitch, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_INPUT_LOADS_H_
