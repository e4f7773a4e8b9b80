// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

bool is_infinite(float x) { return std::isinf(x); }

bool has_infinity(NodeContext& node, size_t index) {
  const Value& value = node.input(index);
  if (!is_floating(value.type) || num_elems(value.dims) == 0 || !node.is_known(index)) return false;
  const std::vector<float>& floats = node.constant(index, "operand").floats;
  return std::any_of(floats.begin(), floats.end(), is_infinite);
}

// For Min and Max: infinity becomes the largest number.
NodeId finite_operand(NodeContext& node, size_t index) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  Array array = node.constant(index, "operand");
  for (float& x : array.floats) x = is_infinite(x) ? std::copysign(kMaxFloat, x) : x;
  return node.add_constant(to_tensor(array));
}

NodeId operand(NodeContext& node, size_t index, bool is_bound) {
  if (node.input(index).type != node.input(0).type) {
    fail(ErrorCode::kCorrupt, "operands of types {} and {}", to_string(node.input(0).type),
         to_string(node.input(index).type));
  }
  if (!is_bound) return node.float_operand(index);
  return has_infinity(node, index) ? finite_operand(node, index) : node.small_operand(index);
}

// Applies the operator to the operands one after another. The graph broadcasts as ONNX does, but
// has no scalars, which are handled here.
void variadic(NodeContext& node, OpKind kind, bool is_bound, double factor = 1) {
  NodeId result = operand(node, 0, is_bound);
  Dims dims = node.input(0).dims;
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    const NodeId other = operand(node, i, is_bound);
    dims = broadcast_dims(dims, node.input(i).dims);
    result = node.add(kind, {result, other});
  }
  if (factor != 1) result = node.add(OpKind::kMul, {result, node.add_scalar(factor)});
  node.set_result(result, node.input(0).type, dims);
}

void binary(NodeContext& node, OpKind kind) {
  if (node.num_inputs() != 2) fail(ErrorCode::kCorrupt, "{} inputs, expected 2", node.num_inputs());
  variadic(node, kind, false);
}

}  // namespace

void add(NodeContext& node) { binary(node, OpKind::kAdd); }
void sub(NodeContext& node) { binary(node, OpKind::kSub); }
void mul(NodeContext& node) { binary(node, OpKind::kMul); }
void div(NodeContext& node) { binary(node, OpKind::kDiv); }
void min(NodeContext& node) { variadic(node, OpKind::kMin, true); }
void max(NodeContext& node) { variadic(node, OpKind::kMax, true); }
void sum(NodeContext& node) { variadic(node, OpKind::kAdd, false); }

void mean(NodeContext& node) {
  if (node.num_inputs() == 0) fail(ErrorCode::kCorrupt, "the node has no inputs");
  variadic(node, OpKind::kAdd, false, 1.0 / static_cast<double>(node.num_inputs()));
}

}  // namespace vta::onnx
