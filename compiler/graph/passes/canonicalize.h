// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_
#define VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// One operator where files have several words for it, so that later passes need to know one:
//
//   max(x, 0)                      relu(x)
//   min(max(x, a), b), either way  clip(x) {lo = a, hi = b}
//   x - constant, x / constant     x + (-constant), x * (1 / constant)
//   reduce_mean over h and w       global_avg_pool2d, then flatten unless the axes are kept
//   matmul(x, constant [k, n])     dense(x, transposed constant), between reshapes unless x is [m,
//   k] reshape to [n, rest]           flatten
//
// Returns whether anything changed; what became unused is erased.
bool canonicalize(Graph& graph);

// The same, but a division by what is no power of two stays one: for graphs that quantize tensors
// themselves, where the last bit decides which way a number is rounded.
bool canonicalize_exactly(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_
