// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_HOIST_AVERAGE_POOLS_H_
#define VTA_COMPILER_GRAPH_PASSES_HOIST_AVERAGE_POOLS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Moves average pools before pointwise convolutions, which then compute the pooled pixels only:
//
//   avg_pool2d(conv2d(x, w, b))  ->  conv2d(avg_pool2d(x), w, b)      w: 1x1
//
// Both are linear, one over pixels and one over channels, and the factors of a window sum to 1, so
// that the bias stays. Only for a convolution of stride 1 without padding that has no other use and
// enough channels, and a pool whose windows are whole and that has fewer results than operands.
// Returns whether the graph changed; erases unused nodes.
bool hoist_average_pools(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_HOIST_AVERAGE_POOLS_H_
