// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/operations.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

using ir::Opcode;
using ir::ValueId;

ValueId Operations::intrinsic(llvm::IntrinsicInst& instruction) {
  switch (instruction.getIntrinsicID()) {
    case llvm::Intrinsic::umin:
      return min_or_max(instruction, Opcode::kUlt, true);
    case llvm::Intrinsic::umax:
      return min_or_max(instruction, Opcode::kUlt, false);
    case llvm::Intrinsic::smin:
      return min_or_max(instruction, Opcode::kSlt, true);
    case llvm::Intrinsic::smax:
      return min_or_max(instruction, Opcode::kSlt, false);
    case llvm::Intrinsic::abs:
      return absolute(instruction);
    case llvm::Intrinsic::cttz:
      return count_zeros(instruction, false);
    case llvm::Intrinsic::ctlz:
      return count_zeros(instruction, true);
    case llvm::Intrinsic::ctpop:
      return count_ones(instruction);
    case llvm::Intrinsic::bswap:
      return swap_bytes(instruction);
    case llvm::Intrinsic::fshl:
      return funnel(instruction, true);
    case llvm::Intrinsic::fshr:
      return funnel(instruction, false);
    case llvm::Intrinsic::bitreverse: {
      const ValueId from = value(instruction, instruction.getArgOperand(0));
      return builder_.append(Opcode::kReverse, builder_.width(from), {from});
    }
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
      refuse(instruction,
             "a copy or fill of memory of more than 1024 bytes or of unknown size: write it as a "
             "loop over words, or take smaller words");
    default:
      refuse(instruction, "the intrinsic " + instruction.getCalledFunction()->getName().str());
  }
}

ValueId Operations::min_or_max(llvm::IntrinsicInst& instruction, Opcode less, bool is_min) {
  const ValueId a = value(instruction, instruction.getArgOperand(0));
  const ValueId b = value(instruction, instruction.getArgOperand(1));
  const ValueId is_less = builder_.append(less, 1, {a, b});
  return builder_.append(Opcode::kSelect, builder_.width(a),
                         {is_less, is_min ? a : b, is_min ? b : a});
}

ValueId Operations::absolute(llvm::IntrinsicInst& instruction) {
  const ValueId from = value(instruction, instruction.getArgOperand(0));
  const uint32_t width = builder_.width(from);
  const ValueId zero = builder_.constant(width, 0);
  const ValueId negative = builder_.append(Opcode::kSlt, 1, {from, zero});
  const ValueId negated = builder_.append(Opcode::kSub, width, {zero, from});
  return builder_.append(Opcode::kSelect, width, {negative, negated, from});
}

// The number of trailing zeros, or of leading zeros if `from_top`; the width if there is no 1.
ValueId Operations::count_zeros(llvm::IntrinsicInst& instruction, bool from_top) {
  const ValueId from = value(instruction, instruction.getArgOperand(0));
  const uint32_t width = builder_.width(from);
  ValueId result = builder_.constant(width, width);
  for (uint32_t zeros = width; zeros-- > 0;) {
    const uint32_t position = from_top ? width - 1 - zeros : zeros;
    result = builder_.append(
        Opcode::kSelect, width,
        {builder_.slice(from, position, 1), builder_.constant(width, zeros), result});
  }
  return result;
}

ValueId Operations::count_ones(llvm::IntrinsicInst& instruction) {
  const ValueId from = value(instruction, instruction.getArgOperand(0));
  const uint32_t width = builder_.width(from);
  std::vector<ValueId> bits;
  for (uint32_t i = 0; i < width; ++i) {
    bits.push_back(builder_.append(Opcode::kZext, width, {builder_.slice(from, i, 1)}));
  }
  return builder_.append(Opcode::kSum, width, std::move(bits));
}

ValueId Operations::swap_bytes(llvm::IntrinsicInst& instruction) {
  const ValueId from = value(instruction, instruction.getArgOperand(0));
  const uint32_t width = builder_.width(from);
  std::vector<ValueId> bytes;
  for (uint32_t at = width; at > 0; at -= 8) bytes.push_back(builder_.slice(from, at - 8, 8));
  return builder_.append(Opcode::kConcat, width, std::move(bytes));
}

// Shifts the concatenation of two words; one half is the result.
ValueId Operations::funnel(llvm::IntrinsicInst& instruction, bool left) {
  const ValueId high = value(instruction, instruction.getArgOperand(0));
  const ValueId low = value(instruction, instruction.getArgOperand(1));
  const ValueId amount = value(instruction, instruction.getArgOperand(2));
  const uint32_t width = builder_.width(high);
  const ValueId wrapped =
      builder_.append(Opcode::kAnd, width, {amount, builder_.constant(width, width - 1)});
  const ValueId pair = builder_.append(Opcode::kConcat, 2 * width, {low, high});
  const ValueId shifted =
      builder_.append(left ? Opcode::kShl : Opcode::kLshr, 2 * width, {pair, wrapped});
  return builder_.slice(shifted, left ? width : 0, width);
}

}  // namespace vta::hlsc::front
