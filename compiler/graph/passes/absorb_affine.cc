// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/absorb_affine.h"

#include <algorithm>
#include <cmath>

namespace vta::graph {
namespace {

// Output channel of weight `index`.
size_t channel_of(const Node& layer, const Tensor& weights, size_t index) {
  const auto size = static_cast<size_t>(weights.num_elems());
  const auto first_axis = static_cast<size_t>(weights.dim(0));
  if (layer.kind != OpKind::kConv2dTranspose) return index / (size / first_axis);
  const auto of_group = static_cast<size_t>(weights.dim(1));  // weights are [ic, oc / groups, ...]
  const size_t taps = size / first_axis / of_group, in = index / taps / of_group;
  const size_t in_of_group = first_axis / static_cast<size_t>(layer.attrs.groups);
  return in / in_of_group * of_group + index / taps % of_group;
}

// Number of adjacent weights of one output channel.
size_t channel_run(const Node& layer, const Tensor& weights) {
  const int64_t axes =
      layer.kind != OpKind::kConv2dTranspose ? weights.dim(0) : weights.dim(0) * weights.dim(1);
  return static_cast<size_t>(weights.num_elems() / axes);
}

Tensor scaled_weights(const Node& layer, const Tensor& weights, const std::vector<double>& scale) {
  Tensor result(weights.type());
  const auto from = weights.data<float>();
  const auto to = result.mutable_data<float>();
  const size_t run = channel_run(layer, weights);
  for (size_t first = 0; first < from.size(); first += run) {
    const double factor = scale[channel_of(layer, weights, first)];
    for (size_t i = first; i < first + run; ++i) to[i] = static_cast<float>(from[i] * factor);
  }
  return result;
}

Tensor folded_bias(const Graph& graph, const Node& layer, const Affine& affine) {
  Tensor result({DType::kFloat32, {layer.type.shape[1]}});
  const auto values = result.mutable_data<float>();
  for (size_t c = 0; c < values.size(); ++c) {
    const double bias =
        layer.inputs.size() == 3 ? graph.node(layer.inputs[2]).value.data<float>()[c] : 0.0;
    values[c] = static_cast<float>(bias * (affine.scale.empty() ? 1.0 : affine.scale[c]) +
                                   (affine.shift.empty() ? 0.0 : affine.shift[c]));
  }
  return result;
}

}  // namespace

bool can_absorb(const Graph& graph, const Node& layer) {
  if (layer.kind != OpKind::kConv2d && layer.kind != OpKind::kConv2dTranspose &&
      layer.kind != OpKind::kDense)
    return false;
  for (size_t i = 1; i < layer.inputs.size(); ++i) {
    if (!graph.is_constant(layer.inputs[i])) return false;
  }
  return graph.users(layer.id).size() == 1 && !graph.is_output(layer.id);
}

NodeId insert_folded(Graph& graph, NodeId position, const std::string& name, const Tensor& value) {
  const auto values = value.data<float>();
  bool all_finite = true;
  for (const float x : values) all_finite &= std::isfinite(x);
  if (!all_finite) {
    fail(ErrorCode::kInvalidArgument,
         "{}: a folded value is {}: the factor is too large (of a batch norm: the variance too "
         "small)",
         name, *std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); }));
  }
  return graph.insert_constant_before(position, graph.free_name(name), value);
}

void absorb(Graph& graph, NodeId id, const Affine& affine) {
  const Node& layer = graph.node(id);
  const std::string name = layer.name;
  std::vector<NodeId> inputs = layer.inputs;
  if (!affine.scale.empty()) {
    const Tensor weights = scaled_weights(layer, graph.node(layer.inputs[1]).value, affine.scale);
    inputs[1] = insert_folded(graph, id, name + ".folded_weight", weights);
  }
  if (!affine.shift.empty() || inputs.size() == 3) {
    const Tensor bias = folded_bias(graph, layer, affine);
    inputs.resize(3);
    inputs[2] = insert_folded(graph, id, name + ".folded_bias", bias);
  }
  graph.set_inputs(id, std::move(inputs));
}

}  // namespace vta::graph
