// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Replaces each node whose operands are all constants by a constant of the same name.
// Returns whether the graph changed; erases unused nodes.
bool fold_constants(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
