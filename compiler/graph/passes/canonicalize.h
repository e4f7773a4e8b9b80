// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_
#define VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Rewrites synonymous operators to one form, so that later passes match only that form:
//
//   max(x, 0)                      relu(x)
//   min(max(x, a), b), either way  clip(x) {lo = a, hi = b}
//   x - constant, x / constant     x + (-constant), x * (1 / constant)
//   reduce_mean over h and w       global_avg_pool2d, then flatten unless the axes are kept
//   matmul(x, constant [k, n])     dense(x, transposed constant), between reshapes unless x is
//                                  [m, k]
//   reshape to [n, rest]           flatten
//   prelu with one slope           leaky_relu
//   prelu with a slope a channel   x + (slope - 1) * min(x, 0), if a layer follows
//
// Returns whether the graph changed; erases unused nodes.
bool canonicalize(Graph& graph);

// As canonicalize(), but keeps prelus, and a division unless the divisor is a power of two. For
// graphs that contain quantize operators, where the last bit of an operand can change the rounding.
bool canonicalize_exactly(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_CANONICALIZE_H_
