// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/operation_bits.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Whether the subtraction cannot wrap: it is a - min(a, b), however the comparison is written.
bool cannot_borrow(const ir::Process& process, const Op& difference) {
  const ValueId from = difference.operands[0], taken = difference.operands[1];
  if (from == taken) return true;
  const Op& minimum = process.ops[taken];
  if (minimum.opcode != Opcode::kSelect) return false;
  const Op& condition = process.ops[minimum.operands[0]];
  if (condition.opcode != Opcode::kUlt) return false;
  const ValueId yes = minimum.operands[1], no = minimum.operands[2];
  const ValueId low = condition.operands[0], high = condition.operands[1];
  return (low == from && yes == from && high == no) || (high == from && no == from && low == yes);
}

using BitsOf = llvm::function_ref<uint32_t(ValueId)>;

class OperationBits {
 public:
  OperationBits(const ir::Process& process, const Op& op, BitsOf bits_of)
      : process_(process), op_(op), bits_of_(bits_of) {}

  uint32_t of_op() const {
    switch (op_.opcode) {
      case Opcode::kConstant:
        return op_.constant.getActiveBits();
      case Opcode::kAdd:
        return limited(of_add());
      case Opcode::kSub:
        return limited(of_sub());
      case Opcode::kMul:
        return limited(of_mul());
      case Opcode::kSum:
        return limited(max_bits(0) + llvm::Log2_64_Ceil(op_.operands.size()));
      case Opcode::kShl:
        return limited(bits(1) >= 16 ? op_.width : bits(0) + (1u << bits(1)) - 1);
      case Opcode::kAnd:
        return std::min(bits(0), bits(1));
      case Opcode::kOr:
      case Opcode::kXor:
        return max_bits(0);
      case Opcode::kSelect:
        return max_bits(1);
      case Opcode::kZext:
      case Opcode::kLshr:
      case Opcode::kStage:
      case Opcode::kLate:
        return bits(0);
      case Opcode::kSext:
      case Opcode::kAshr:  // the sign is known to be 0, or spreads
        return bits(0) < width(0) ? bits(0) : op_.width;
      case Opcode::kLane:
        return std::min(op_.width, bits(0));
      case Opcode::kSlice:
        return bits(0) <= op_.offset ? 0 : std::min(op_.width, bits(0) - op_.offset);
      case Opcode::kConcat:
        return of_concat();
      VTA_HLSC_CASES_OF_COMPARISONS:
      case Opcode::kReverse:
      case Opcode::kPhi:
      VTA_HLSC_CASES_OF_EFFECTS:
        return op_.width;
    }
    return op_.width;
  }

 private:
  uint32_t bits(size_t i) const { return bits_of_(op_.operands[i]); }
  uint32_t width(size_t i) const { return process_.ops[op_.operands[i]].width; }
  uint32_t max_bits(size_t first) const {
    uint32_t result = 0;
    for (size_t i = first; i < op_.operands.size(); ++i) result = std::max(result, bits(i));
    return result;
  }

  uint32_t limited(uint32_t bits) const { return std::min(op_.width, bits); }
  uint32_t of_add() const { return bits(0) == 0 || bits(1) == 0 ? max_bits(0) : max_bits(0) + 1; }
  uint32_t of_sub() const {
    return bits(1) == 0 || cannot_borrow(process_, op_) ? bits(0) : op_.width;
  }
  uint32_t of_mul() const {
    const bool negative = op_.is_signed && ((width(0) < op_.width && bits(0) == width(0)) ||
                                            (width(1) < op_.width && bits(1) == width(1)));
    return negative ? op_.width : bits(0) + bits(1);
  }

  uint32_t of_concat() const {
    uint32_t top = op_.width;
    for (size_t i = op_.operands.size(); i-- > 0;) {
      top -= width(i);
      if (bits(i) != 0) return top + bits(i);
    }
    return 0;
  }

  const ir::Process& process_;
  const Op& op_;
  BitsOf bits_of_;
};

}  // namespace

uint32_t operation_bits(const ir::Process& process, const Op& op, BitsOf bits_of) {
  return OperationBits(process, op, bits_of).of_op();
}

}  // namespace vta::hlsc::passes
