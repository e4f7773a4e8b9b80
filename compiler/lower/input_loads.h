// SPDX-License-Identifier: Apache-2.0
//
// LOADs of an input chunk of a convolution, with its padding, into a slot of INP.
#ifndef VTA_COMPILER_LOWER_INPUT_LOADS_H_
#define VTA_COMPILER_LOWER_INPUT_LOADS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {

// Rows and columns of blocks [block, block + num_blocks) of image group n.
struct InputChunk {
  int64_t n = 0, block = 0, num_blocks = 1;
  ClippedRange rows, columns;
  int64_t row_stride = 1;  // distance in the image of consecutive rows of the chunk

  int64_t height() const { return rows.before + rows.size + rows.after; }
  int64_t width() const { return columns.before + columns.size + columns.after; }
};

// The chunk's blocks are `block_pitch` elements apart from `sram_base`, each of them dense. One
// LOAD covers all blocks if their rows are contiguous in DRAM and INP, else one LOAD per block. If
// the padding exceeds LOAD's fields, one LOAD of zeros and one LOAD per row.
std::vector<Transfer> input_loads(const ConvShape& shape, const InputChunk& chunk,
                                  DramAddress input, uint32_t sram_base, int64_t block_pitch,
                                  LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_INPUT_LOADS_H_
