// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/run_numbers.h"

#include <algorithm>
#include <limits>

#include "base/errors/counted.h"

namespace vta::onnx {

using graph::NodeId;

NodeId number(NodeContext& node, int64_t value) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return node.add_indices({1}, {std::clamp(value, -kMax, kMax)});  // INT64_MAX: to the end
}

Bounds bounds_of(NodeContext& node, NodeId size) { return bounds_of_scalar(node.graph(), size); }

bool is_exactly(const Bounds& bounds, double value) {
  return bounds.is_exact() && bounds.low == value;
}

NodeId sum(NodeContext& node, NodeId a, NodeId b) {
  return node.binary(BinaryFunction::kAdd, a, b);
}
NodeId difference(NodeContext& node, NodeId a, NodeId b) {
  if (is_exactly(bounds_of(node, b), 0)) return a;
  return node.binary(BinaryFunction::kSub, a, b);
}
NodeId product(NodeContext& node, NodeId a, NodeId b) {
  return node.binary(BinaryFunction::kMul, a, b);
}
NodeId at_least(NodeContext& node, NodeId a, int64_t limit) {
  const bool holds = bounds_of(node, a).low >= static_cast<double>(limit);
  return holds ? a : node.binary(BinaryFunction::kMax, a, number(node, limit));
}
NodeId at_most(NodeContext& node, NodeId a, NodeId limit) {
  if (bounds_of(node, a).high <= bounds_of(node, limit).low) return a;
  return node.binary(BinaryFunction::kMin, a, limit);
}

int64_t most_of(NodeContext& node, NodeId size, int64_t limit) {
  const double high = bounds_of(node, size).high;
  return high < static_cast<double>(limit) ? std::max<int64_t>(static_cast<int64_t>(high), 1)
                                           : limit;
}

NodeId first_numbers(NodeContext& node, NodeId size, int64_t most) {
  return node.add_named(OpKind::kIota, {size}, Attrs<OpKind::kIota>(attr::size{most}));
}

NodeId size_of_axis(NodeContext& node, NodeId x, size_t axis) {
  const TensorType& type = node.graph_node(x).type;
  if (!type.is_open(axis)) return number(node, type.shape[axis]);
  const auto at = static_cast<int64_t>(axis);
  return node.sliced(node.add(OpKind::kShapeOf, {x}), 0, at, at + 1);
}

std::vector<NodeId> elements_of(NodeContext& node, size_t index, const char* what) {
  const Value& value = node.input(index);
  if (value.dims.size() != 1)
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}, expected a list", index, what,
         type_text(value.type, value.dims));
  if (node.is_open(index)) node.refuse("input {} ({}) has no fixed length", index, what);
  constexpr int64_t kMaxRank = 8;
  if (value.dims[0] > kMaxRank) node.refuse("a tensor of {}", counted(value.dims[0], "axis"));
  const NodeId list = node.index_operand(index);
  std::vector<NodeId> elements;
  for (int64_t i = 0; i < value.dims[0]; ++i) elements.push_back(node.sliced(list, 0, i, i + 1));
  return elements;
}

}  // namespace vta::onnx
