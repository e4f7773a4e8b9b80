// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/word_expression.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "hw/hlsc/estimate/arithmetic.h"

namespace vta::hlsc::estimate {
namespace {

using rtl::BinaryOperator;
using rtl::Expression;
using rtl::Form;

// The digits of a literal after its base; a decimal value has at most 64 bits.
Bits literal_bits(const std::string& text, uint32_t width) {
  size_t tick = text.find('\'');
  if (tick != std::string::npos && text[tick + 1] == 's') ++tick;  // before the base
  Bits bits(width, kZero);
  if (tick != std::string::npos && text.size() == 2) return bits;  // '0
  const bool is_hex = tick != std::string::npos && text[tick + 1] == 'h';
  const bool is_binary = tick != std::string::npos && text[tick + 1] == 'b';
  const std::string digits = tick == std::string::npos ? text : text.substr(tick + 2);
  if (is_hex || is_binary) {
    const size_t per_digit = is_hex ? 4 : 1;
    for (size_t i = 0; i < digits.size(); ++i) {
      const uint64_t digit =
          std::stoul(std::string(1, digits[digits.size() - 1 - i]), nullptr, is_hex ? 16 : 2);
      for (size_t bit = 0; bit < per_digit; ++bit) {
        if (i * per_digit + bit < width) bits[i * per_digit + bit] = digit >> bit & 1;
      }
    }
    return bits;
  }
  const uint64_t value = std::stoull(digits);
  for (uint32_t i = 0; i < std::min(width, 64u); ++i) bits[i] = value >> i & 1;
  return bits;
}

class Evaluator {
 public:
  Evaluator(BitGraph& graph, const NetReader& nets) : graph_(graph), nets_(nets) {}

  // Extended to `width` as the whole expression is signed or not.
  Bits bits(const Expression& e, uint32_t width, bool is_signed) const {
    width = std::max(width, e.width());
    Bits bits = raw(e, width, is_signed);
    const Bit fill = is_signed && !bits.empty() ? bits.back() : kZero;
    bits.resize(width, fill);
    return bits;
  }

  bool is_signed(const Expression& e) const {
    switch (e.form()) {
      case Form::kSigned:
        return true;
      case Form::kNet:
        return nets_.is_signed(e.text());
      case Form::kNot:
      case Form::kParentheses:
      case Form::kCast:
        return is_signed(e.operands()[0]);
      case Form::kConditional:
        return is_signed(e.operands()[1]) && is_signed(e.operands()[2]);
      case Form::kBinary:
        return is_signed_binary(e);
      case Form::kLiteral:
        return e.text().find("'s") != std::string::npos;
      case Form::kReductionOr:
      case Form::kConcatenation:
      case Form::kReplication:
      case Form::kIndex:
      case Form::kRange:
      case Form::kPart:
        return false;
    }
    VTA_ASSERT(false, "a form without a sign");
    return false;
  }

 private:
  bool is_signed_binary(const Expression& e) const {
    switch (e.binary_operator()) {
      case BinaryOperator::kEq:
      case BinaryOperator::kNe:
      case BinaryOperator::kLt:
      case BinaryOperator::kLe:
      case BinaryOperator::kGe:
        return false;
      case BinaryOperator::kShl:
      case BinaryOperator::kLshr:
      case BinaryOperator::kAshr:
        return is_signed(e.operands()[0]);
      case BinaryOperator::kAdd:
      case BinaryOperator::kSub:
      case BinaryOperator::kMul:
      case BinaryOperator::kAnd:
      case BinaryOperator::kOr:
      case BinaryOperator::kXor:
        return is_signed(e.operands()[0]) && is_signed(e.operands()[1]);
    }
    VTA_ASSERT(false, "an operator without a sign");
    return false;
  }

  Bits own(const Expression& e) const { return bits(e, 0, is_signed(e)); }

  // At least the own width of the expression, at most `width`.
  Bits raw(const Expression& e, uint32_t width, bool is_signed) const {
    const auto operand = [&](size_t i) -> const Expression& { return e.operands()[i]; };
    switch (e.form()) {
      case Form::kNet:
        return nets_.bits(e);
      case Form::kLiteral:
        return literal_bits(e.text(), width);
      case Form::kNot: {
        Bits bits = this->bits(operand(0), width, is_signed);
        for (Bit& bit : bits) bit = inverted(bit);
        return bits;
      }
      case Form::kReductionOr:
        return {graph_.any(own(operand(0)))};
      case Form::kBinary:
        return binary(e, width, is_signed);
      case Form::kConditional:
        return select(graph_, graph_.any(own(operand(0))), bits(operand(1), width, is_signed),
                      bits(operand(2), width, is_signed));
      case Form::kConcatenation:
      case Form::kReplication:
        return joined(e);
      case Form::kIndex:
      case Form::kPart:
        return part(graph_, own(operand(0)), own(operand(1)), e.width(), kZero);
      case Form::kRange: {
        const Bits word = own(operand(0));
        return Bits(word.begin() + e.low(), word.begin() + e.high() + 1);
      }
      case Form::kSigned:
      case Form::kCast: {
        Bits word = own(operand(0));
        word.resize(e.width(), this->is_signed(operand(0)) ? word.back() : kZero);
        return word;
      }
      case Form::kParentheses:
        return bits(operand(0), width, is_signed);
    }
    VTA_ASSERT(false, "a form without bits");
    return {};
  }

