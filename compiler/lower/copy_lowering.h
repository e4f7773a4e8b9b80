// SPDX-License-Identifier: Apache-2.0
//
// Lowering of views: a copy inside the arena, for an operand that two views need at two places.
#ifndef VTA_COMPILER_LOWER_COPY_LOWERING_H_
#define VTA_COMPILER_LOWER_COPY_LOWERING_H_

#include <cstdint>

#include "compiler/lower/layer_context.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

// Copies `num_elems` elements of OUT through ACC.
program::StreamBuilder lower_copy(program::DramAddress source, program::DramAddress destination,
                                  int64_t num_elems, LayerContext& context);

// Elements of a tile.
int64_t copy_tile_elems(int64_t num_elems, const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_COPY_LOWERING_H_
