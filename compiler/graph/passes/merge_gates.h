// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_
#define VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Fuses gated activations into one operator, which is one pass on the host and one lookup in
// integers, rounded once:
//
//   clip(x + 3, 0, 6) * (1 / 6)        hard_sigmoid(x) {alpha = 1 / 6, beta = 0.5}
//   x * hard_sigmoid(x), as above      hard_swish(x)
//   x * clip(x + 3, 0, 6) * (1 / 6)    hard_swish(x)
//   x * sigmoid(x)                     silu(x)
//   x * (erf(x * 0.7071) + 1) * 0.5    gelu(x), the factors in any order
//
// Requires canonicalize(). Returns whether the graph changed; erases unused nodes.
bool merge_gates(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_MERGE_GATES_H_
