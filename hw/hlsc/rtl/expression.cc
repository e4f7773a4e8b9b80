// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"

namespace vta::hlsc::rtl {

struct Expression::Node {
  Form form;
  uint32_t width;
  std::string text;
  std::vector<Expression> operands;
  uint32_t high, low;
};

Form Expression::form() const { return node_->form; }
uint32_t Expression::width() const { return node_->width; }
const std::string& Expression::text() const { return node_->text; }
std::span<const Expression> Expression::operands() const { return node_->operands; }
uint32_t Expression::high() const { return node_->high; }
uint32_t Expression::low() const { return node_->low; }

bool operator==(const Expression& a, const Expression& b) {
  if (a.node_ == b.node_) return true;
  if (a.empty() || b.empty()) return false;
  const Expression::Node &x = *a.node_, &y = *b.node_;
  return x.form == y.form && x.width == y.width && x.text == y.text && x.high == y.high &&
         x.low == y.low && x.operands == y.operands;
}

Expression Expression::make(Form form, uint32_t width, std::string text,
                            std::vector<Expression> operands, uint32_t high, uint32_t low) {
  for (const Expression& operand : operands)
    VTA_ASSERT(!operand.empty(), "an expression without its operand");
  return Expression(std::make_shared<const Node>(
      Node{form, width, std::move(text), std::move(operands), high, low}));
}

namespace {

bool is_comparison(std::string_view sign) {
  return sign == "==" || sign == "!=" || sign == "<" || sign == "<=" || sign == ">=";
}
bool is_shift(std::string_view sign) { return sign == "<<" || sign == ">>" || sign == ">>>"; }

}  // namespace

Expression net(std::string name, uint32_t width) {
  return Expression::make(Form::kNet, width, std::move(name), {});
}

Expression literal_text(std::string text, uint32_t width) {
  return Expression::make(Form::kLiteral, width, std::move(text), {});
}

Expression unary(const char* sign, Expression operand) {
  VTA_ASSERT(!operand.empty(), "an expression without its operand");
  const uint32_t width = sign == std::string_view("~") ? operand.width() : 1;
  return Expression::make(Form::kUnary, width, sign, {std::move(operand)});
}

Expression binary(Expression a, const char* sign, Expression b) {
  VTA_ASSERT(!a.empty() && !b.empty(), "an expression without its operand");
  const uint32_t width = is_comparison(sign) ? 1
                         : is_shift(sign)    ? a.width()
                                             : std::max(a.width(), b.width());
  return Expression::make(Form::kBinary, width, sign, {std::move(a), std::move(b)});
}

Expression conditional(Expression condition, Expression yes, Expression no) {
  VTA_ASSERT(!yes.empty() && !no.empty(), "an expression without its operand");
  const uint32_t width = std::max(yes.width(), no.width());
  return Expression::make(Form::kConditional, width, "",
                          {std::move(condition), std::move(yes), std::move(no)});
}

Expression concatenation(std::vector<Expression> parts) {
  uint32_t width = 0;
  for (const Expression& part : parts) width += part.empty() ? 0 : part.width();
  return Expression::make(Form::kConcatenation, width, "", std::move(parts));
}

Expression replication(uint32_t copies, Expression operand) {
  VTA_ASSERT(!operand.empty(), "an expression without its operand");
  const uint32_t width = copies * operand.width();
  return Expression::make(Form::kReplication, width, "", {std::move(operand)}, 0, copies);
}

Expression index(Expression net, Expression at) {
  return Expression::make(Form::kIndex, 1, "", {std::move(net), std::move(at)});
}

Expression range(Expression net, uint32_t high, uint32_t low) {
  return Expression::make(Form::kRange, high - low + 1, "", {std::move(net)}, high, low);
}

Expression part(Expression net, Expression offset, uint32_t width) {
  return Expression::make(Form::kPart, width, "", {std::move(net), std::move(offset)});
}

Expression as_signed(Expression operand) {
  VTA_ASSERT(!operand.empty(), "an expression without its operand");
  const uint32_t width = operand.width();
  return Expression::make(Form::kSigned, width, "", {std::move(operand)});
}

Expression cast(uint32_t width, Expression operand) {
  return Expression::make(Form::kCast, width, "", {std::move(operand)});
}

Expression parentheses(Expression operand) {
  VTA_ASSERT(!operand.empty(), "an expression without its operand");
  const uint32_t width = operand.width();
  return Expression::make(Form::kParentheses, width, "", {std::move(operand)});
}

Expression literal(uint32_t width, uint64_t value) {
  return literal_text(fmt::format("{}'d{}", width, value), width);
}
Expression number(uint64_t value) { return literal_text(fmt::format("{}", value), 32); }
Expression fill() { return literal_text("'0", 0); }

Expression operator~(Expression operand) { return unary("~", std::move(operand)); }
Expression operator&(Expression a, Expression b) { return binary(std::move(a), "&", std::move(b)); }
Expression operator|(Expression a, Expression b) { return binary(std::move(a), "|", std::move(b)); }
Expression equal(Expression a, Expression b) { return binary(std::move(a), "==", std::move(b)); }
Expression not_equal(Expression a, Expression b) {
  return binary(std::move(a), "!=", std::move(b));
}
Expression reduce_or(Expression operand) { return unary("|", std::move(operand)); }

Expression bits(Expression net, uint32_t offset, uint32_t width) {
  if (width == 1) return index(std::move(net), number(offset));
  return range(std::move(net), offset + width - 1, offset);
}

}  // namespace vta::hlsc::rtl
