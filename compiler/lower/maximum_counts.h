// SPDX-License-Identifier: Apache-2.0
//
// Micro-ops and cycles of the ALU's passes of a max pool (maximum_passes.h).
#ifndef VTA_COMPILER_LOWER_MAXIMUM_COUNTS_H_
#define VTA_COMPILER_LOWER_MAXIMUM_COUNTS_H_

#include <cstdint>

#include "compiler/lower/conv_shape.h"
#include "configs/core_sizes.h"

namespace vta::lower {

// Whether the maxima of rows are computed first in a tile of `th` rows: fewer micro-ops than a
// window at a time.
bool computes_rows_first(const WindowAxis& rows, const WindowAxis& columns, int64_t th);

// The most micro-ops of a block.
int64_t max_maximum_uops(const WindowAxis& rows, const WindowAxis& columns);

// Cycles of the ALU for a block of th x tw results.
int64_t maximum_cycles(const WindowAxis& rows, const WindowAxis& columns, int64_t th, int64_t tw,
                       const CoreSizes& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_MAXIMUM_COUNTS_H_
