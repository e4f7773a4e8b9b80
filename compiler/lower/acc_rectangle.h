// SPDX-License-Identifier: Apache-2.0
//
// ALU passes on a rectangle of elements in each block of a tile in ACC: padding, borders.
#ifndef VTA_COMPILER_LOWER_ACC_RECTANGLE_H_
#define VTA_COMPILER_LOWER_ACC_RECTANGLE_H_

#include <cstdint>
#include <span>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

// rows x columns elements from `first`, `width` apart from row to row, in `blocks` blocks.
struct AccRectangle {
  int64_t first = 0, rows = 0, columns = 0, width = 0;
  int64_t blocks = 1, pitch = 0;  // from block to block

  bool is_empty() const { return rows == 0 || columns == 0; }
};

// Appends passes with immediates.
void add_passes(const AccRectangle& rectangle, std::span<const AluPass> passes,
                LayerContext& context);

// Appends ADD of one element per block: element `operand` to the first block, and for each further
// block the one `operand_pitch` elements after.
void add_elements(const AccRectangle& rectangle, int64_t operand, int64_t operand_pitch,
                  LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ACC_RECTANGLE_H_
