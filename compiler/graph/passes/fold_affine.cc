// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/fold_affine.h"

#include <optional>

#include "compiler/graph/passes/absorb_affine.h"

namespace vta::graph {
namespace {

struct Operands {
  NodeId tensor;
  std::vector<double> numbers;  // per channel
  bool is_uniform;              // one number for all channels
};

// The numbers of a constant that broadcasts along axis 1 of `shape` alone.
std::optional<std::vector<double>> numbers_by_channel(const Node& constant,
                                                      const std::vector<int64_t>& shape) {
  if (constant.kind != OpKind::kConstant || constant.type.dtype != DType::kFloat32)
    return std::nullopt;
  const auto values = constant.value.data<float>();
  const auto channels = static_cast<size_t>(shape[1]);
  if (values.size() == 1) return std::vector<double>(channels, values[0]);
  std::vector<int64_t> wanted(shape.size(), 1);
  wanted[1] = shape[1];
  std::vector<int64_t> own = constant.type.shape;
  if (own.size() > shape.size()) return std::nullopt;
  own.insert(own.begin(), shape.size() - own.size(), 1);
  if (own != wanted) return std::nullopt;
  return std::vector<double>(values.begin(), values.end());
}

std::optional<Operands> operands_of(const Graph& graph, const Node& node) {
  if (node.type.shape.size() < 2 || node.type.is_open()) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const Node& constant = graph.node(node.inputs[1 - i]);
    if (graph.node(node.inputs[i]).type != node.type) continue;
    if (graph.is_constant(node.inputs[i])) continue;
    auto numbers = numbers_by_channel(constant, node.type.shape);
    if (numbers) return Operands{node.inputs[i], *numbers, constant.type.num_elems() == 1};
  }
  return std::nullopt;
}

void become_convolution(Graph& graph, NodeId id, const Operands& operands) {
  const std::string name = graph.node(id).name;
  const auto channels = static_cast<int64_t>(operands.numbers.size());
  const Attrs<OpKind::kConv2d> attrs(attr::groups{channels});
  const std::vector<float> weights(operands.numbers.begin(), operands.numbers.end());
  const NodeId constant =
      insert_folded(graph, id, name + ".folded_weight", Tensor({channels, 1, 1, 1}, weights));
  const NodeId convolution =
      graph.insert_before(id, OpKind::kConv2d, name, {operands.tensor, constant}, attrs);
  graph.replace_uses(id, convolution);
  graph.erase(id);
}

bool fold(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto operands = operands_of(graph, node);
  if (!operands) return false;
  const Node& producer = graph.node(operands->tensor);
  if (can_absorb(graph, producer)) {
    const NodeId layer = producer.id;
    const bool is_factor = node.kind == OpKind::kMul;
    absorb(graph, layer, is_factor ? Affine{operands->numbers, {}} : Affine{{}, operands->numbers});
    graph.replace_uses(id, layer);
    graph.erase(id);
    return true;
  }
  if (node.kind != OpKind::kMul || operands->is_uniform || node.type.shape.size() != 4 ||
      producer.kind == OpKind::kInput)
    return false;
  become_convolution(graph, id, *operands);
  return true;
}

}  // namespace

bool fold_affine(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    const OpKind kind = graph.node(id).kind;
    if (kind == OpKind::kMul || kind == OpKind::kAdd) changed |= fold(graph, id);
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