  Bits joined(const Expression& e) const {
    Bits bits;
    if (e.form() == Form::kReplication) {
      const Bits once = own(e.operands()[0]);
      for (uint32_t i = 0; i < e.low(); ++i) bits.insert(bits.end(), once.begin(), once.end());
      return bits;
    }
    for (size_t i = e.operands().size(); i-- > 0;) {
      const Bits part = own(e.operands()[i]);
      bits.insert(bits.end(), part.begin(), part.end());
    }
    return bits;
  }

  Bits binary(const Expression& e, uint32_t width, bool is_signed) const {
    const Expression &a = e.operands()[0], &b = e.operands()[1];
    const auto both = [&](auto&& operation) {
      return operation(graph_, bits(a, width, is_signed), bits(b, width, is_signed));
    };
    const auto gates = [&](auto&& gate) {
      Bits x = bits(a, width, is_signed);
      const Bits y = bits(b, width, is_signed);
      for (size_t i = 0; i < x.size(); ++i) x[i] = gate(x[i], y[i]);
      return x;
    };
    switch (e.binary_operator()) {
      case BinaryOperator::kAdd: {
        std::vector<Bits> terms;
        add_terms(e, width, is_signed, terms);
        return sum(graph_, std::move(terms));
      }
      case BinaryOperator::kSub:
        return both(difference);
      case BinaryOperator::kMul:
        return both(product);
      case BinaryOperator::kAnd:
        return gates([&](Bit x, Bit y) { return graph_.both(x, y); });
      case BinaryOperator::kOr:
        return gates([&](Bit x, Bit y) { return graph_.either(x, y); });
      case BinaryOperator::kXor:
        return gates([&](Bit x, Bit y) { return graph_.exclusive(x, y); });
      case BinaryOperator::kShl:
        return shifted_left(graph_, bits(a, width, is_signed), own(b));
      case BinaryOperator::kLshr:
      case BinaryOperator::kAshr: {
        const Bits word = bits(a, width, is_signed);
        const bool keeps_sign = e.binary_operator() == BinaryOperator::kAshr && is_signed;
        return part(graph_, word, own(b), width, keeps_sign ? word.back() : kZero);
      }
      case BinaryOperator::kEq:
      case BinaryOperator::kNe:
      case BinaryOperator::kLt:
      case BinaryOperator::kLe:
      case BinaryOperator::kGe:
        return {comparison(e.binary_operator(), a, b)};
    }
    VTA_ASSERT(false, "an operator without bits");
    return {};
  }

  // The terms of nested additions.
  void add_terms(const Expression& e, uint32_t width, bool is_signed,
                 std::vector<Bits>& terms) const {
    if (e.form() == Form::kParentheses) return add_terms(e.operands()[0], width, is_signed, terms);
    const bool is_sum = e.form() == Form::kBinary && e.binary_operator() == BinaryOperator::kAdd;
    if (!is_sum) return terms.push_back(bits(e, width, is_signed));
    for (const Expression& term : e.operands()) add_terms(term, width, is_signed, terms);
  }

  Bit comparison(BinaryOperator sign, const Expression& a, const Expression& b) const {
    const bool is_signed = this->is_signed(a) && this->is_signed(b);
    const uint32_t width = std::max(a.width(), b.width());
    const Bits x = bits(a, width, is_signed), y = bits(b, width, is_signed);
    if (sign == BinaryOperator::kEq) return equal(graph_, x, y);
    if (sign == BinaryOperator::kNe) return inverted(equal(graph_, x, y));
    if (sign == BinaryOperator::kLt) return less(graph_, x, y, is_signed);
    if (sign == BinaryOperator::kGe) return inverted(less(graph_, x, y, is_signed));
    return inverted(less(graph_, y, x, is_signed));
  }

  BitGraph& graph_;
  const NetReader& nets_;
};

}  // namespace

Bits bits_of(BitGraph& graph, const Expression& expression, uint32_t width, const NetReader& nets) {
  const Evaluator evaluator(graph, nets);
  return evaluator.bits(expression, width, evaluator.is_signed(expression));
}

}  // namespace vta::hlsc::estimate
