// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/expression.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cctype>

#include "runtime/base/error.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;

namespace {

bool is_literal(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

std::string bits_of(const std::string& name, uint32_t have, uint32_t offset, uint32_t width) {
  if (have == width) return name;
  if (width == 1) return fmt::format("{}[{}]", name, offset);
  return fmt::format("{}[{}:{}]", name, offset + width - 1, offset);
}

// A balanced tree, so that tools which keep the order build a short one.
std::string tree(std::span<const std::string> terms) {
  if (terms.size() == 1) return terms[0];
  const size_t half = terms.size() / 2;
  return fmt::format("({} + {})", tree(terms.first(half)), tree(terms.subspan(half)));
}

std::string sign_extended(const std::string& name, uint32_t have, uint32_t width) {
  const std::string top = have == 1 ? name : fmt::format("{}[{}]", name, have - 1);
  return fmt::format("{{{{{}{{{}}}}}, {}}}", width - have, top, name);
}

std::string product(const ir::Process& process, const Op& op, std::span<const std::string> x) {
  if (!op.is_signed) {
    return fmt::format("{} * {}", resized(x[0], process.ops[op.operands[0]].width, op.width),
                       resized(x[1], process.ops[op.operands[1]].width, op.width));
  }
  return fmt::format("$signed({}) * $signed({})", x[0], x[1]);
}

std::string lane(const ir::Process& process, const Op& op, std::span<const std::string> x) {
  const uint32_t word = process.ops[op.operands[0]].width;
  if (word == op.width) return fmt::format("{} == 0 ? {} : {}'d0", x[1], x[0], op.width);
  const uint32_t index_bits = process.ops[op.operands[1]].width;
  const uint64_t lanes = word / op.width;
  const std::string offset = fmt::format("{} * {}", resized(x[1], index_bits, 32), op.width);
  const std::string picked = is_literal(x[0])
                                 ? fmt::format("{}'({} >> ({}))", op.width, x[0], offset)
                             : op.width == 1 ? fmt::format("{}[{}]", x[0], x[1])
                                             : fmt::format("{}[{} +: {}]", x[0], offset, op.width);
  if (index_bits < 32 && (uint64_t{1} << index_bits) <= lanes) return picked;
  return fmt::format("{} < {} ? {} : {}'d0", x[1], fmt::format("{}'d{}", index_bits, lanes), picked,
                     op.width);
}

std::string concatenation(std::span<const std::string> x) {
  std::string text = "{";
  for (size_t i = x.size(); i-- > 0;) text += x[i] + (i == 0 ? "}" : ", ");
  return text;
}

std::string reversed(const std::string& name, uint32_t width) {
  std::string text = "{";
  for (uint32_t i = 0; i < width; ++i)
    text += fmt::format("{}[{}]{}", name, i, i + 1 == width ? "}" : ", ");
  return text;
}

}  // namespace

const char* infix(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return "+";
    case Opcode::kSub:
      return "-";
    case Opcode::kAnd:
      return "&";
    case Opcode::kOr:
      return "|";
    case Opcode::kXor:
      return "^";
    case Opcode::kShl:
      return "<<";
    case Opcode::kLshr:
      return ">>";
    case Opcode::kEq:
      return "==";
    case Opcode::kNe:
      return "!=";
    case Opcode::kUlt:
      return "<";
    case Opcode::kUle:
      return "<=";
    default:
      return nullptr;
  }
}

std::string literal(const llvm::APInt& value) {
  if (value.getBitWidth() <= 32 && value.getLimitedValue() < 10)
    return fmt::format("{}'d{}", value.getBitWidth(), value.getLimitedValue());
  return fmt::format("{}'h{}", value.getBitWidth(), llvm::toString(value, 16, false));
}

std::string range(uint32_t width) { return width <= 1 ? "" : fmt::format("[{}:0] ", width - 1); }

std::string identifier(const std::string& name) {
  std::string text;
  for (char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) text.insert(0, "v");
  return text;
}

std::string resized(const std::string& name, uint32_t have, uint32_t width) {
  if (have == width) return name;
  if (have < width) return fmt::format("{{{}'d0, {}}}", width - have, name);
  VTA_ASSERT(!is_literal(name), "a constant that was not folded");
  return bits_of(name, have, 0, width);
}

std::string both(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + " & " + b;
}

std::string either(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + " | " + b;
}

std::string any(std::span<const std::string> terms) {
  std::string text;
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto before = terms.first(i);
    if (std::find(before.begin(), before.end(), terms[i]) == before.end())
      text = either(text, terms[i]);
  }
  return text;
}

std::string or_true(const std::string& condition) { return condition.empty() ? "1'b1" : condition; }

std::string expression(const ir::Process& process, const Op& op, std::span<const std::string> x) {
  const auto width = [&](size_t i) { return process.ops[op.operands[i]].width; };
  if (const char* sign = infix(op.opcode); sign != nullptr) {
    const bool complement = op.opcode == Opcode::kXor &&
                            process.ops[op.operands[1]].opcode == Opcode::kConstant &&
                            process.ops[op.operands[1]].constant.isAllOnes();
    return complement ? "~" + x[0] : fmt::format("{} {} {}", x[0], sign, x[1]);
  }
  switch (op.opcode) {
    case Opcode::kMul:
      return product(process, op, x);
    case Opcode::kAshr:
      return fmt::format("$signed({}) >>> {}", x[0], x[1]);
    case Opcode::kSlt:
      return fmt::format("$signed({}) < $signed({})", x[0], x[1]);
    case Opcode::kSle:
      return fmt::format("$signed({}) <= $signed({})", x[0], x[1]);
    case Opcode::kSelect:
      return fmt::format("{} ? {} : {}", x[0], x[1], x[2]);
    case Opcode::kZext:
      return resized(x[0], width(0), op.width);
    case Opcode::kSext:
      return width(0) == op.width ? x[0] : sign_extended(x[0], width(0), op.width);
    case Opcode::kSlice:
      return bits_of(x[0], width(0), op.offset, op.width);
    case Opcode::kLane:
      return lane(process, op, x);
    case Opcode::kConcat:
      return concatenation(x);
    case Opcode::kReverse:
      return op.width == 1 ? x[0] : reversed(x[0], op.width);
    case Opcode::kSum:
      return tree(x);
    case Opcode::kLate:
      return x[0];
    default:
      break;
  }
  VTA_ASSERT(false, "expression() of an operation that is not pure");
  return "";
}

}  // namespace vta::hlsc::emit
