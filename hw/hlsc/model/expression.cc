// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors/error.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;

namespace {

std::string cast(uint32_t width, const std::string& text) {
  return fmt::format("bits<{}>({})", width, text);
}

std::string extended(const ir::Process& process, const Op& op, size_t i, const std::string& x) {
  if (process.ops[op.operands[i]].width == op.width) return x;
  return op.is_signed ? fmt::format("sign_extended<{}>({})", op.width, x) : cast(op.width, x);
}

std::string comparison(Opcode opcode, std::span<const std::string> x) {
  const auto infix = [&](const char* sign) {
    return cast(1, fmt::format("{} {} {}", x[0], sign, x[1]));
  };
  if (opcode == Opcode::kEq) return infix("==");
  if (opcode == Opcode::kNe) return infix("!=");
  if (opcode == Opcode::kUlt) return infix("<");
  if (opcode == Opcode::kUle) return infix("<=");
  if (opcode == Opcode::kSlt) return cast(1, fmt::format("less_signed({}, {})", x[0], x[1]));
  VTA_ASSERT(opcode == Opcode::kSle, "a comparison without an expression");
  return cast(1, fmt::format("!less_signed({}, {})", x[1], x[0]));
}

std::string concatenation(const ir::Process& process, const Op& op,
                          std::span<const std::string> x) {
  std::string text;
  uint32_t offset = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const std::string part = cast(op.width, x[i]);
    text += offset == 0 ? part : fmt::format(" | {} << {}", part, offset);
    offset += process.ops[op.operands[i]].width;
  }
  return text;
}

}  // namespace

std::string literal(const llvm::APInt& value) {
  const uint32_t width = value.getBitWidth();
  std::string text;
  for (uint32_t offset = 0; offset < width; offset += 64) {
    const uint32_t here = std::min(64u, width - offset);
    const uint64_t part = value.extractBitsAsZExtValue(here, offset);
    if (part == 0 && (offset + 64 < width || !text.empty())) continue;
    const std::string word = cast(width, fmt::format("{}u", part));
    text += fmt::format("{}{}", text.empty() ? "" : " | ",
                        offset == 0 ? word : fmt::format("{} << {}", word, offset));
  }
  return width <= 64 ? text : cast(width, text);
}

std::string expression(const ir::Process& process, const Op& op, std::span<const std::string> x) {
  const auto infix = [&](const char* sign) {
    return cast(op.width, fmt::format("{} {} {}", x[0], sign, x[1]));
  };
  switch (op.opcode) {
    case Opcode::kConstant:
      return literal(op.constant);
    case Opcode::kAdd:
      return infix("+");
    case Opcode::kSub:
      return infix("-");
    case Opcode::kMul:
      return cast(op.width, fmt::format("{} * {}", extended(process, op, 0, x[0]),
                                        extended(process, op, 1, x[1])));
    case Opcode::kSum:
      return cast(op.width, fmt::format("{}", fmt::join(x, " + ")));
    case Opcode::kAnd:
      return infix("&");
    case Opcode::kOr:
      return infix("|");
    case Opcode::kXor:
      return infix("^");
    VTA_HLSC_CASES_OF_COMPARISONS:
      return comparison(op.opcode, x);
    // In C++ a shift by the width or more is undefined: hence functions.
    case Opcode::kShl:
      return fmt::format("shifted_left({}, {})", x[0], x[1]);
    case Opcode::kLshr:
      return fmt::format("shifted_right({}, {})", x[0], x[1]);
    case Opcode::kAshr:
      return fmt::format("shifted_right_signed({}, {})", x[0], x[1]);
    case Opcode::kSelect:
      return fmt::format("{} != 0 ? {} : {}", x[0], x[1], x[2]);
    case Opcode::kZext:
      return cast(op.width, x[0]);
    case Opcode::kSext:
      return fmt::format("sign_extended<{}>({})", op.width, x[0]);
    case Opcode::kSlice:
      return cast(op.width, op.offset == 0 ? x[0] : fmt::format("{} >> {}", x[0], op.offset));
    case Opcode::kLane:
      return fmt::format("lane<{}>({}, {})", op.width, x[0], x[1]);
    case Opcode::kConcat:
      return cast(op.width, concatenation(process, op, x));
    case Opcode::kReverse:
      return fmt::format("reversed({})", x[0]);
    case Opcode::kStage:
    case Opcode::kLate:
      return x[0];
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      break;
  }
  VTA_ASSERT(false, "expression() of a phi or an operation with effects");
  return "";
}

}  // namespace vta::hlsc::model
