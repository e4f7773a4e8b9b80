// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/hlsc/passes/fold.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_zero(const Rewriter& r, ValueId value) {
  return r.is_constant(value) && r.constant(value).isZero();
}

// Sums and products that cannot reach their top bits are narrower ones.
ValueId narrow_add(Rewriter& r, const Op& op) {
  const uint32_t needed =
      std::max(active_bits(r, op.operands[0]), active_bits(r, op.operands[1])) + 1;
  if (needed >= op.width) return kNoValue;
  const ValueId a = r.make_slice(op.operands[0], 0, needed);
  const ValueId b = r.make_slice(op.operands[1], 0, needed);
  return r.make_zext(r.make(Opcode::kAdd, needed, {a, b}), op.width);
}

}  // namespace

ValueId fold_add(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (is_zero(r, b)) return a;
  if (op.width == 1) return r.make(Opcode::kXor, 1, {a, b});
  // (x + c) + d
  if (r.is_constant(b) && r.is(a, Opcode::kAdd) && r.is_constant(r.op(a).operands[1])) {
    const llvm::APInt sum = r.constant(b) + r.constant(r.op(a).operands[1]);
    return r.make(Opcode::kAdd, op.width, {r.op(a).operands[0], r.make_constant(sum)});
  }
  return narrow_add(r, op);
}

namespace {

// A constant minus a value that is never more than it.
ValueId narrow_sub(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (!r.is_constant(a)) return kNoValue;
  const uint32_t needed = r.constant(a).getActiveBits();
  const llvm::APInt maximum = llvm::APInt::getLowBitsSet(op.width, active_bits(r, b));
  if (needed == op.width || maximum.ugt(r.constant(a))) return kNoValue;
  const ValueId x = r.make_slice(a, 0, needed), y = r.make_slice(b, 0, needed);
  return r.make_zext(r.make(Opcode::kSub, needed, {x, y}), op.width);
}

}  // namespace

ValueId fold_sub(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (is_zero(r, b)) return a;
  if (a == b) return r.make_constant(llvm::APInt(op.width, 0));
  if (op.width == 1) return r.make(Opcode::kXor, 1, {a, b});
  if (r.is_constant(b)) return r.make(Opcode::kAdd, op.width, {a, r.make_constant(-r.constant(b))});
  return narrow_sub(r, op);
}

namespace {

ValueId shift_left(Rewriter& r, ValueId value, uint32_t by, uint32_t width) {
  if (by == 0) return value;
  if (by >= width) return r.make_constant(llvm::APInt(width, 0));
  return r.make_concat({r.make_constant(llvm::APInt(by, 0)), r.make_slice(value, 0, width - by)});
}

// The operand of a product before its extension.
ValueId unextended(const Rewriter& r, ValueId value, bool is_signed) {
  const Opcode extension = is_signed ? Opcode::kSext : Opcode::kZext;
  return r.is(value, extension) ? r.op(value).operands[0] : value;
}

// A product of signed numbers of few bits: the operands of C++ are extended to int.
ValueId multiply_signed(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  const bool full = r.width(a) == op.width && r.width(b) == op.width;
  if (!full && !op.is_signed) return kNoValue;
  const uint32_t bits_a = significant_bits(r, a), bits_b = significant_bits(r, b);
  if (bits_a == r.width(a) && bits_b == r.width(b)) return kNoValue;
  Op narrow = op;
  narrow.is_signed = true;
  narrow.operands = {r.make_slice(a, 0, bits_a), r.make_slice(b, 0, bits_b)};
  narrow.width = std::min(op.width, bits_a + bits_b);
  const ValueId product = r.make(narrow);
  return narrow.width == op.width ? product : r.make(Opcode::kSext, op.width, {product});
}

ValueId multiply_narrow(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  const uint32_t active_a = std::max(active_bits(r, a), 1u),
                 active_b = std::max(active_bits(r, b), 1u);
  const bool unsigned_fits = active_a < r.width(a) || active_b < r.width(b);
  if (unsigned_fits && active_a + active_b <= op.width &&
      (!op.is_signed || (r.width(a) == op.width && r.width(b) == op.width))) {
    Op narrow = op;
    narrow.is_signed = false;
    narrow.operands = {r.make_slice(a, 0, active_a), r.make_slice(b, 0, active_b)};
    narrow.width = active_a + active_b;
    return r.make_zext(r.make(narrow), op.width);
  }
  return multiply_signed(r, op);
}

// By -2^k: a shift and a difference.
ValueId multiply_by_negative_power(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (!r.is_constant(b) || !r.constant(b).isNegatedPowerOf2() || r.width(a) != op.width ||
      r.width(b) != op.width)
    return kNoValue;
  const ValueId shifted = shift_left(r, a, r.constant(b).countr_zero(), op.width);
  return r.make(Opcode::kSub, op.width, {r.make_constant(llvm::APInt(op.width, 0)), shifted});
}

// By 2^j + 2^k: two shifts and a sum.
ValueId multiply_by_two_bits(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (!r.is_constant(b) || r.constant(b).popcount() != 2 || r.width(a) != op.width ||
      r.width(b) != op.width)
    return kNoValue;
  const uint32_t low = r.constant(b).countr_zero(), high = r.constant(b).logBase2();
  const ValueId x = shift_left(r, a, low, op.width), y = shift_left(r, a, high, op.width);
  return r.make(Opcode::kAdd, op.width, {x, y});
}

bool is_power(const Rewriter& r, ValueId value) {
  return r.is_constant(value) && (r.constant(value).isPowerOf2() || r.constant(value).isZero());
}

// By one of two powers: one of two shifts.
ValueId multiply_by_either_power(Rewriter& r, const Op& op) {
  if (op.is_signed) return kNoValue;
  for (const auto& [by, other] :
       {std::pair(op.operands[0], op.operands[1]), std::pair(op.operands[1], op.operands[0])}) {
    const Op select = r.op(unextended(r, by, false));
    if (select.opcode != Opcode::kSelect) continue;
    if (!is_power(r, select.operands[1]) || !is_power(r, select.operands[2])) continue;
    const ValueId factor = r.make_zext(other, op.width);
    const auto product = [&](ValueId power) {
      return r.make(Opcode::kMul, op.width, {factor, r.make_zext(power, op.width)});
    };
    const ValueId yes = product(select.operands[1]), no = product(select.operands[2]);
    return r.make(Opcode::kSelect, op.width, {select.operands[0], yes, no});
  }
  return kNoValue;
}

// By a bit: a selection between the other factor and 0.
ValueId multiply_by_bit(Rewriter& r, const Op& op) {
  for (const auto& [by, other] :
       {std::pair(op.operands[0], op.operands[1]), std::pair(op.operands[1], op.operands[0])}) {
    const ValueId bit = unextended(r, by, false);
    const bool is_sign = op.is_signed && r.width(by) == 1;
    if (r.width(bit) != 1 || r.is_constant(bit) || is_sign) continue;
    const Opcode extension = op.is_signed ? Opcode::kSext : Opcode::kZext;
    const ValueId factor =
        r.width(other) == op.width ? other : r.make(extension, op.width, {other});
    return r.make(Opcode::kSelect, op.width,
                  {bit, factor, r.make_constant(llvm::APInt(op.width, 0))});
  }
  return kNoValue;
}

}  // namespace

