// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_RTL_EXPRESSION_H_
#define VTA_HW_HLSC_RTL_EXPRESSION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vta::hlsc::rtl {

enum class Form : uint8_t {
  kNet,            // text: the name of a port, net, register, variable or localparam
  kLiteral,        // text: the literal as it is printed
  kNot,            // ~operand
  kReductionOr,    // |operand
  kBinary,         // operands: left, right; binary_operator()
  kConditional,    // operands: condition, if true, if false
  kConcatenation,  // operands: the most significant first
  kReplication,    // operand; low: the number of copies
  kIndex,          // operands: net, index
  kRange,          // operand: net; high, low
  kPart,           // operands: net, offset; net[offset +: width]
  kSigned,         // $signed(operand)
  kCast,           // width'(operand)
  kParentheses,    // (operand), where precedence does not require them
};

enum class BinaryOperator : uint8_t {
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kShl,
  kLshr,
  kAshr,  // >>>; arithmetic if the left operand is $signed
  kEq,
  kNe,
  kLt,  // signed if both operands are $signed; so are kLe and kGe
  kLe,
  kGe,
};

// A SystemVerilog expression: an immutable tree whose copies share their nodes. A
// default-constructed Expression is absent: no condition, no value.
//
// width() is the self-determined width of IEEE 1800-2017, 11.6.1, in bits: that of a comparison is
// 1, that of a + b the larger of its operands'.
class Expression {
 public:
  Expression() = default;

  bool empty() const { return node_ == nullptr; }
  Form form() const;
  uint32_t width() const;
  const std::string& text() const;
  BinaryOperator binary_operator() const;  // of kBinary only
  std::span<const Expression> operands() const;
  uint32_t high() const;
  uint32_t low() const;

  bool is_literal() const { return !empty() && form() == Form::kLiteral; }

  // Equal trees, parentheses included; two absent expressions are equal.
  friend bool operator==(const Expression& a, const Expression& b);

 private:
  struct Node;
  explicit Expression(Node node);

  friend Expression net(std::string name, uint32_t width);
  friend Expression literal_text(std::string text, uint32_t width);
  friend Expression operator~(Expression operand);
  friend Expression reduce_or(Expression operand);
  friend Expression binary(Expression a, BinaryOperator sign, Expression b);
  friend Expression conditional(Expression condition, Expression yes, Expression no);
  friend Expression concatenation(std::vector<Expression> parts);
  friend Expression replication(uint32_t copies, Expression operand);
  friend Expression index(Expression net, Expression at);
  friend Expression range(Expression net, uint32_t high, uint32_t low);
  friend Expression part(Expression net, Expression offset, uint32_t width);
  friend Expression as_signed(Expression operand);
  friend Expression cast(uint32_t width, Expression operand);
  friend Expression parentheses(Expression operand);

  std::shared_ptr<const Node> node_;
};

// Every operand must be present; absent ones are an assertion. The printer adds the parentheses
// that precedence requires.
Expression net(std::string name, uint32_t width = 1);
Expression literal_text(std::string text, uint32_t width);
Expression literal(uint32_t width, uint64_t value);  // <width>'d<value>
Expression number(uint64_t value);                   // an unsized decimal number: 32 bits
Expression binary(Expression a, BinaryOperator sign, Expression b);
Expression conditional(Expression condition, Expression yes, Expression no);
Expression concatenation(std::vector<Expression> parts);
Expression replication(uint32_t copies, Expression operand);  // {copies{operand}}
Expression index(Expression net, Expression at);
Expression range(Expression net, uint32_t high, uint32_t low);
Expression part(Expression net, Expression offset, uint32_t width);
Expression as_signed(Expression operand);
Expression cast(uint32_t width, Expression operand);
Expression parentheses(Expression operand);

Expression operator~(Expression operand);  // ~~a is a
Expression reduce_or(Expression operand);
Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator&(Expression a, Expression b);
Expression operator|(Expression a, Expression b);
Expression operator^(Expression a, Expression b);
Expression shift_left(Expression a, Expression amount);
Expression shift_right(Expression a, Expression amount);
Expression shift_right_arithmetic(Expression a, Expression amount);
Expression equal(Expression a, Expression b);
Expression not_equal(Expression a, Expression b);
Expression less(Expression a, Expression b);
Expression less_equal(Expression a, Expression b);
Expression greater_equal(Expression a, Expression b);
// Bits [offset, offset + width) of a net: net[offset] if the width is 1.
Expression bits(Expression net, uint32_t offset, uint32_t width);

}  // namespace vta::hlsc::rtl

#endif  // VTA_HW_HLSC_RTL_EXPRESSION_H_
