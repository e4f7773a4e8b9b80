// SPDX-License-Identifier: Apache-2.0
//
// What several passes need to look at operators and to put others in their place.
#ifndef VTA_COMPILER_GRAPH_PASSES_REWRITING_H_
#define VTA_COMPILER_GRAPH_PASSES_REWRITING_H_

#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

// The number beside a tensor that keeps its shape.
struct TensorAndNumber {
  NodeId tensor;
  float number;
};

// Of a float operator of two operands; none if neither is a constant of one element.
std::optional<TensorAndNumber> with_number(const Graph& graph, const Node& node);

// The new operator has the name of the old one, once that is erased.
void replace(Graph& graph, NodeId old, OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_REWRITING_H_
