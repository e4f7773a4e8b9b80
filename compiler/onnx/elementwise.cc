// SPDX-License-Identifier: Apache-2.0

#include "base/errors/counted.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

void need_type_of_first(NodeContext& node, size_t index) {
  if (node.input(index).type != node.input(0).type) {
    fail(ErrorCode::kCorrupt, "operands of types {} and {}", to_string(node.input(0).type),
         to_string(node.input(index).type));
  }
}

// An operator of the graph on floating-point numbers, and its function on integers.
struct Arithmetic {
  OpKind kind;
  BinaryFunction function;
};

NodeId operand(NodeContext& node, size_t index, OpKind kind) {
  need_type_of_first(node, index);
  if (!is_floating(node.input(0).type)) return node.integer_operand(index);
  switch (kind) {
    case OpKind::kMin:
    case OpKind::kMax:
      return node.finite_operand(index);
    case OpKind::kAdd:
    case OpKind::kSub:
      return node.unbounded_operand(index);
    default:
      return node.float_operand(index);
  }
}

// Applies the operator to the operands one after another. The graph broadcasts as ONNX does, but
// has no scalars, which are handled here.
void variadic(NodeContext& node, const Arithmetic& arithmetic, double factor = 1) {
  const ElementType type = node.input(0).type;
  NodeId result = operand(node, 0, arithmetic.kind);
  Dims dims = node.input(0).dims;
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    const NodeId other = operand(node, i, arithmetic.kind);
    dims = broadcast_dims(dims, node.input(i).dims);
    result = is_floating(type) ? node.add(arithmetic.kind, {result, other})
                               : node.binary(arithmetic.function, result, other);
  }
  if (factor != 1) result = node.add(OpKind::kMul, {result, node.add_scalar(factor)});
  if (!is_floating(type)) result = node.as_integer(result, type);
  node.set_result(result, type, dims);
}

void need_two(NodeContext& node) {
  if (node.num_inputs() != 2)
    fail(ErrorCode::kCorrupt, "{}, expected 2", counted(node.num_inputs(), "input"));
}

void arithmetic(NodeContext& node, const Arithmetic& arithmetic) {
  need_two(node);
  variadic(node, arithmetic);
}

void compare(NodeContext& node, BinaryFunction function) {
  need_two(node);
  need_type_of_first(node, 1);
  const NodeId result = node.binary(function, node.number_operand(0), node.number_operand(1));
  node.set_result(result, ElementType::kBool,
                  broadcast_dims(node.input(0).dims, node.input(1).dims));
}

void logic(NodeContext& node, BinaryFunction function) {
  if (node.input(0).type != ElementType::kBool)
    fail(ErrorCode::kCorrupt, "operands of type {}, expected bool", to_string(node.input(0).type));
  compare(node, function);
}

// Both operands as int32; the result in the type of the first.
void integer_function(NodeContext& node, BinaryFunction function) {
  need_two(node);
  need_type_of_first(node, 1);
  const NodeId result = node.binary(function, node.integer_operand(0), node.integer_operand(1));
  node.set_result(node.as_integer(result, node.input(0).type), node.input(0).type,
                  broadcast_dims(node.input(0).dims, node.input(1).dims));
}

}  // namespace

void add(NodeContext& node) { arithmetic(node, {OpKind::kAdd, BinaryFunction::kAdd}); }
void sub(NodeContext& node) { arithmetic(node, {OpKind::kSub, BinaryFunction::kSub}); }
void mul(NodeContext& node) { arithmetic(node, {OpKind::kMul, BinaryFunction::kMul}); }
void div(NodeContext& node) { arithmetic(node, {OpKind::kDiv, BinaryFunction::kDiv}); }
void min(NodeContext& node) { variadic(node, {OpKind::kMin, BinaryFunction::kMin}); }
void max(NodeContext& node) { variadic(node, {OpKind::kMax, BinaryFunction::kMax}); }

void sum(NodeContext& node) {
  node.float_operand(0);
  variadic(node, {OpKind::kAdd, BinaryFunction::kAdd});
}

