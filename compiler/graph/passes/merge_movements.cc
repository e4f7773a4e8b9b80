// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/merge_movements.h"

namespace vta::graph {
namespace {

bool is_reshape(const Node& node) {
  return node.kind == OpKind::kReshape || node.kind == OpKind::kFlatten;
}

// Replaces `node` by an operator of `kind` on `x`, or by `x` if `x` has the result's shape.
void become(Graph& graph, NodeId id, NodeId x, OpKind kind, const OpAttrs& attrs,
            bool is_identity) {
  const NodeId result =
      is_identity ? x : graph.insert_before(id, kind, graph.node(id).name, {x}, attrs);
  graph.replace_uses(id, result);
  graph.erase(id);
}

bool merge_reshape(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Node& before = graph.node(node.inputs[0]);
  if (!is_reshape(before)) return false;
  const NodeId x = before.inputs[0];
  const Attrs<OpKind::kReshape> attrs(attr::shape{node.type.shape});
  become(graph, id, x, OpKind::kReshape, attrs, graph.node(x).type == node.type);
  return true;
}

bool merge_transpose(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Node& before = graph.node(node.inputs[0]);
  if (before.kind != OpKind::kTranspose) return false;
  Attrs<OpKind::kTranspose> attrs;
  bool is_identity = true;
  for (int64_t axis : node.attrs.perm) {
    const int64_t source = before.attrs.perm[static_cast<size_t>(axis)];
    is_identity = is_identity && source == static_cast<int64_t>(attrs.perm.size());
    attrs.perm.push_back(source);
  }
  become(graph, id, before.inputs[0], OpKind::kTranspose, attrs, is_identity);
  return true;
}

// A slice of a slice, both with positive steps: element i of the result is element begin + i * step
// of the operand, along each axis.
bool merge_slice(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Node& before = graph.node(node.inputs[0]);
  if (before.kind != OpKind::kStridedSlice) return false;
  Attrs<OpKind::kStridedSlice> attrs;
  for (size_t axis = 0; axis < node.type.shape.size(); ++axis) {
    const int64_t step = node.attrs.step[axis], step_before = before.attrs.step[axis];
    if (step < 1 || step_before < 1) return false;
    attrs.begin.push_back(before.attrs.begin[axis] + node.attrs.begin[axis] * step_before);
    attrs.step.push_back(step * step_before);
    attrs.end.push_back(attrs.begin.back() + (node.type.shape[axis] - 1) * attrs.step.back() + 1);
  }
  become(graph, id, before.inputs[0], OpKind::kStridedSlice, attrs, false);
  return true;
}

}  // namespace

bool merge_movements(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    if (node.type.is_open()) continue;  // their attributes depend on the operand's open axes
    if (is_reshape(node)) {
      changed |= merge_reshape(graph, id);
    } else if (node.kind == OpKind::kTranspose) {
      changed |= merge_transpose(graph, id);
    } else if (node.kind == OpKind::kStridedSlice) {
      changed |= merge_slice(graph, id);
    }
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
