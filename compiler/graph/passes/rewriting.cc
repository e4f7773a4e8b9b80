// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/rewriting.h"

#include <utility>

namespace vta::graph {

std::optional<TensorAndNumber> with_number(const Graph& graph, const Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    const Node& number = graph.node(node.inputs[i]);
    const NodeId tensor = node.inputs[1 - i];
    if (number.kind == OpKind::kConstant && number.type.num_elems() == 1 &&
        number.type.dtype == DType::kFloat32 && graph.node(tensor).type == node.type)
      return TensorAndNumber{tensor, number.value.data<float>()[0]};
  }
  return std::nullopt;
}

void replace(Graph& graph, NodeId old, OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs) {
  const NodeId result =
      graph.insert_before(old, kind, graph.node(old).name, std::move(inputs), std::move(attrs));
  graph.replace_uses(old, result);
  graph.erase(old);
}

}  // namespace vta::graph
