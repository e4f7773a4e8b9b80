// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/fold_batch_norm.h"

#include <cmath>

#include "compiler/graph/passes/absorb_affine.h"

namespace vta::graph {
namespace {

Affine affine_of(const Graph& graph, const Node& norm) {
  const auto operand = [&](size_t index) {
    return graph.node(norm.inputs[index]).value.data<float>();
  };
  const auto gamma = operand(1), beta = operand(2), mean = operand(3), variance = operand(4);
  Affine affine;
  for (size_t c = 0; c < gamma.size(); ++c) {
    const double scale = gamma[c] / std::sqrt(double{variance[c]} + norm.attrs.epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta[c] - mean[c] * scale);
  }
  return affine;
}

// The new convolution takes the batch norm's name, which is free after its erasure.
void become_convolution(Graph& graph, NodeId norm, const Affine& affine) {
  const std::string name = graph.node(norm).name;
  const NodeId input = graph.node(norm).inputs[0];
  const auto channels = static_cast<int64_t>(affine.scale.size());
  const std::vector<float> scale(affine.scale.begin(), affine.scale.end());
  const std::vector<float> shift(affine.shift.begin(), affine.shift.end());
  const Attrs<OpKind::kConv2d> attrs(attr::groups{channels});
  const NodeId weight_id =
      insert_folded(graph, norm, name + ".folded_weight", Tensor({channels, 1, 1, 1}, scale));
  const NodeId bias_id =
      insert_folded(graph, norm, name + ".folded_bias", Tensor({channels}, shift));
  const NodeId convolution =
      graph.insert_before(norm, OpKind::kConv2d, name, {input, weight_id, bias_id}, attrs);
  graph.replace_uses(norm, convolution);
  graph.erase(norm);
}

bool fold(Graph& graph, NodeId id) {
  const Node& norm = graph.node(id);
  for (size_t i = 1; i < norm.inputs.size(); ++i) {
    if (!graph.is_constant(norm.inputs[i])) return false;
  }
  const Affine affine = affine_of(graph, norm);
  const NodeId producer = norm.inputs[0];
  if (can_absorb(graph, graph.node(producer))) {
    absorb(graph, producer, affine);
    graph.replace_uses(id, producer);
    graph.erase(id);
    return true;
  }
  if (norm.type.shape.size() != 4) return false;
  become_convolution(graph, id, affine);
  return true;
}

}  // namespace

bool fold_batch_norm(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    if (graph.node(id).kind == OpKind::kBatchNorm) changed |= fold(graph, id);
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
