// SPDX-License-Identifier: Apache-2.0
//
// Matching and replacing of operators, shared by the passes.
#ifndef VTA_COMPILER_GRAPH_PASSES_REWRITING_H_
#define VTA_COMPILER_GRAPH_PASSES_REWRITING_H_

#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

// The two operands of an operator of a tensor and a single number.
struct TensorAndNumber {
  NodeId tensor;
  float number;
};

// `node`: a float operator of two operands. nullopt if neither is a constant of one element, or if
// the result does not have the tensor's shape.
std::optional<TensorAndNumber> with_number(const Graph& graph, const Node& node);

// Replaces `old` by a new operator, which takes its name.
void replace(Graph& graph, NodeId old, OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_REWRITING_H_
