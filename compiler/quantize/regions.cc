// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/regions.h"

#include <algorithm>

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool has_weights(OpKind kind) { return kind == OpKind::kConv2d || kind == OpKind::kDense; }

bool keeps_scale(OpKind kind) {
  return kind == OpKind::kMaxPool2d || kind == OpKind::kFlatten || kind == OpKind::kStridedSlice ||
         kind == OpKind::kPad;
}

void check(const Graph& graph, const Node& node) {
  if (node.kind == OpKind::kBatchNorm) {
    fail(ErrorCode::kUnsupported,
         "{}: a batch norm without a convolution before it cannot be quantized", node.name);
  }
  if (!has_weights(node.kind)) return;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (graph.node(node.inputs[i]).kind != OpKind::kConstant) {
      fail(ErrorCode::kUnsupported, "{}: {} whose weights are computed cannot be quantized",
           node.name, to_string(node.kind));
    }
  }
}

// Nodes with a conv2d or dense layer somewhere after them.
std::set<NodeId> before_weights(const Graph& graph) {
  std::set<NodeId> result;
  for (size_t i = graph.order().size(); i-- > 0;) {
    const Node& node = graph.node(graph.order()[i]);
    if (!has_weights(node.kind) && result.count(node.id) == 0) continue;
    result.insert(node.inputs.begin(), node.inputs.end());
  }
  return result;
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph), before_weights_(before_weights(graph)) {}

  Regions run() {
    for (NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      check(graph_, node);
      regions_.scale_of[id] = id;
      if (!becomes_integer(node)) continue;
      regions_.integer.insert(id);
      if (keeps_scale(node.kind)) regions_.scale_of[id] = regions_.scale_of[node.inputs[0]];
      merge_into_producer(node);
    }
    return std::move(regions_);
  }

 private:
  bool becomes_integer(const Node& node) const {
    const auto integer_operand = [&](NodeId id) { return regions_.is_integer(id); };
    switch (node.kind) {
      case OpKind::kConv2d:
        return true;
      case OpKind::kDense:
        return before_weights_.count(node.id) != 0;
      case OpKind::kRelu:
      case OpKind::kClip:
      case OpKind::kAdd:
      case OpKind::kMaxPool2d:
      case OpKind::kFlatten:
      case OpKind::kStridedSlice:
      case OpKind::kPad:
        return std::any_of(node.inputs.begin(), node.inputs.end(), integer_operand);
      default:
        return false;
    }
  }

  void merge_into_producer(const Node& node) {
    if (node.kind != OpKind::kRelu && node.kind != OpKind::kClip) return;
    const Node& producer = graph_.node(node.inputs[0]);
    const bool can_clip = has_weights(producer.kind) || producer.kind == OpKind::kAdd;
    const bool only_user = graph_.users(producer.id).size() == 1 && !graph_.is_output(producer.id);
    if (!can_clip || !only_user) return;
    regions_.fused_activation[producer.id] = node.id;
    regions_.scale_of[producer.id] = node.id;
  }

  const Graph& graph_;
  std::set<NodeId> before_weights_;
  Regions regions_;
};

}  // namespace

Regions find_regions(const Graph& graph) { return Finder(graph).run(); }

}  // namespace vta::quantize
