// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors/counted.h"
#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

NodeId scaled(NodeContext& node, NodeId value, double factor) {
  return factor == 1 ? value : node.add(OpKind::kMul, {value, node.add_scalar(factor)});
}

// Gemm's C as the bias [oc] of a dense layer; -1 if it does not have one number per column.
NodeId as_bias(NodeContext& node, NodeId c, int64_t columns) {
  const Dims shape = node.shape_of(c);
  if (shape == Dims{columns} || shape == Dims{1, columns}) return node.reshaped(c, {columns});
  if (num_elems(shape) != 1 || !node.is_constant(c)) return -1;
  return node.add(OpKind::kAdd,
                  {node.add_constant(Tensor({DType::kFloat32, {columns}})), node.reshaped(c, {1})});
}

}  // namespace

void gemm(NodeContext& node) {
  const double alpha = node.number("alpha", 1), beta = node.number("beta", 1);
  NodeId a = node.float_operand(0), b = node.float_operand(1);
  if (node.rank(0) != 2 || node.rank(1) != 2) {
    fail(ErrorCode::kCorrupt, "operands of {} and {}, expected 2", node.rank(0),
         counted(node.rank(1), "axis"));
  }
  if (node.flag("transA", false)) a = node.transposed(a, {1, 0});
  // The weights of a dense layer are [oc, ic]: B transposed.
  const bool b_is_transposed = node.flag("transB", false);
  const bool is_dense = node.is_constant(b);
  if (is_dense != b_is_transposed) b = node.transposed(b, {1, 0});
  b = scaled(node, b, alpha);
  NodeId bias = -1, c = -1;
  if (node.has_input(2) && beta != 0) {
    c = scaled(node, node.float_operand(2), beta);
    if (is_dense) bias = as_bias(node, c, node.shape_of(b)[0]);
  }
  NodeId result;
  if (is_dense) {
    result = node.add(OpKind::kDense, bias < 0 ? std::vector{a, b} : std::vector{a, b, bias});
  } else {
    result = node.add(OpKind::kMatmul, {a, b});
  }
  if (c >= 0 && bias < 0) {
    const Dims shape = node.shape_of(result);
    result = node.add(OpKind::kAdd, {result, c});
    if (node.shape_of(result) != shape) {
      fail(ErrorCode::kCorrupt, "input 2 of shape [{}] does not broadcast to [{}]",
           fmt::join(node.input(2).dims, ", "), fmt::join(shape, ", "));
    }
  }
  node.set_result(result, node.input(0).type);
}

void matmul(NodeContext& node) {
  NodeId a = node.float_operand(0), b = node.float_operand(1);
  Dims a_dims = node.input(0).dims, b_dims = node.input(1).dims;
  if (a_dims.empty() || b_dims.empty()) fail(ErrorCode::kCorrupt, "an operand is a scalar");
  // A vector is a row on the left or a column on the right; the added axis is removed afterwards.
  const bool row = a_dims.size() == 1, column = b_dims.size() == 1;
  if (row) a_dims.insert(a_dims.begin(), 1);
  if (column) b_dims.push_back(1);
  a = node.reshaped(a, a_dims);
  b = node.reshaped(b, b_dims);
  NodeId result;
  if (a_dims.size() == 2 && b_dims.size() == 2 && node.is_constant(b)) {
    result = node.add(OpKind::kDense, {a, node.transposed(b, {1, 0})});
  } else {
    result = node.add(OpKind::kMatmul, {a, b});
  }
  Dims dims = node.shape_of(result);
  if (row) dims.erase(dims.end() - 2);
  if (column) dims.pop_back();
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

}  // namespace vta::onnx
