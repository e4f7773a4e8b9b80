// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/evaluate.h"

#include "base/errors/error.h"

namespace vta::hlsc::ir {
namespace {

using llvm::APInt;

// The amount may be wider or narrower than the shifted value.
unsigned shift_amount(const APInt& amount, unsigned width) {
  return static_cast<unsigned>(amount.getLimitedValue(width));
}

APInt shift(Opcode opcode, const APInt& value, const APInt& amount) {
  const unsigned by = shift_amount(amount, value.getBitWidth());
  if (opcode == Opcode::kShl) return value.shl(by);
  return opcode == Opcode::kLshr ? value.lshr(by) : value.ashr(by);
}

APInt multiply(const Op& op, const APInt& a, const APInt& b) {
  if (op.is_signed) return a.sextOrTrunc(op.width) * b.sextOrTrunc(op.width);
  return a.zextOrTrunc(op.width) * b.zextOrTrunc(op.width);
}

// Lanes beyond the operand read as zeros.
APInt lane(const Op& op, const APInt& word, const APInt& index) {
  const uint64_t lanes = word.getBitWidth() / op.width;
  const uint64_t at = index.getLimitedValue(lanes);
  if (at == lanes) return APInt(op.width, 0);
  return word.extractBits(op.width, static_cast<unsigned>(at) * op.width);
}

APInt concat(const Op& op, std::span<const APInt> operands) {
  APInt result(op.width, 0);
  unsigned at = 0;
  for (const APInt& part : operands) {
    result.insertBits(part, at);
    at += part.getBitWidth();
  }
  return result;
}

APInt sum(const Op& op, std::span<const APInt> operands) {
  APInt result(op.width, 0);
  for (const APInt& term : operands) result += term;
  return result;
}

APInt bit(bool value) { return APInt(1, value ? 1 : 0); }

}  // namespace

APInt evaluate(const Op& op, std::span<const APInt> x) {
  switch (op.opcode) {
    case Opcode::kAdd:
      return x[0] + x[1];
    case Opcode::kSub:
      return x[0] - x[1];
    case Opcode::kMul:
      return multiply(op, x[0], x[1]);
    case Opcode::kAnd:
      return x[0] & x[1];
    case Opcode::kOr:
      return x[0] | x[1];
    case Opcode::kXor:
      return x[0] ^ x[1];
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
      return shift(op.opcode, x[0], x[1]);
    case Opcode::kEq:
      return bit(x[0] == x[1]);
    case Opcode::kNe:
      return bit(x[0] != x[1]);
    case Opcode::kUlt:
      return bit(x[0].ult(x[1]));
    case Opcode::kUle:
      return bit(x[0].ule(x[1]));
    case Opcode::kSlt:
      return bit(x[0].slt(x[1]));
    case Opcode::kSle:
      return bit(x[0].sle(x[1]));
    case Opcode::kSelect:
      return x[0].isOne() ? x[1] : x[2];
    case Opcode::kZext:
      return x[0].zext(op.width);
    case Opcode::kSext:
      return x[0].sext(op.width);
    case Opcode::kSlice:
      return x[0].extractBits(op.width, op.offset);
    case Opcode::kLane:
      return lane(op, x[0], x[1]);
    case Opcode::kConcat:
      return concat(op, x);
    case Opcode::kReverse:
      return x[0].reverseBits();
    case Opcode::kSum:
      return sum(op, x);
    case Opcode::kStage:
    case Opcode::kLate:
      return x[0];
    case Opcode::kConstant:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      break;
  }
  VTA_ASSERT(false, "evaluate() of a constant, a phi or an operation with effects");
  return APInt(op.width, 0);
}

}  // namespace vta::hlsc::ir
