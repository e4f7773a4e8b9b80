// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/known_bits.h"

#include <map>

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::ValueId;
using llvm::APInt;

namespace {

class Finder {
 public:
  explicit Finder(const ir::Process& process) : process_(process) {}

  KnownBits of(ValueId value) {
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    const KnownBits bits = of_op(process_.ops[value]);
    return known_.emplace(value, bits).first->second;
  }

 private:
  KnownBits of_op(const Op& op) {
    switch (op.opcode) {
      case Opcode::kConstant:
        return {APInt::getAllOnes(op.width), op.constant};
      case Opcode::kZext:
        return extended(of(op.operands[0]), op.width);
      case Opcode::kSlice: {
        const KnownBits whole = of(op.operands[0]);
        return {whole.mask.extractBits(op.width, op.offset),
                whole.value.extractBits(op.width, op.offset)};
      }
      case Opcode::kConcat:
        return of_concat(op);
      case Opcode::kSelect:
        return common(of(op.operands[1]), of(op.operands[2]));
      case Opcode::kAnd: {
        const KnownBits a = of(op.operands[0]), b = of(op.operands[1]);
        const APInt zero = (a.mask & ~a.value) | (b.mask & ~b.value);
        return {zero | (a.mask & b.mask), a.value & b.value};
      }
      case Opcode::kAdd:
      case Opcode::kSub:
      case Opcode::kMul:
      case Opcode::kOr:
      case Opcode::kXor:
      case Opcode::kShl:
      case Opcode::kLshr:
      case Opcode::kAshr:
      VTA_HLSC_CASES_OF_COMPARISONS:
      case Opcode::kSext:
      case Opcode::kLane:
      case Opcode::kReverse:
      case Opcode::kSum:
      case Opcode::kStage:
      case Opcode::kLate:
      case Opcode::kPhi:
      VTA_HLSC_CASES_OF_EFFECTS:
        break;
    }
    return {APInt(op.width, 0), APInt(op.width, 0)};
  }

  static KnownBits extended(const KnownBits& bits, uint32_t width) {
    APInt mask = bits.mask.zext(width);
    mask.setBitsFrom(bits.mask.getBitWidth());
    return {mask, bits.value.zext(width)};
  }

  KnownBits of_concat(const Op& op) {
    KnownBits word{APInt(op.width, 0), APInt(op.width, 0)};
    uint32_t at = 0;
    for (ValueId part : op.operands) {
      const KnownBits bits = of(part);
      word.mask.insertBits(bits.mask, at);
      word.value.insertBits(bits.value, at);
      at += bits.mask.getBitWidth();
    }
    return word;
  }

  const ir::Process& process_;
  std::map<ValueId, KnownBits> known_;
};

}  // namespace

KnownBits known_bits(const ir::Process& process, ValueId value) {
  return Finder(process).of(value);
}

KnownBits common(const KnownBits& a, const KnownBits& b) {
  const APInt mask = a.mask & b.mask & ~(a.value ^ b.value);
  return {mask, a.value & mask};
}

}  // namespace vta::hlsc::passes
