// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/hlsc/passes/fold.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_ordered(Opcode opcode) { return opcode != Opcode::kEq; }

// x == x and so on.
ValueId same_operands(Rewriter& r, const Op& op) {
  if (op.operands[0] != op.operands[1]) return kNoValue;
  return r.make_bit(op.opcode == Opcode::kEq);
}

// Both operands are single bits.
ValueId equal_bits(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  return r.make_not(r.make(Opcode::kXor, 1, {a, b}));
}

// Top bits that are 0 on both sides do not matter; without them a signed order is unsigned.
ValueId without_top(Rewriter& r, const Op& op) {
  const uint32_t width = r.width(op.operands[0]);
  const uint32_t active =
      std::max({active_bits(r, op.operands[0]), active_bits(r, op.operands[1]), uint32_t{1}});
  if (active == width) return kNoValue;
  Opcode opcode = op.opcode;
  if (opcode == Opcode::kSlt) opcode = Opcode::kUlt;
  return r.make(opcode, 1,
                {r.make_slice(op.operands[0], 0, active), r.make_slice(op.operands[1], 0, active)});
}

bool fits_signed(const Rewriter& r, ValueId value, uint32_t width) {
  if (r.is_constant(value)) return r.constant(value).getSignificantBits() <= width;
  return r.is(value, Opcode::kSext) && r.width(r.op(value).operands[0]) <= width;
}

// Both sides are sign extensions, or constants that fit one.
ValueId without_sign(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  for (ValueId side : {a, b}) {
    if (!r.is(side, Opcode::kSext)) continue;
    uint32_t width = r.width(r.op(side).operands[0]);
    const ValueId other = side == a ? b : a;
    if (r.is(other, Opcode::kSext)) width = std::max(width, r.width(r.op(other).operands[0]));
    if (width == r.width(side) || !fits_signed(r, other, width)) continue;
    return r.make(op.opcode, 1, {r.make_slice(a, 0, width), r.make_slice(b, 0, width)});
  }
  return kNoValue;
}

// Constant parts that equal the other side's part need no comparison.
ValueId without_equal_parts(Rewriter& r, const Op& op) {
  const auto [word, other] = std::pair(op.operands[0], op.operands[1]);
  if (is_ordered(op.opcode) || !r.is(word, Opcode::kConcat) || !r.is_constant(other))
    return kNoValue;
  std::vector<ValueId> left, right;
  uint32_t at = 0;
  const std::vector<ValueId> parts = r.op(word).operands;
  const llvm::APInt wanted = r.constant(other);
  for (ValueId part : parts) {
    const llvm::APInt piece = wanted.extractBits(r.width(part), at);
    at += r.width(part);
    if (r.is_constant(part)) {
      if (r.constant(part) != piece) return r.make_bit(false);
      continue;
    }
    left.push_back(part);
    right.push_back(r.make_constant(piece));
  }
  if (left.size() == parts.size() || left.empty()) return kNoValue;
  return r.make(op.opcode, 1, {r.make_concat(left), r.make_concat(right)});
}

ValueId below_constant(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (op.opcode != Opcode::kUlt) return kNoValue;
  const auto is_zero = [&](ValueId value) {
    return r.make(Opcode::kEq, 1, {value, r.make_constant(llvm::APInt(r.width(value), 0))});
  };
  if (r.is_constant(a)) {
    if (r.constant(a).isZero()) return r.make_not(is_zero(b));
    if (r.constant(a).isAllOnes()) return r.make_bit(false);
    // More than 2^k - 1: a bit from k on is set.
    const uint32_t low = r.constant(a).countr_one();
    if (low != r.constant(a).getActiveBits()) return kNoValue;
    return r.make_not(is_zero(r.make_slice(b, low, r.width(b) - low)));
  }
  if (!r.is_constant(b)) return kNoValue;
  if (r.constant(b).isZero()) return r.make_bit(false);
  if (!r.constant(b).isPowerOf2()) return kNoValue;
  // x < 2^k: no bit from k on is set.
  const uint32_t bit = r.constant(b).logBase2();
  return is_zero(r.make_slice(a, bit, r.width(a) - bit));
}

// x < 0 is the sign of x, 0 <= x its complement.
ValueId sign(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (op.opcode != Opcode::kSlt) return kNoValue;
  const auto top = [&](ValueId value) { return r.make_slice(value, r.width(value) - 1, 1); };
  if (r.is_constant(b) && r.constant(b).isZero()) return top(a);
  if (r.is_constant(a) && r.constant(a).isAllOnes()) return r.make_not(top(b));
  return kNoValue;
}

}  // namespace

ValueId fold_compare(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  // Three comparisons and their complements, so that a condition and its opposite are one.
  if (op.opcode == Opcode::kNe) return r.make_not(r.make(Opcode::kEq, 1, {a, b}));
  if (op.opcode == Opcode::kUle) return r.make_not(r.make(Opcode::kUlt, 1, {b, a}));
  if (op.opcode == Opcode::kSle) return r.make_not(r.make(Opcode::kSlt, 1, {b, a}));
  if (ValueId value = same_operands(r, op); value != kNoValue) return value;
  if (r.width(op.operands[0]) == 1 && !is_ordered(op.opcode)) return equal_bits(r, op);
  if (ValueId value = sign(r, op); value != kNoValue) return value;
  if (ValueId value = without_top(r, op); value != kNoValue) return value;
  if (ValueId value = without_sign(r, op); value != kNoValue) return value;
  if (ValueId value = without_equal_parts(r, op); value != kNoValue) return value;
  return below_constant(r, op);
}

}  // namespace vta::hlsc::passes
