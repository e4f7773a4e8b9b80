// SPDX-License-Identifier: Apache-2.0
//
// The ALU's passes of a max pool in ACC: from the input of windows to their maxima.
//
// Each tap is a micro-op: results are cleared, the first tap is added, MAX takes the others. Where
// that is less work (maximum_counts.h), MAX first replaces, in all rows of the input, the first
// element of each window's row by the maximum of the row. The taps of a window are then those of
// one column.
#ifndef VTA_COMPILER_LOWER_MAXIMUM_PASSES_H_
#define VTA_COMPILER_LOWER_MAXIMUM_PASSES_H_

#include <cstdint>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/layer_context.h"

namespace vta::lower {

// th x tw results of some blocks in ACC, and the input of their windows: reach(th) x reach(tw)
// elements, of which the passes replace some.
struct MaximumTile {
  int64_t blocks = 1, th = 1, tw = 1;
  int64_t results = 0, input = 0;             // first elements
  int64_t result_pitch = 0, input_pitch = 0;  // from one block to the next
};

// Appends the passes to the context's stream, and the LOAD of their micro-ops if these are not
// resident.
void add_maximum_passes(const WindowAxis& rows, const WindowAxis& columns, const MaximumTile& tile,
                        LayerContext& context);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_MAXIMUM_PASSES_H_
