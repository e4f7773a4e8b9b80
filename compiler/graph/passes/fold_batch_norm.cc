// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/fold_batch_norm.h"

#include <cmath>

namespace vta::graph {
namespace {

// y[c] = x[c] * scale[c] + shift[c]
struct Affine {
  std::vector<double> scale, shift;
};

bool is_constant(const Graph& graph, NodeId id) { return graph.node(id).kind == OpKind::kConstant; }

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

bool can_absorb(const Graph& graph, const Node& producer) {
  if (producer.kind != OpKind::kConv2d && producer.kind != OpKind::kDense) return false;
  for (size_t i = 1; i < producer.inputs.size(); ++i) {
    if (!is_constant(graph, producer.inputs[i])) return false;
  }
  return graph.users(producer.id).size() == 1 && !graph.is_output(producer.id);
}

Tensor scaled_weights(const Tensor& weights, const Affine& affine) {
  Tensor result = weights;
  const std::span<float> values = result.mutable_data<float>();
  const size_t per_channel = values.size() / affine.scale.size();
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(values[i] * affine.scale[i / per_channel]);
  }
  return result;
}

Tensor folded_bias(const Graph& graph, const Node& producer, const Affine& affine) {
  Tensor result({DType::kFloat32, {static_cast<int64_t>(affine.shift.size())}});
  const std::span<float> values = result.mutable_data<float>();
  for (size_t c = 0; c < values.size(); ++c) {
    const double bias =
        producer.inputs.size() == 3 ? graph.node(producer.inputs[2]).value.data<float>()[c] : 0.0;
    values[c] = static_cast<float>(bias * affine.scale[c] + affine.shift[c]);
  }
  return result;
}

NodeId insert_folded(Graph& graph, NodeId position, const std::string& name, const Tensor& value) {
  for (float x : value.data<float>()) {
    if (std::isfinite(x)) continue;
    fail(ErrorCode::kInvalidArgument, "{}: a value is {}; the batch norm's variance is too small",
         name, x);
  }
  return graph.insert_constant_before(position, graph.free_name(name), value);
}

void absorb(Graph& graph, NodeId norm, NodeId producer, const Affine& affine) {
  const Node& node = graph.node(producer);
  const std::string name = node.name;
  const Tensor weights = scaled_weights(graph.node(node.inputs[1]).value, affine);
  const Tensor bias = folded_bias(graph, node, affine);
  const NodeId weight_id = insert_folded(graph, producer, name + ".folded_weight", weights);
  const NodeId bias_id = insert_folded(graph, producer, name + ".folded_bias", bias);
  Node& changed = graph.node(producer);
  changed.inputs = {changed.inputs[0], weight_id, bias_id};
  graph.replace_uses(norm, producer);
  graph.erase(norm);
}

// The new convolution takes the batch norm's name, which is free once that is erased.
void become_convolution(Graph& graph, NodeId norm, const Affine& affine) {
  const std::string name = graph.node(norm).name;
  const NodeId input = graph.node(norm).inputs[0];
  const auto channels = static_cast<int64_t>(affine.scale.size());
  const std::vector<float> scale(affine.scale.begin(), affine.scale.end());
  const std::vector<float> shift(affine.shift.begin(), affine.shift.end());
  OpAttrs attrs;
  attrs.groups = channels;
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
    if (!is_constant(graph, norm.inputs[i])) return false;
  }
  const Affine affine = affine_of(graph, norm);
  const NodeId producer = norm.inputs[0];
  if (can_absorb(graph, graph.node(producer))) {
    absorb(graph, id, producer, affine);
    return true;
  }
  if (norm.type.shape.size() != 4) return false;
  become_convolution(graph, id, affine);
  return true;
}

}  // namespace

bool fold_batch_norm(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // changes below
  for (NodeId id : order) {
    if (graph.node(id).kind == OpKind::kBatchNorm) changed |= fold(graph, id);
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
