// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr double kMaxFloat = std::numeric_limits<float>::max();

void unary(NodeContext& node, OpKind kind, const OpAttrs& attrs = {}) {
  const NodeId x = node.float_operand(0);
  node.set_result(node.add(kind, {x}, attrs), node.input(0).type, node.input(0).dims);
}

// A bound of Clip: none, a constant, or a computed tensor of one element.
struct Bound {
  std::optional<double> value;
  NodeId node = -1;
};

Bound read_bound(NodeContext& node, const char* name, size_t index) {
  if (!node.lists_as_inputs()) {
    if (!node.has_attr(name)) return {};
    // Infinity and the largest number, which is ONNX's default, mean no bound.
    const Attribute* attribute = node.attribute(name);
    if (attribute->kind == Attribute::Kind::kFloat &&
        !(std::abs(attribute->number) < std::numeric_limits<float>::max())) {
      if (std::isnan(attribute->number)) node.refuse("attribute '{}' is NaN", name);
      return {};
    }
    return {node.number(name, 0), -1};
  }
  if (!node.has_input(index)) return {};
  if (num_elems(node.input(index).dims) != 1) {
    fail(ErrorCode::kCorrupt, "input {} ({}) has more than one element", index, name);
  }
  if (!node.input(index).is_constant()) {
    return {std::nullopt, node.reshaped(node.small_operand(index), {1})};
  }
  const double value = node.constant(index, name).at(0);
  if (std::isnan(value)) node.refuse("input {} ({}) is NaN", index, name);
  if (std::abs(value) >= kMaxFloat) return {};
  return {value, -1};
}

NodeId clip_by_constants(NodeContext& node, NodeId x, const Bound& low, const Bound& high) {
  if (!low.value && !high.value) return x;
  if (low.value == 0.0 && !high.value) return node.add(OpKind::kRelu, {x});
  Attrs<OpKind::kClip> attrs(attr::lo{low.value.value_or(-kMaxFloat)},
                             attr::hi{high.value.value_or(kMaxFloat)});
  // If the bounds are reversed, ONNX's result is the upper one: min(max(x, low), high).
  if (attrs.lo > attrs.hi) attrs.lo = attrs.hi;
  return node.add(OpKind::kClip, {x}, attrs);
}

NodeId clip_by_tensors(NodeContext& node, NodeId x, const Bound& low, const Bound& high) {
  const auto limited = [&](NodeId value, const Bound& bound, OpKind kind) {
    if (!bound.value && bound.node < 0) return value;
    return node.add(kind, {value, bound.value ? node.add_scalar(*bound.value) : bound.node});
  };
  return limited(limited(x, low, OpKind::kMax), high, OpKind::kMin);
}

}  // namespace

void relu(NodeContext& node) {
  const NodeId x = node.small_operand(0);
  node.set_result(node.add(OpKind::kRelu, {x}), node.input(0).type, node.input(0).dims);
}

namespace {

void clip_integers(NodeContext& node) {
  NodeId result = node.integer_operand(0);
  const auto limit = [&](const char* name, size_t index, BinaryFunction function) {
    if (!node.has_input(index)) return;
    if (num_elems(node.input(index).dims) != 1)
      fail(ErrorCode::kCorrupt, "input {} ({}) has more than one element", index, name);
    result = node.binary(function, result, node.reshaped(node.integer_operand(index), {1}));
  };
  limit("min", 1, BinaryFunction::kMax);
  limit("max", 2, BinaryFunction::kMin);
  node.set_result(node.as_integer(result, node.input(0).type), node.input(0).type,
                  node.input(0).dims);
}

}  // namespace

void clip(NodeContext& node) {
  const ElementType type = node.input(0).type;
  if (!is_floating(type) && !is_small_integer(type)) return clip_integers(node);
  const NodeId x = node.small_operand(0);
  const Bound low = read_bound(node, "min", 1), high = read_bound(node, "max", 2);
  const NodeId result = low.node < 0 && high.node < 0 ? clip_by_constants(node, x, low, high)
                                                      : clip_by_tensors(node, x, low, high);
  node.set_result(result, node.input(0).type, node.input(0).dims);
}

void sigmoid(NodeContext& node) { unary(node, OpKind::kSigmoid); }
void tanh(NodeContext& node) { unary(node, OpKind::kTanh); }
void hard_swish(NodeContext& node) { unary(node, OpKind::kHardSwish); }

void leaky_relu(NodeContext& node) {
  const Attrs<OpKind::kLeakyRelu> attrs(attr::alpha{node.number("alpha", 0.01)});
  unary(node, OpKind::kLeakyRelu, attrs);
}

void hard_sigmoid(NodeContext& node) {
  const Attrs<OpKind::kHardSigmoid> attrs(attr::alpha{node.number("alpha", 0.2)},
                                          attr::beta{node.number("beta", 0.5)});
  unary(node, OpKind::kHardSigmoid, attrs);
}

void prelu(NodeContext& node) {
  const NodeId x = node.float_operand(0), slope = node.float_operand(1);
  if (broadcast_dims(node.input(0).dims, node.input(1).dims) != node.input(0).dims) {
    fail(ErrorCode::kCorrupt, "slope of shape [{}] does not broadcast to [{}]",
         fmt::join(node.input(1).dims, ", "), fmt::join(node.input(0).dims, ", "));
  }
  node.set_result(node.add(OpKind::kPrelu, {x, slope}), node.input(0).type, node.input(0).dims);
}

}  // namespace vta::onnx
