// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/expression.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/errors/error.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;

namespace {

Expression bits_of(const Expression& net, uint32_t offset, uint32_t width) {
  return net.width() == width ? net : rtl::bits(net, offset, width);
}

// A balanced tree, for tools that keep the order of additions.
Expression tree(std::span<const Expression> terms) {
  if (terms.size() == 1) return terms[0];
  const size_t half = terms.size() / 2;
  return rtl::parentheses(tree(terms.first(half)) + tree(terms.subspan(half)));
}

Expression product(const Op& op, std::span<const Expression> x) {
  if (!op.is_signed) return resized(x[0], op.width) * resized(x[1], op.width);
  return rtl::as_signed(x[0]) * rtl::as_signed(x[1]);
}

Expression lane(const Op& op, std::span<const Expression> x) {
  const Expression &word = x[0], &index = x[1], zero = rtl::literal(op.width, 0);
  if (word.width() == op.width)
    return rtl::conditional(rtl::equal(index, rtl::number(0)), word, zero);
  const uint32_t index_bits = index.width();
  const uint64_t lanes = word.width() / op.width;
  const Expression offset = resized(index, 32) * rtl::number(op.width);
  const Expression picked =
      word.is_literal() ? rtl::cast(op.width, rtl::shift_right(word, rtl::parentheses(offset)))
      : op.width == 1   ? rtl::index(word, index)
                        : rtl::part(word, offset, op.width);
  if (index_bits < 32 && (uint64_t{1} << index_bits) <= lanes) return picked;
  return rtl::conditional(rtl::less(index, rtl::literal(index_bits, lanes)), picked, zero);
}

Expression comparison(Opcode opcode, std::span<const Expression> x) {
  if (opcode == Opcode::kEq) return rtl::equal(x[0], x[1]);
  if (opcode == Opcode::kNe) return rtl::not_equal(x[0], x[1]);
  if (opcode == Opcode::kUlt) return rtl::less(x[0], x[1]);
  if (opcode == Opcode::kUle) return rtl::less_equal(x[0], x[1]);
  if (opcode == Opcode::kSlt) return rtl::less(rtl::as_signed(x[0]), rtl::as_signed(x[1]));
  VTA_ASSERT(opcode == Opcode::kSle, "a comparison without an expression");
  return rtl::less_equal(rtl::as_signed(x[0]), rtl::as_signed(x[1]));
}

bool is_all_ones(const ir::Process& process, ir::ValueId value) {
  const Op& op = process.ops[value];
  return op.opcode == Opcode::kConstant && op.constant.isAllOnes();
}

Expression concatenation(std::span<const Expression> x) {
  return rtl::concatenation(std::vector<Expression>(x.rbegin(), x.rend()));
}

Expression reversed(const Expression& value) {
  std::vector<Expression> bits;
  for (uint32_t i = 0; i < value.width(); ++i) bits.push_back(rtl::bits(value, i, 1));
  return rtl::concatenation(std::move(bits));
}

}  // namespace

Expression literal(const llvm::APInt& value) {
  const uint32_t width = value.getBitWidth();
  if (width <= 32 && value.getLimitedValue() < 10)
    return rtl::literal(width, value.getLimitedValue());
  return rtl::literal_text(fmt::format("{}'h{}", width, llvm::toString(value, 16, false)), width);
}

Expression reset_literal(const ir::Object& object) {
  return object.initial.empty() ? rtl::literal(object.width, 0) : literal(object.initial[0]);
}

std::string identifier(const std::string& name) {
  std::string text;
  for (char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) text.insert(0, "v");
  return text;
}

Expression resized(const Expression& value, uint32_t width) {
  const uint32_t have = value.width();
  if (have == width) return value;
  if (have < width) return rtl::concatenation({rtl::literal(width - have, 0), value});
  VTA_ASSERT(!value.is_literal(), "a constant that was not folded");
  return bits_of(value, 0, width);
}

Expression sign_extended(const Expression& value, uint32_t width) {
  const uint32_t have = value.width();
  if (have == width) return value;
  const Expression sign = have == 1 ? value : rtl::bits(value, have - 1, 1);
  return rtl::concatenation({rtl::replication(width - have, sign), value});
}

Expression for_lanes(uint32_t lanes, const Expression& bit) {
  return lanes == 1 ? bit : rtl::replication(lanes, bit);
}

Expression both(const Expression& a, const Expression& b) {
  return a.empty() ? b : b.empty() ? a : a & b;
}

Expression either(const Expression& a, const Expression& b) {
  return a.empty() ? b : b.empty() ? a : a | b;
}

Expression any(std::span<const Expression> terms) {
  Expression all;
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto before = terms.first(i);
    if (std::find(before.begin(), before.end(), terms[i]) == before.end())
      all = either(all, terms[i]);
  }
  return all;
}

Expression or_true(const Expression& condition) {
  return condition.empty() ? rtl::literal_text("1'b1", 1) : condition;
}

Expression enclosed(const Expression& condition) {
  return condition.empty() ? condition : rtl::parentheses(condition);
}

Expression expression(const ir::Process& process, const Op& op, std::span<const Expression> x) {
  switch (op.opcode) {
    case Opcode::kAdd:
      return x[0] + x[1];
    case Opcode::kSub:
      return x[0] - x[1];
    case Opcode::kMul:
      return product(op, x);
    case Opcode::kSum:
      return tree(x);
    case Opcode::kAnd:
      return x[0] & x[1];
    case Opcode::kOr:
      return x[0] | x[1];
    case Opcode::kXor:
      return is_all_ones(process, op.operands[1]) ? ~x[0] : x[0] ^ x[1];
    case Opcode::kShl:
      return rtl::shift_left(x[0], x[1]);
    case Opcode::kLshr:
      return rtl::shift_right(x[0], x[1]);
    case Opcode::kAshr:
      return rtl::shift_right_arithmetic(rtl::as_signed(x[0]), x[1]);
    VTA_HLSC_CASES_OF_COMPARISONS:
      return comparison(op.opcode, x);
    case Opcode::kSelect:
      return rtl::conditional(x[0], x[1], x[2]);
    case Opcode::kZext:
      return resized(x[0], op.width);
    case Opcode::kSext:
      return sign_extended(x[0], op.width);
    case Opcode::kSlice:
      return bits_of(x[0], op.offset, op.width);
    case Opcode::kLane:
      return lane(op, x);
    case Opcode::kConcat:
      return concatenation(x);
    case Opcode::kReverse:
      return op.width == 1 ? x[0] : reversed(x[0]);
    case Opcode::kStage:
    case Opcode::kLate:
      return x[0];
    case Opcode::kConstant:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      break;
  }
  VTA_ASSERT(false, "expression() of a constant, a phi or an operation with effects");
  return {};
}

}  // namespace vta::hlsc::emit
