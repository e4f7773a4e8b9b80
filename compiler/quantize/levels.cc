// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/levels.h"

#include <algorithm>
#include <cmath>

namespace vta::quantize {

using graph::Graph;
using graph::Node;
using graph::NodeId;

int64_t Levels::of(double real) const {
  const double level = std::nearbyint(real / unit) + static_cast<double>(zero);
  return static_cast<int64_t>(std::clamp(level, static_cast<double>(lo), static_cast<double>(hi)));
}

std::optional<int64_t> exact_shift_of(double ratio) {
  constexpr int64_t kMaxShift = 31;
  int exponent = 0;
  if (std::frexp(ratio, &exponent) != 0.5 || std::abs(exponent) > kMaxShift) return std::nullopt;
  return 1 - exponent;
}

Levels levels_of(const Node& conversion) {
  const OpAttrs& attrs = conversion.attrs;
  if (attrs.unit != 0) return {attrs.unit, attrs.zero};
  Levels levels{std::ldexp(attrs.divisor, -static_cast<int>(attrs.frac_bits)), 0};
  if (conversion.kind == OpKind::kQuantize) levels.lo = -127;
  if (conversion.kind == OpKind::kDequantize)
    levels.unit = std::ldexp(1 / attrs.divisor, -static_cast<int>(attrs.frac_bits));
  return levels;
}

std::optional<LevelOperand> level_operand(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.kind != OpKind::kDequantize) return std::nullopt;
  if (graph.node(node.inputs[0]).type.dtype != DType::kInt8) return std::nullopt;
  return LevelOperand{node.inputs[0], levels_of(node)};
}

bool is_used_once(const Graph& graph, NodeId id) {
  return graph.users(id).size() == 1 && !graph.is_output(id);
}

bool moves_elements(const Node& node) {
  switch (node.kind) {
    case OpKind::kFlatten:
    case OpKind::kReshape:
    case OpKind::kTranspose:
    case OpKind::kStridedSlice:
    case OpKind::kPad:
    case OpKind::kDepthToSpace:
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalMaxPool2d:
      return true;
    case OpKind::kResize2d:
      return node.attrs.resize_mode == ResizeMode::kNearest;
    default:
      return false;
  }
}

std::optional<OpAttrs> attrs_on_levels(const Node& movement, const Levels& levels) {
  OpAttrs attrs = movement.attrs;
  if (movement.kind != OpKind::kPad || attrs.pad_mode != PadMode::kConstant) return attrs;
  const int64_t level = levels.of(attrs.pad_value);
  if (std::abs(levels.real(level) - attrs.pad_value) > 1e-6 * std::abs(attrs.pad_value))
    return std::nullopt;
  attrs.pad_value = static_cast<double>(level);
  return attrs;
}

namespace {

// The int8 operands of a movement or concat, if all have one scale.
std::optional<std::vector<NodeId>> operands_of_one_scale(const Graph& graph, const Node& node) {
  std::vector<NodeId> operands;
  const auto first = level_operand(graph, node.inputs[0]);
  for (NodeId input : node.inputs) {
    const auto operand = level_operand(graph, input);
    if (!operand || !operand->levels.has_same_scale(first->levels)) return std::nullopt;
    operands.push_back(operand->node);
  }
  return operands;
}

}  // namespace

bool sink_dequantize(Graph& graph, NodeId id) {
  const Node node = graph.node(id);
  if (node.type.dtype != DType::kFloat32) return false;
  if (!moves_elements(node) && node.kind != OpKind::kConcat) return false;
  const auto operands = operands_of_one_scale(graph, node);
  if (!operands) return false;
  const Node dequantize = graph.node(node.inputs[0]);
  const auto attrs = attrs_on_levels(node, levels_of(dequantize));
  if (!attrs) return false;
  const NodeId moved =
      graph.insert_before(id, node.kind, graph.free_name(node.name), *operands, *attrs);
  const NodeId real =
      graph.insert_before(id, OpKind::kDequantize, graph.free_name(node.name + ".dequantize"),
                          {moved}, dequantize.attrs);
  graph.replace_uses(id, real);
  return true;
}

}  // namespace vta::quantize
