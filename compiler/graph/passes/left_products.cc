// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/left_products.h"

#include <algorithm>

namespace vta::graph {
namespace {

constexpr int64_t kMinSide = 8;  // of the matrix: half of a block of channels

bool is_matrix(const TensorType& type) {
  return type.shape.size() >= 2 &&
         type.num_elems() == type.shape[type.shape.size() - 2] * type.shape.back();
}

bool applies(const Graph& graph, const Node& node) {
  if (node.kind != OpKind::kMatmul || node.type.is_open()) return false;
  const Node &w = graph.node(node.inputs[0]), &x = graph.node(node.inputs[1]);
  if (w.kind != OpKind::kConstant || x.kind == OpKind::kConstant || x.type.is_open()) return false;
  const auto& shape = w.type.shape;  // a tensor of several matrices would be a batch of images
  return is_matrix(w.type) && is_matrix(x.type) && shape[shape.size() - 2] >= kMinSide &&
         shape.back() >= kMinSide;
}

NodeId reshaped(Graph& graph, NodeId position, NodeId x, const std::string& name,
                std::vector<int64_t> shape) {
  const Attrs<OpKind::kReshape> attrs(attr::shape{std::move(shape)});
  return graph.insert_before(position, OpKind::kReshape, graph.free_name(name), {x}, attrs);
}

void become_convolution(Graph& graph, NodeId id) {
  const Node node = graph.node(id);
  const Node &matrix = graph.node(node.inputs[0]), &x = graph.node(node.inputs[1]);
  const int64_t n = x.type.shape.back(), k = x.type.num_elems() / n;
  const int64_t m = matrix.type.num_elems() / k;
  const NodeId image = reshaped(graph, id, x.id, x.name + ".image", {1, k, 1, n});
  const NodeId w = graph.insert_constant_before(id, graph.free_name(matrix.name + ".weights"),
                                                matrix.value.reshaped({m, k, 1, 1}));
  // The layer keeps its name, but for an output's.
  const auto& outputs = graph.outputs();
  const bool is_output = std::ranges::find(outputs, id) != outputs.end();
  graph.rename(id, graph.free_name(node.name + ".product"));
  const NodeId layer = graph.insert_before(
      id, OpKind::kConv2d, graph.free_name(node.name + (is_output ? ".layer" : "")), {image, w});
  graph.replace_uses(
      id, reshaped(graph, id, layer, node.name + (is_output ? "" : ".matrix"), node.type.shape));
}

}  // namespace

bool left_products_to_convolutions(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    if (!applies(graph, graph.node(id))) continue;
    become_convolution(graph, id);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
