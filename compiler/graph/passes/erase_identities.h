// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_
#define VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Removes operators that return their operand: flatten of rows, reshape to the same shape, empty
// pad, full slice, identity transpose, concat of one operand, 1x1 pooling with stride 1, relu of
// relu. Returns whether the graph changed.
bool erase_identities(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_
