// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a copy from one place of the arena to another, for what two views want to have in two
// places.
#ifndef VTA_COMPILER_LOWER_COPY_LOWERING_H_
#define VTA_COMPILER_LOWER_COPY_LOWERING_H_

#include <cstdint>

#include "compiler/lower/layer_context.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

// `num_elems` elements of OUT, through ACC.
program::StreamBuilder lower_copy(program::DramAddress source, program::DramAddress destination,
                                  int64_t num_elems, LayerContext& context);

// Elements of one tile.
int64_t copy_tile_elems(int64_t num_elems, const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_COPY_LOWERING_H_
