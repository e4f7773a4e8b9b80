// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/erase_identities.h"

#include <algorithm>

namespace vta::graph {
namespace {

bool is_identity(const Graph& graph, const Node& node) {
  switch (node.kind) {
    // These change values only if they change the shape.
    case OpKind::kFlatten:
    case OpKind::kReshape:
    case OpKind::kPad:
      return node.type == graph.node(node.inputs[0]).type;
    case OpKind::kStridedSlice:
      return node.type == graph.node(node.inputs[0]).type &&
             std::all_of(node.attrs.step.begin(), node.attrs.step.end(),
                         [](int64_t step) { return step > 0; });
    case OpKind::kTranspose:
      return std::is_sorted(node.attrs.perm.begin(), node.attrs.perm.end());
    case OpKind::kConcat:
      return node.inputs.size() == 1;
    case OpKind::kDepthToSpace:
      return node.attrs.block == 1;
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return node.attrs.kernel == std::array<int64_t, 2>{1, 1} &&
             node.type == graph.node(node.inputs[0]).type;
    case OpKind::kRelu:
      return graph.node(node.inputs[0]).kind == OpKind::kRelu;
    default:
      return false;
  }
}

}  // namespace

bool erase_identities(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    if (!is_identity(graph, graph.node(id))) continue;
    graph.replace_uses(id, graph.node(id).inputs[0]);
    graph.erase(id);
    changed = true;
  }
  return changed;
}

}  // namespace vta::graph