ValueId fold_mul(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (is_zero(r, b)) return r.make_constant(llvm::APInt(op.width, 0));
  if (r.is_constant(b) && r.constant(b).isPowerOf2() && r.width(a) == op.width &&
      (r.width(b) == op.width || !op.is_signed)) {
    return shift_left(r, a, r.constant(b).logBase2(), op.width);
  }
  if (ValueId value = multiply_by_negative_power(r, op); value != kNoValue) return value;
  if (ValueId value = multiply_by_two_bits(r, op); value != kNoValue) return value;
  if (ValueId value = multiply_by_either_power(r, op); value != kNoValue) return value;
  if (ValueId value = multiply_by_bit(r, op); value != kNoValue) return value;
  return multiply_narrow(r, op);
}

namespace {

// A shift to the right need not shift the extension of a value.
ValueId shift_right_narrow(Rewriter& r, const Op& op) {
  const ValueId value = op.operands[0], amount = op.operands[1];
  if (op.opcode == Opcode::kShl) return kNoValue;
  const uint32_t active = std::max(active_bits(r, value), 1u);
  if (active < op.width) {
    const ValueId narrow = r.make_slice(value, 0, active);
    return r.make_zext(r.make(Opcode::kLshr, active, {narrow, amount}), op.width);
  }
  if (op.opcode != Opcode::kAshr || !r.is(value, Opcode::kSext)) return kNoValue;
  const ValueId inner = r.op(value).operands[0];
  return r.make(Opcode::kSext, op.width, {r.make(Opcode::kAshr, r.width(inner), {inner, amount})});
}

}  // namespace

ValueId fold_shift(Rewriter& r, const Op& op) {
  const ValueId value = op.operands[0], amount = op.operands[1];
  if (is_zero(r, amount) || is_zero(r, value)) return value;
  if (!r.is_constant(amount)) {
    const uint32_t active = std::max(active_bits(r, amount), 1u);
    if (active == r.width(amount)) return shift_right_narrow(r, op);
    return r.make(op.opcode, op.width, {value, r.make_slice(amount, 0, active)});
  }
  const auto by = static_cast<uint32_t>(r.constant(amount).getLimitedValue(op.width));
  if (op.opcode == Opcode::kShl) return shift_left(r, value, by, op.width);
  if (op.opcode == Opcode::kLshr) {
    if (by >= op.width) return r.make_constant(llvm::APInt(op.width, 0));
    return r.make_zext(r.make_slice(value, by, op.width - by), op.width);
  }
  const uint32_t kept = by >= op.width ? op.width - 1 : by;
  const ValueId top = r.make_slice(value, kept, op.width - kept);
  return r.make(Opcode::kSext, op.width, {top});
}

}  // namespace vta::hlsc::passes
