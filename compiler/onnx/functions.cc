// SPDX-License-Identifier: Apache-2.0
//
// Element-wise functions, also as parts of newer activations and normalizations.
#include <cmath>
#include <numbers>

#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

void set_like_input(NodeContext& node, NodeId result) {
  node.set_result(result, node.input(0).type, node.input(0).dims);
}

void function(NodeContext& node, OpKind kind, double alpha = 0) {
  const Attrs<OpKind::kElu> attrs(attr::alpha{alpha});
  set_like_input(node, node.add(kind, {node.float_operand(0)}, attrs));
}

void function(NodeContext& node, UnaryFunction function) {
  set_like_input(node, node.unary(function, node.float_operand(0)));
}

void integer_function(NodeContext& node, UnaryFunction function) {
  const NodeId result = node.unary(function, node.integer_operand(0));
  set_like_input(node, node.as_integer(result, node.input(0).type));
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

void absolute(NodeContext& node) {
  if (!is_floating(node.input(0).type)) return integer_function(node, UnaryFunction::kAbsolute);
  function(node, OpKind::kAbs);
}
void sign(NodeContext& node) {
  if (!is_floating(node.input(0).type)) return integer_function(node, UnaryFunction::kSign);
  function(node, UnaryFunction::kSign);
}
void floor(NodeContext& node) { function(node, UnaryFunction::kFloor); }
void ceil(NodeContext& node) { function(node, UnaryFunction::kCeil); }
void round(NodeContext& node) { function(node, UnaryFunction::kRound); }
void sine(NodeContext& node) { function(node, UnaryFunction::kSin); }
void cosine(NodeContext& node) { function(node, UnaryFunction::kCos); }
void tangent(NodeContext& node) { function(node, UnaryFunction::kTan); }
void arc_sine(NodeContext& node) { function(node, UnaryFunction::kAsin); }
void arc_cosine(NodeContext& node) { function(node, UnaryFunction::kAcos); }
void arc_tangent(NodeContext& node) { function(node, UnaryFunction::kAtan); }
void hyperbolic_sine(NodeContext& node) { function(node, UnaryFunction::kSinh); }
void hyperbolic_cosine(NodeContext& node) { function(node, UnaryFunction::kCosh); }
void area_sine(NodeContext& node) { function(node, UnaryFunction::kAsinh); }
void area_cosine(NodeContext& node) { function(node, UnaryFunction::kAcosh); }
void area_tangent(NodeContext& node) { function(node, UnaryFunction::kAtanh); }
void exponential(NodeContext& node) { function(node, OpKind::kExp); }
void logarithm(NodeContext& node) { function(node, OpKind::kLog); }
void square_root(NodeContext& node) { function(node, OpKind::kSqrt); }
void error_function(NodeContext& node) { function(node, OpKind::kErf); }
void softplus(NodeContext& node) { function(node, OpKind::kSoftplus); }
void mish(NodeContext& node) { function(node, OpKind::kMish); }
void elu(NodeContext& node) { function(node, OpKind::kElu, node.number("alpha", 1)); }

void selu(NodeContext& node) {
  const Attrs<OpKind::kElu> attrs(attr::alpha{node.number("alpha", 1.67326319217681884765625)});
  const double gamma = node.number("gamma", 1.05070102214813232421875);
  const NodeId result = node.add(OpKind::kElu, {node.float_operand(0)}, attrs);
  set_like_input(node, times(node, result, gamma));
}

void softsign(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  set_like_input(node, node.add(OpKind::kDiv, {x, plus(node, node.add(OpKind::kAbs, {x}), 1)}));
}

void negative(NodeContext& node) {
  if (!is_floating(node.input(0).type)) return integer_function(node, UnaryFunction::kNegative);
  set_like_input(node, times(node, node.float_operand(0), -1));
}

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

void is_nan(NodeContext& node) {
  const NodeId result = node.unary(UnaryFunction::kIsNan, node.float_operand(0));
  node.set_result(result, ElementType::kBool, node.input(0).dims);
}

void is_infinite(NodeContext& node) {
  const bool of_negative = node.flag("detect_negative", true);
  const bool of_positive = node.flag("detect_positive", true);
  const NodeId x = node.float_operand(0);
  NodeId result = node.unary(UnaryFunction::kIsInfinite, x);
  const auto only = [&](BinaryFunction side) {
    result = node.add(OpKind::kMul, {result, node.binary(side, x, node.add_scalar(0))});
  };
  if (!of_negative) only(BinaryFunction::kGreater);
  if (!of_positive) only(BinaryFunction::kLess);
  node.set_result(result, ElementType::kBool, node.input(0).dims);
}

void thresholded_relu(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const NodeId is_above =
      node.binary(BinaryFunction::kGreater, x, node.add_scalar(node.number("alpha", 1)));
  set_like_input(node, node.add(OpKind::kWhere, {is_above, x, node.add_scalar(0)}));
}

// max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))
void celu(NodeContext& node) {
  const double alpha = node.number("alpha", 1);
  if (alpha == 0) fail(ErrorCode::kCorrupt, "attribute 'alpha' is 0");
  if (alpha < 0) node.refuse("attribute 'alpha' is {}, supported are positive ones", alpha);
  const Attrs<OpKind::kElu> attrs(attr::alpha{1});
  const NodeId x = node.float_operand(0);
  set_like_input(node,
                 times(node, node.add(OpKind::kElu, {times(node, x, 1 / alpha)}, attrs), alpha));
}

void shrink(NodeContext& node) {
  const double bias = node.number("bias", 0), lambda = node.number("lambd", 0.5);
  const NodeId x = node.float_operand(0);
  const NodeId below = node.binary(BinaryFunction::kLess, x, node.add_scalar(-lambda));
  const NodeId above = node.binary(BinaryFunction::kGreater, x, node.add_scalar(lambda));
  const NodeId rest = node.add(OpKind::kWhere, {above, plus(node, x, -bias), node.add_scalar(0)});
  set_like_input(node, node.add(OpKind::kWhere, {below, plus(node, x, bias), rest}));
}

namespace {

void power_of_constant(NodeContext& node, double exponent) {
  const NodeId x = node.float_operand(0);
  if (exponent == 1) return node.set_same(node.shared_input(0));
  if (exponent == 2) return set_like_input(node, node.add(OpKind::kMul, {x, x}));
  if (exponent == 0.5) return function(node, OpKind::kSqrt);
  function(node, OpKind::kPower, exponent);
}

}  // namespace

void power(NodeContext& node) {
  const ElementType type = node.input(0).type;
  const bool is_single =
      node.is_known(1) && num_elems(node.input(1).dims) == 1 && node.rank(1) <= node.rank(0);
  const double exponent = is_single ? node.constant(1, "exponent").at(0) : 0;
  if (!std::isfinite(exponent)) node.refuse("the exponent is {}", exponent);
  if (is_single && is_floating(type)) return power_of_constant(node, exponent);
  const bool in_integers = !is_floating(type) && !is_floating(node.input(1).type);
  const auto operand = [&](size_t index) {
    if (in_integers) return node.integer_operand(index);
    const NodeId x = node.number_operand(index);
    return node.dtype_of(x) == DType::kInt32 ? node.cast(x, Format::kFloat32) : x;
  };
  NodeId result = node.binary(BinaryFunction::kPow, operand(0), operand(1));
  if (!is_floating(type)) result = node.as_integer(result, type);
  node.set_result(result, type, broadcast_dims(node.input(0).dims, node.input(1).dims));
}

}  // namespace vta::onnx
