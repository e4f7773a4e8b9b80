// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

NodeId operand(NodeContext& node, size_t index, bool small_integers) {
  if (node.input(index).type != node.input(0).type) {
    fail(ErrorCode::kCorrupt, "operands of types {} and {}", to_string(node.input(0).type),
         to_string(node.input(index).type));
  }
  return small_integers ? node.small_operand(index) : node.float_operand(index);
}

// Operands one after another. Broadcasting is the graph's too; only the scalar, which the graph
// does not know, is kept apart.
void variadic(NodeContext& node, OpKind kind, bool small_integers, double factor = 1) {
  NodeId result = operand(node, 0, small_integers);
  Dims dims = node.input(0).dims;
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    const NodeId other = operand(node, i, small_integers);
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
  if (node.num_inputs() == 0) fail(ErrorCode::kCorrupt, "it has no inputs");
  variadic(node, OpKind::kAdd, false, 1.0 / static_cast<double>(node.num_inputs()));
}

}  // namespace vta::onnx
