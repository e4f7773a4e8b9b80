// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/fold_constants.h"

#include "runtime/host/host_operators.h"

namespace vta::graph {
namespace {

bool is_constant_expression(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.type.is_open()) return false;
  for (NodeId input : node.inputs) {
    if (!graph.is_constant(input)) return false;
  }
  return true;
}

}  // namespace

bool fold_constants(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    if (!is_constant_expression(graph, node)) continue;
    std::vector<Tensor> operands;
    for (NodeId input : node.inputs) operands.push_back(graph.node(input).value);
    const NodeId value =
        graph.insert_constant_before(id, node.name, host::execute(node.kind, node.attrs, operands));
    graph.replace_uses(id, value);
    graph.erase(id);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