void mean(NodeContext& node) {
  if (node.num_inputs() == 0) fail(ErrorCode::kCorrupt, "the node has no inputs");
  node.float_operand(0);
  variadic(node, {OpKind::kAdd, BinaryFunction::kAdd},
           1.0 / static_cast<double>(node.num_inputs()));
}

void equal(NodeContext& node) { compare(node, BinaryFunction::kEqual); }
void less(NodeContext& node) { compare(node, BinaryFunction::kLess); }
void less_or_equal(NodeContext& node) { compare(node, BinaryFunction::kLessOrEqual); }
void greater(NodeContext& node) { compare(node, BinaryFunction::kGreater); }
void greater_or_equal(NodeContext& node) { compare(node, BinaryFunction::kGreaterOrEqual); }
void logical_and(NodeContext& node) { logic(node, BinaryFunction::kAnd); }
void logical_or(NodeContext& node) { logic(node, BinaryFunction::kOr); }
void logical_xor(NodeContext& node) { logic(node, BinaryFunction::kXor); }
void bitwise_and(NodeContext& node) { integer_function(node, BinaryFunction::kBitAnd); }
void bitwise_or(NodeContext& node) { integer_function(node, BinaryFunction::kBitOr); }
void bitwise_xor(NodeContext& node) { integer_function(node, BinaryFunction::kBitXor); }

void logical_not(NodeContext& node) {
  const NodeId result =
      node.binary(BinaryFunction::kEqual, node.small_operand(0), node.add_scalar(0));
  node.set_result(result, ElementType::kBool, node.input(0).dims);
}

void bitwise_not(NodeContext& node) {
  const ElementType type = node.input(0).type;
  const int64_t ones = lowest(type) < 0 ? -1 : highest(type);
  if (ones > highest(ElementType::kInt32)) node.refuse("of {} is not supported", to_string(type));
  const NodeId x = node.integer_operand(0);
  const NodeId result = node.binary(BinaryFunction::kSub,
                                    node.add_scalar(static_cast<double>(ones), DType::kInt32), x);
  node.set_result(node.as_integer(result, type), type, node.input(0).dims);
}

void bit_shift(NodeContext& node) {
  need_two(node);
  need_type_of_first(node, 1);
  const std::string direction = node.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    fail(ErrorCode::kCorrupt, "attribute 'direction' is '{}'", printable(direction));
  NodeId count = node.integer_operand(1);
  if (direction == "RIGHT") count = node.unary(UnaryFunction::kNegative, count);
  const NodeId result = node.binary(BinaryFunction::kShift, node.integer_operand(0), count);
  node.set_result(node.as_integer(result, node.input(0).type), node.input(0).type,
                  broadcast_dims(node.input(0).dims, node.input(1).dims));
}

void modulo(NodeContext& node) {
  if (!is_floating(node.input(0).type)) {
    return integer_function(
        node, node.flag("fmod", false) ? BinaryFunction::kRemainder : BinaryFunction::kModulo);
  }
  if (!node.flag("fmod", false))
    fail(ErrorCode::kCorrupt, "of floating-point numbers needs fmod = 1");
  need_two(node);
  need_type_of_first(node, 1);
  const NodeId result =
      node.binary(BinaryFunction::kRemainder, node.float_operand(0), node.float_operand(1));
  node.set_result(result, node.input(0).type,
                  broadcast_dims(node.input(0).dims, node.input(1).dims));
}

void where(NodeContext& node) {
  if (node.input(0).type != ElementType::kBool || node.input(1).type != node.input(2).type) {
    fail(ErrorCode::kCorrupt, "operands of types {}, {} and {}", to_string(node.input(0).type),
         to_string(node.input(1).type), to_string(node.input(2).type));
  }
  const auto operand = [&](size_t index) {
    return is_floating(node.input(index).type) ? node.unbounded_operand(index)
                                               : node.number_operand(index);
  };
  const NodeId result = node.add(OpKind::kWhere, {node.small_operand(0), operand(1), operand(2)});
  node.set_result(
      result, node.input(1).type,
      broadcast_dims(node.input(0).dims, broadcast_dims(node.input(1).dims, node.input(2).dims)));
}

}  // namespace vta::onnx
