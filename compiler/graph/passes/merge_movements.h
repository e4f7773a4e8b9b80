// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_
#define VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Merges consecutive transposes into at most one, consecutive reshapes and flattens into at most
// one reshape, and consecutive slices with positive steps into one. Returns whether the graph
// changed; erases unused nodes.
bool merge_movements(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_
