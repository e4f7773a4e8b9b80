// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_
#define VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Gates that a tensor opens for itself become one operator, which the host computes in one step and
// integers in one lookup, rounded once:
//
//   clip(x + 3, 0, 6) * (1 / 6)        hard_sigmoid(x) {alpha = 1 / 6, beta = 0.5}
//   x * hard_sigmoid(x), as above      hard_swish(x)
//   x * clip(x + 3, 0, 6) * (1 / 6)    hard_swish(x)
//   x * sigmoid(x)                     silu(x)
//   x * (erf(x * 0.7071) + 1) * 0.5    gelu(x), the factors in any order
//
// After canonicalize(). Returns whether anything changed; what became unused is erased.
bool merge_gates(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_
