// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/fold.h"

#include <algorithm>

#include "hw/hlsc/ir/evaluate.h"

namespace vta::hlsc::transform {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

ValueId fold_constant(Rewriter& r, const Op& op) {
  if (op.opcode == Opcode::kLate) return r.is_constant(op.operands[0]) ? op.operands[0] : kNoValue;
  std::vector<llvm::APInt> values;
  for (ValueId operand : op.operands) {
    if (!r.is_constant(operand)) return kNoValue;
    values.push_back(r.constant(operand));
  }
  return r.make_constant(ir::evaluate(op, values));
}

uint32_t active_of_operands(const Rewriter& r, const Op& op, size_t first) {
  uint32_t most = 0;
  for (size_t i = first; i < op.operands.size(); ++i)
    most = std::max(most, active_bits(r, op.operands[i]));
  return most;
}

uint32_t active_of_concat(const Rewriter& r, const Op& op) {
  uint32_t top = op.width;
  for (size_t i = op.operands.size(); i-- > 0;) {
    const uint32_t part = r.width(op.operands[i]);
    const uint32_t active = active_bits(r, op.operands[i]);
    if (active != 0) return top - part + active;
    top -= part;
  }
  return 0;
}

uint32_t active_bits_of(const Rewriter& r, ValueId value) {
  const Op& op = r.op(value);
  switch (op.opcode) {
    case Opcode::kConstant:
      return op.constant.getActiveBits();
    case Opcode::kZext:
      return active_bits(r, op.operands[0]);
    case Opcode::kConcat:
      return active_of_concat(r, op);
    case Opcode::kSlice: {
      const uint32_t active = active_bits(r, op.operands[0]);
      return active <= op.offset ? 0 : std::min(op.width, active - op.offset);
    }
    case Opcode::kAnd:
      return std::min(active_bits(r, op.operands[0]), active_bits(r, op.operands[1]));
    case Opcode::kOr:
    case Opcode::kXor:
      return active_of_operands(r, op, 0);
    case Opcode::kSelect:
      return active_of_operands(r, op, 1);
    default:
      return op.width;
  }
}

}  // namespace

uint32_t active_bits(const Rewriter& r, ValueId value) {
  std::map<ValueId, uint32_t>& known = r.known_active_bits();
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const uint32_t bits = active_bits_of(r, value);
  known.emplace(value, bits);
  return bits;
}

ValueId fold(Rewriter& r, const Op& op) {
  if (ValueId value = fold_constant(r, op); value != kNoValue) return value;
  switch (op.opcode) {
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kSelect:
      return fold_logic(r, op);
    case Opcode::kEq:
    case Opcode::kNe:
    case Opcode::kUlt:
    case Opcode::kUle:
    case Opcode::kSlt:
    case Opcode::kSle:
      return fold_compare(r, op);
    case Opcode::kZext:
    case Opcode::kSext:
    case Opcode::kSlice:
    case Opcode::kLane:
    case Opcode::kConcat:
    case Opcode::kReverse:
      return fold_parts(r, op);
    case Opcode::kLate:
      return kNoValue;
    default:
      return fold_arithmetic(r, op);
  }
}

}  // namespace vta::hlsc::transform
