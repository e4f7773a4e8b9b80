// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_
#define VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Users of an operator that returns its operand take the operand: flatten of rows, a reshape to the
// same shape, pad by nothing, a slice of everything, a transpose that moves nothing, concat of one,
// pooling by 1x1 windows with stride 1, relu of relu. Returns whether anything changed.
bool erase_identities(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_ERASE_IDENTITIES_H_
