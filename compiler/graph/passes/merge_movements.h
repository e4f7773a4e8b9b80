// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_
#define VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// A transpose of a transpose is one transpose or none; a reshape or flatten of a reshape or flatten
// is one reshape or none. Returns whether anything changed; what became unused is erased.
bool merge_movements(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_MERGE_MOVEMENTS_H_
