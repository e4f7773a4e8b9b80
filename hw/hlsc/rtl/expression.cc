// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors/error.h"

namespace vta::hlsc::rtl {

struct Expression::Node {
  Form form;
  uint32_t width;
  std::string text;
  std::vector<Expression> operands;
  uint32_t high = 0, low = 0;
  BinaryOperator binary_operator = BinaryOperator::kAdd;
};

Expression::Expression(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

Form Expression::form() const { return node_->form; }
uint32_t Expression::width() const { return node_->width; }
const std::string& Expression::text() const { return node_->text; }
std::span<const Expression> Expression::operands() const { return node_->operands; }
uint32_t Expression::high() const { return node_->high; }
uint32_t Expression::low() const { return node_->low; }

BinaryOperator Expression::binary_operator() const {
  VTA_ASSERT(form() == Form::kBinary, "the operator of an expression that is not binary");
  return node_->binary_operator;
}

bool operator==(const Expression& a, const Expression& b) {
  if (a.node_ == b.node_) return true;
  if (a.empty() || b.empty()) return false;
  const Expression::Node &x = *a.node_, &y = *b.node_;
  return x.form == y.form && x.width == y.width && x.text == y.text && x.high == y.high &&
         x.low == y.low && x.binary_operator == y.binary_operator && x.operands == y.operands;
}

namespace {

Expression present(Expression operand) {
  VTA_ASSERT(!operand.empty(), "an expression without its operand");
  return operand;
}

std::vector<Expression> present(std::vector<Expression> operands) {
  for (const Expression& operand : operands) present(operand);
  return operands;
}

// IEEE 1800-2017, table 11-21.
uint32_t binary_width(BinaryOperator sign, uint32_t left, uint32_t right) {
  switch (sign) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSub:
    case BinaryOperator::kMul:
    case BinaryOperator::kAnd:
    case BinaryOperator::kOr:
    case BinaryOperator::kXor:
      return std::max(left, right);
    case BinaryOperator::kShl:
    case BinaryOperator::kLshr:
    case BinaryOperator::kAshr:
      return left;
    case BinaryOperator::kEq:
    case BinaryOperator::kNe:
    case BinaryOperator::kLt:
    case BinaryOperator::kLe:
    case BinaryOperator::kGe:
      return 1;
  }
  VTA_ASSERT(false, "a binary operator without a width");
  return 0;
}

}  // namespace

Expression net(std::string name, uint32_t width) {
  return Expression({Form::kNet, width, std::move(name), {}});
}

Expression literal_text(std::string text, uint32_t width) {
  return Expression({Form::kLiteral, width, std::move(text), {}});
}

Expression binary(Expression a, BinaryOperator sign, Expression b) {
  const uint32_t width = binary_width(sign, present(a).width(), present(b).width());
  return Expression({Form::kBinary, width, "", {std::move(a), std::move(b)}, 0, 0, sign});
}

Expression conditional(Expression condition, Expression yes, Expression no) {
  const uint32_t width = std::max(present(yes).width(), present(no).width());
  return Expression({Form::kConditional,
                     width,
                     "",
                     {present(std::move(condition)), std::move(yes), std::move(no)}});
}

Expression concatenation(std::vector<Expression> parts) {
  uint32_t width = 0;
  for (const Expression& part : parts) width += present(part).width();
  return Expression({Form::kConcatenation, width, "", std::move(parts)});
}

Expression replication(uint32_t copies, Expression operand) {
  const uint32_t width = copies * present(operand).width();
  return Expression({Form::kReplication, width, "", {std::move(operand)}, 0, copies});
}

Expression index(Expression net, Expression at) {
  return Expression({Form::kIndex, 1, "", present({std::move(net), std::move(at)})});
}

Expression range(Expression net, uint32_t high, uint32_t low) {
  return Expression({Form::kRange, high - low + 1, "", {present(std::move(net))}, high, low});
}

Expression part(Expression net, Expression offset, uint32_t width) {
  return Expression({Form::kPart, width, "", present({std::move(net), std::move(offset)})});
}

Expression as_signed(Expression operand) {
  const uint32_t width = present(operand).width();
  return Expression({Form::kSigned, width, "", {std::move(operand)}});
}

Expression cast(uint32_t width, Expression operand) {
  return Expression({Form::kCast, width, "", {present(std::move(operand))}});
}

Expression parentheses(Expression operand) {
  const uint32_t width = present(operand).width();
  return Expression({Form::kParentheses, width, "", {std::move(operand)}});
}

Expression literal(uint32_t width, uint64_t value) {
  return literal_text(fmt::format("{}'d{}", width, value), width);
}
Expression number(uint64_t value) { return literal_text(fmt::format("{}", value), 32); }

Expression operator~(Expression operand) {
  if (present(operand).form() == Form::kNot) return operand.operands()[0];
  const uint32_t width = operand.width();
  return Expression({Form::kNot, width, "", {std::move(operand)}});
}
Expression reduce_or(Expression operand) {
  return Expression({Form::kReductionOr, 1, "", {present(std::move(operand))}});
}
Expression operator+(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kAdd, std::move(b));
}
Expression operator-(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kSub, std::move(b));
}
Expression operator*(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kMul, std::move(b));
}
Expression operator&(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kAnd, std::move(b));
}
Expression operator|(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kOr, std::move(b));
}
Expression operator^(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kXor, std::move(b));
}
Expression shift_left(Expression a, Expression amount) {
  return binary(std::move(a), BinaryOperator::kShl, std::move(amount));
}
Expression shift_right(Expression a, Expression amount) {
  return binary(std::move(a), BinaryOperator::kLshr, std::move(amount));
}
Expression shift_right_arithmetic(Expression a, Expression amount) {
  return binary(std::move(a), BinaryOperator::kAshr, std::move(amount));
}
Expression equal(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kEq, std::move(b));
}
Expression not_equal(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kNe, std::move(b));
}
Expression less(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kLt, std::move(b));
}
Expression less_equal(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kLe, std::move(b));
}
Expression greater_equal(Expression a, Expression b) {
  return binary(std::move(a), BinaryOperator::kGe, std::move(b));
}

Expression bits(Expression net, uint32_t offset, uint32_t width) {
  if (width == 1) return index(std::move(net), number(offset));
  return range(std::move(net), offset + width - 1, offset);
}

}  // namespace vta::hlsc::rtl
