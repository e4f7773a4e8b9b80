// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/constant_bits.h"

#include <map>

namespace vta::hlsc::transform {

using ir::Op;
using ir::Opcode;
using ir::ValueId;
using llvm::APInt;

namespace {

class Finder {
 public:
  explicit Finder(const ir::Process& process) : process_(process) {}

  ConstantBits of(ValueId value) {
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    const ConstantBits bits = of_op(process_.ops[value]);
    return known_.emplace(value, bits).first->second;
  }

 private:
  ConstantBits of_op(const Op& op) {
    switch (op.opcode) {
      case Opcode::kConstant:
        return {APInt::getAllOnes(op.width), op.constant};
      case Opcode::kZext:
        return extended(of(op.operands[0]), op.width);
      case Opcode::kSlice: {
        const ConstantBits whole = of(op.operands[0]);
        return {whole.mask.extractBits(op.width, op.offset),
                whole.value.extractBits(op.width, op.offset)};
      }
      case Opcode::kConcat:
        return of_concat(op);
      case Opcode::kSelect:
        return common(of(op.operands[1]), of(op.operands[2]));
      case Opcode::kAnd: {
        const ConstantBits a = of(op.operands[0]), b = of(op.operands[1]);
        const APInt zero = (a.mask & ~a.value) | (b.mask & ~b.value);
        return {zero | (a.mask & b.mask), a.value & b.value};
      }
      default:
        return {APInt(op.width, 0), APInt(op.width, 0)};
    }
  }

  static ConstantBits extended(const ConstantBits& bits, uint32_t width) {
    APInt mask = bits.mask.zext(width);
    mask.setBitsFrom(bits.mask.getBitWidth());
    return {mask, bits.value.zext(width)};
  }

  ConstantBits of_concat(const Op& op) {
    ConstantBits word{APInt(op.width, 0), APInt(op.width, 0)};
    uint32_t at = 0;
    for (ValueId part : op.operands) {
      const ConstantBits bits = of(part);
      word.mask.insertBits(bits.mask, at);
      word.value.insertBits(bits.value, at);
      at += bits.mask.getBitWidth();
    }
    return word;
  }

  const ir::Process& process_;
  std::map<ValueId, ConstantBits> known_;
};

}  // namespace

ConstantBits constant_bits(const ir::Process& process, ValueId value) {
  return Finder(process).of(value);
}

ConstantBits common(const ConstantBits& a, const ConstantBits& b) {
  const APInt mask = a.mask & b.mask & ~(a.value ^ b.value);
  return {mask, a.value & mask};
}

}  // namespace vta::hlsc::transform
