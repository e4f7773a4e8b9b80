// SPDX-License-Identifier: Apache-2.0
//
// Element-wise functions, also as parts of newer activations and normalizations.
#include <cmath>
#include <numbers>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

void set_like_input(NodeContext& node, NodeId result) {
  node.set_result(result, node.input(0).type, node.input(0).dims);
}

void function(NodeContext& node, OpKind kind, double alpha = 0) {
  OpAttrs attrs;
  attrs.alpha = alpha;
  set_like_input(node, node.add(kind, {node.float_operand(0)}, attrs));
}

NodeId times(NodeContext& node, NodeId x, double factor) {
  return node.add(OpKind::kMul, {x, node.add_scalar(factor)});
}

NodeId plus(NodeContext& node, NodeId x, double term) {
  return node.add(OpKind::kAdd, {x, node.add_scalar(term)});
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
NodeId gelu_by_tanh(NodeContext& node, NodeId x) {
  const NodeId square = node.add(OpKind::kMul, {x, x});
  const NodeId cube = node.add(OpKind::kMul, {square, x});
  const NodeId sum = node.add(OpKind::kAdd, {x, times(node, cube, 0.044715)});
  const NodeId gate = node.add(OpKind::kTanh, {times(node, sum, std::sqrt(2 / std::numbers::pi))});
  return node.add(OpKind::kMul, {times(node, x, 0.5), plus(node, gate, 1)});
}

}  // namespace

void absolute(NodeContext& node) { function(node, OpKind::kAbs); }
void exponential(NodeContext& node) { function(node, OpKind::kExp); }
void logarithm(NodeContext& node) { function(node, OpKind::kLog); }
void square_root(NodeContext& node) { function(node, OpKind::kSqrt); }
void error_function(NodeContext& node) { function(node, OpKind::kErf); }
void softplus(NodeContext& node) { function(node, OpKind::kSoftplus); }
void mish(NodeContext& node) { function(node, OpKind::kMish); }
void elu(NodeContext& node) { function(node, OpKind::kElu, node.number("alpha", 1)); }

void selu(NodeContext& node) {
  OpAttrs attrs;
  attrs.alpha = node.number("alpha", 1.67326319217681884765625);
  const double gamma = node.number("gamma", 1.05070102214813232421875);
  const NodeId result = node.add(OpKind::kElu, {node.float_operand(0)}, attrs);
  set_like_input(node, times(node, result, gamma));
}

void softsign(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  set_like_input(node, node.add(OpKind::kDiv, {x, plus(node, node.add(OpKind::kAbs, {x}), 1)}));
}

void negative(NodeContext& node) { set_like_input(node, times(node, node.float_operand(0), -1)); }

void reciprocal(NodeContext& node) {
  const NodeId one = node.add_scalar(1);
  set_like_input(node, node.add(OpKind::kDiv, {one, node.float_operand(0)}));
}

void swish(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const double alpha = node.number("alpha", 1);
  if (alpha == 1) return function(node, OpKind::kSilu);
  const NodeId gate = node.add(OpKind::kSigmoid, {times(node, x, alpha)});
  set_like_input(node, node.add(OpKind::kMul, {x, gate}));
}

void gelu(NodeContext& node) {
  const std::string how = node.text("approximate", "none");
  if (how == "none") return function(node, OpKind::kGelu);
  if (how != "tanh") node.refuse("attribute 'approximate' is '{}', supported are none, tanh", how);
  set_like_input(node, gelu_by_tanh(node, node.float_operand(0)));
}

void power(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  if (!node.is_known(1) || num_elems(node.input(1).dims) != 1 || node.rank(1) > node.rank(0))
    node.refuse("the exponent is not a single constant");
  const double exponent = node.constant(1, "exponent").at(0);
  if (!std::isfinite(exponent)) node.refuse("the exponent is {}", exponent);
  if (exponent == 1) return node.set_same(node.shared_input(0));
  if (exponent == 2) return set_like_input(node, node.add(OpKind::kMul, {x, x}));
  if (exponent == 0.5) return function(node, OpKind::kSqrt);
  function(node, OpKind::kPower, exponent);
}

}  // namespace vta::onnx
