// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/known_bits.h"

#include <map>

#include "hw/hlsc/ir/evaluate.h"

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
      case Opcode::kSlice:
      case Opcode::kConcat:
        return of_moved(op);
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

  // For an operation that only moves bits. Bits that an extension adds are known.
  KnownBits of_moved(const Op& op) {
    std::vector<APInt> masks, values;
    for (ValueId operand : op.operands) {
      const KnownBits bits = of(operand);
      masks.push_back(bits.mask);
      values.push_back(bits.value);
    }
    KnownBits moved{ir::evaluate(op, masks), ir::evaluate(op, values)};
    if (op.opcode == Opcode::kZext) moved.mask.setBitsFrom(masks[0].getBitWidth());
    return moved;
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
