// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// A node whose operands are all constants becomes the constant of its name.
// Returns whether anything changed; what became unused is erased.
bool fold_constants(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_CONSTANTS_H_
