// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/hlsc/passes/fold.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

uint32_t most_of_operands(const Rewriter& r, const Op& op, size_t first) {
  uint32_t bits = 1;
  for (size_t i = first; i < op.operands.size(); ++i)
    bits = std::max(bits, significant_bits(r, op.operands[i]));
  return bits;
}

// The difference of two numbers that are not negative is no larger than these.
uint32_t significant_of_difference(const Rewriter& r, const Op& op) {
  const uint32_t active = std::max(active_bits(r, op.operands[0]), active_bits(r, op.operands[1]));
  return std::min(most_of_operands(r, op, 0), active) + 1;
}

// The product's operands are sign-extended, or need no extension.
uint32_t significant_of_product(const Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (!op.is_signed && (r.width(a) != op.width || r.width(b) != op.width)) return op.width;
  return significant_bits(r, a) + significant_bits(r, b);
}

uint32_t significant_of_slice(const Rewriter& r, const Op& op) {
  const uint32_t bits = significant_bits(r, op.operands[0]);
  return bits > op.offset ? bits - op.offset : 1;
}

// All bits of the lower parts, and those of the top part without copies of its sign.
uint32_t significant_of_concat(const Rewriter& r, const Op& op) {
  const ValueId top = op.operands.back();
  return op.width - r.width(top) + significant_bits(r, top);
}

uint32_t by_operation(const Rewriter& r, const Op& op) {
  switch (op.opcode) {
    case Opcode::kConstant:
      return op.constant.getSignificantBits();
    case Opcode::kSext:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kStage:
    case Opcode::kLate:
      return most_of_operands(r, op, 0);
    case Opcode::kSelect:
      return most_of_operands(r, op, 1);
    case Opcode::kAdd:
      return most_of_operands(r, op, 0) + 1;
    case Opcode::kSub:
      return significant_of_difference(r, op);
    case Opcode::kMul:
      return significant_of_product(r, op);
    case Opcode::kSlice:
      return significant_of_slice(r, op);
    case Opcode::kConcat:
      return significant_of_concat(r, op);
    case Opcode::kZext:  // its active bits
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
    VTA_HLSC_CASES_OF_COMPARISONS:
    case Opcode::kLane:
    case Opcode::kReverse:
    case Opcode::kSum:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      return op.width;
  }
  return op.width;
}

}  // namespace

uint32_t significant_bits(const Rewriter& r, ValueId value) {
  std::map<ValueId, uint32_t>& known = r.known_significant_bits();
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const Op& op = r.op(value);
  const uint32_t bits = std::min({by_operation(r, op), active_bits(r, value) + 1, op.width});
  known.emplace(value, bits);
  return bits;
}

}  // namespace vta::hlsc::passes
