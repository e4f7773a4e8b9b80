// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a standalone residual add: two int8 operands of one layout are loaded into ACC with
// sign extension, added and requantized. Tiles are runs of elements in alternating halves of ACC.
#ifndef VTA_COMPILER_LOWER_ADD_LOWERING_H_
#define VTA_COMPILER_LOWER_ADD_LOWERING_H_

#include <cstdint>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

// (a << shift_a) + (b << shift_b), requantized. Each tensor has `num_elems` elements of OUT.
struct AddLayer {
  int64_t num_elems = 0;
  program::DramAddress a, b, output;
  int64_t shift_a = 0, shift_b = 0;
  Requantization requantization;
};

// Elements of a tile.
int64_t add_tile_elems(const AddLayer& layer, const CoreConfig& core);

program::StreamBuilder lower_addition(const AddLayer& layer, LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ADD_LOWERING_H_
