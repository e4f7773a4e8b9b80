// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/fold.h"

#include "hw/hlsc/ir/evaluate.h"
#include "hw/hlsc/passes/operation_bits.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

ValueId fold_constant(Rewriter& r, const Op& op) {
  if (op.opcode == Opcode::kLate || op.opcode == Opcode::kStage)
    return r.is_constant(op.operands[0]) ? op.operands[0] : kNoValue;
  std::vector<llvm::APInt> values;
  for (ValueId operand : op.operands) {
    if (!r.is_constant(operand)) return kNoValue;
    values.push_back(r.constant(operand));
  }
  return r.make_constant(ir::evaluate(op, values));
}

// Looks through operations that move, mask or choose bits; arithmetic counts as whole.
uint32_t active_bits_of(const Rewriter& r, const Op& op) {
  switch (op.opcode) {
    case Opcode::kConstant:
    case Opcode::kZext:
    case Opcode::kConcat:
    case Opcode::kSlice:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kSelect:
      return operation_bits(r.process(), op, [&](ValueId v) { return active_bits(r, v); });
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMul:
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
      return op.width;
  }
  return op.width;
}

}  // namespace

uint32_t active_bits(const Rewriter& r, ValueId value) {
  std::map<ValueId, uint32_t>& known = r.known_active_bits();
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const uint32_t bits = active_bits_of(r, r.op(value));
  known.emplace(value, bits);
  return bits;
}

ValueId fold(Rewriter& r, const Op& op) {
  if (ValueId value = fold_constant(r, op); value != kNoValue) return value;
  switch (op.opcode) {
    case Opcode::kAdd:
      return fold_add(r, op);
    case Opcode::kSub:
      return fold_sub(r, op);
    case Opcode::kMul:
      return fold_mul(r, op);
    case Opcode::kAnd:
      return fold_and(r, op);
    case Opcode::kOr:
      return fold_or(r, op);
    case Opcode::kXor:
      return fold_xor(r, op);
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
      return fold_shift(r, op);
    VTA_HLSC_CASES_OF_COMPARISONS:
      return fold_compare(r, op);
    case Opcode::kSelect:
      return fold_select(r, op);
    case Opcode::kZext:
      return fold_zext(r, op);
    case Opcode::kSext:
      return fold_sext(r, op);
    case Opcode::kSlice:
      return fold_slice(r, op);
    case Opcode::kLane:
      return fold_lane(r, op);
    case Opcode::kConcat:
      return fold_concat(r, op);
    case Opcode::kSum:
      return op.operands.size() == 1 ? op.operands[0] : kNoValue;
    case Opcode::kConstant:
    case Opcode::kReverse:
    case Opcode::kStage:
    case Opcode::kLate:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      return kNoValue;
  }
  return kNoValue;
}

}  // namespace vta::hlsc::passes
