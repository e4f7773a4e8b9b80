// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "compiler/lower/passes.h"

namespace vta::lower {

using graph::Graph;
using graph::Node;
using graph::NodeId;

Graph rebatch(const Graph& graph, int64_t batch) {
  Graph result;
  result.name = graph.name;
  std::map<NodeId, NodeId> copies;
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (node.kind == OpKind::kConstant) {
      copies[id] = result.add_constant(node.name, node.value);
      continue;
    }
    if (node.kind == OpKind::kInput) {
      TensorType type = node.type;
      type.shape.at(0) = batch;
      copies[id] = result.add_input(node.name, type);
      continue;
    }
    OpAttrs attrs = node.attrs;
    const int64_t old_batch = graph.node(node.inputs.at(0)).type.shape.at(0);
    if (node.kind == OpKind::kStridedSlice && attrs.begin.at(0) == 0 &&
        attrs.end.at(0) == old_batch) {
      attrs.end[0] = batch;
    }
    if (node.kind == OpKind::kReshape && attrs.shape.at(0) == old_batch) attrs.shape[0] = batch;
    std::vector<NodeId> inputs;
    for (NodeId input : node.inputs) inputs.push_back(copies.at(input));
    copies[id] = result.add(node.kind, node.name, inputs, attrs);
  }
  std::vector<NodeId> outputs;
  for (NodeId output : graph.outputs()) outputs.push_back(copies.at(output));
  result.set_outputs(outputs);
  return result;
}

}  // namespace vta::lower
