// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/loop_limits.h"

#include <algorithm>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::passes {

using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::ValueId;
using llvm::APInt;

namespace {

// Whether `op` is the comparison of all bits of `value` from `op.offset` on with 0, or is the top
// bit itself.
bool is_top_slice(const ir::Process& process, const Op& op, ValueId value) {
  return op.opcode == Opcode::kSlice && op.operands[0] == value &&
         op.offset + op.width == process.ops[value].width;
}

}  // namespace

LoopLimits::LoopLimits(const ir::Process& process, const ir::Loop& loop)
    : process_(process), loop_(loop), literals_(conjunction(process, loop.condition)) {
  ir::for_each_definition(loop, [&](ValueId value) { inside_.insert(value); });
}

APInt LoopLimits::max_value(ValueId value, const Bits& bits) const {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return op.constant;
  return APInt::getLowBitsSet(op.width, std::min(bits[value], op.width));
}

bool LoopLimits::is_value(ValueId side, ValueId value) const {
  const Op& op = process_.ops[side];
  return side == value || (op.opcode == Opcode::kZext && op.operands[0] == value);
}

LoopLimits::Limit LoopLimits::max_by_order(const Literal& literal, ValueId value,
                                           const Bits& bits) const {
  const Op& op = process_.ops[literal.first];
  const auto [low, high] = std::pair(op.operands[0], op.operands[1]);
  // low < high, or not(low < high), which is high <= low.
  const ValueId bounded = literal.second ? high : low, bound = literal.second ? low : high;
  if (!is_value(bounded, value)) return std::nullopt;
  const uint32_t width = process_.ops[bound].width;
  if (op.opcode == Opcode::kSlt && (bits[bounded] >= width || bits[bound] >= width))
    return std::nullopt;  // one may be negative
  APInt limit = max_value(bound, bits);
  if (!literal.second && !limit.isZero()) --limit;
  if (limit.getActiveBits() > process_.ops[value].width) return std::nullopt;
  return limit.trunc(process_.ops[value].width);
}

// value == c, or no bit from k on is set.
LoopLimits::Limit LoopLimits::max_by_equality(const Literal& literal, ValueId value) const {
  const Op& op = process_.ops[literal.first];
  const uint32_t width = process_.ops[value].width;
  if (literal.second) return std::nullopt;
  const Op& constant = process_.ops[op.operands[1]];
  if (constant.opcode != Opcode::kConstant) return std::nullopt;
  if (op.operands[0] == value) return constant.constant;
  const Op& part = process_.ops[op.operands[0]];
  if (!constant.constant.isZero() || !is_top_slice(process_, part, value)) return std::nullopt;
  return APInt::getLowBitsSet(width, part.offset);
}

LoopLimits::Limit LoopLimits::max_by(const Literal& literal, ValueId value,
                                     const Bits& bits) const {
  const Op& op = process_.ops[literal.first];
  const uint32_t width = process_.ops[value].width;
  if (literal.second && width == 1 && literal.first == value) return APInt(1, 0);
  if (op.opcode == Opcode::kUlt || op.opcode == Opcode::kSlt)
    return max_by_order(literal, value, bits);
  if (op.opcode == Opcode::kEq) return max_by_equality(literal, value);
  if (literal.second && is_top_slice(process_, op, value))  // the top bit is 0
    return APInt::getLowBitsSet(width, op.offset);
  return std::nullopt;
}

LoopLimits::Limit LoopLimits::max_if_true(ValueId value, const Bits& bits) const {
  Limit minimum;
  for (const Literal& literal : literals_) {
    const Limit limit = max_by(literal, value, bits);
    if (limit && (!minimum || limit->ult(*minimum))) minimum = limit;
  }
  return minimum;
}

APInt LoopLimits::min_if_true(ValueId value) const {
  const uint32_t width = process_.ops[value].width;
  APInt minimum(width, 0);
  const auto at_least = [&](const APInt& bound) { minimum = minimum.ugt(bound) ? minimum : bound; };
  for (const auto& [literal, complemented] : literals_) {
    const Op& op = process_.ops[literal];
    if (literal == value && !complemented) at_least(APInt(width, 1));
    if (op.opcode == Opcode::kSlice && !complemented && is_top_slice(process_, op, value))
      at_least(APInt::getOneBitSet(width, op.offset));
    if (op.opcode != Opcode::kEq && op.opcode != Opcode::kUlt) continue;
    const Op &left = process_.ops[op.operands[0]], &right = process_.ops[op.operands[1]];
    if (op.opcode == Opcode::kUlt) {
      if (!complemented && op.operands[1] == value && left.opcode == Opcode::kConstant &&
          !left.constant.isAllOnes())
        at_least(left.constant + 1);
      if (complemented && op.operands[0] == value && right.opcode == Opcode::kConstant)
        at_least(right.constant);
    } else if (complemented && right.opcode == Opcode::kConstant && right.constant.isZero()) {
      if (op.operands[0] == value) at_least(APInt(width, 1));
      if (is_top_slice(process_, left, value)) at_least(APInt::getOneBitSet(width, left.offset));
    }
  }
  return minimum;
}

std::optional<APInt> LoopLimits::step(const LoopPhi& phi) const {
  const Op& next = process_.ops[phi.next];
  const bool one_bit = next.opcode == Opcode::kXor && next.width == 1;  // how it is added there
  if ((next.opcode != Opcode::kAdd && !one_bit) || next.operands[0] != phi.phi) return std::nullopt;
  const Op& by = process_.ops[next.operands[1]];
  if (by.opcode != Opcode::kConstant) return std::nullopt;
  return by.constant;
}

LoopLimits::Limit LoopLimits::equality_bound(const LoopPhi& phi, const Bits& bits) const {
  const std::optional<APInt> by = step(phi);
  if (!by || !by->isOne() || !ir::is_constant(process_, phi.init, 0)) return std::nullopt;
  for (const auto& [literal, complemented] : literals_) {
    const Op& op = process_.ops[literal];
    if (op.opcode != Opcode::kEq || !complemented) continue;
    for (size_t side : {0u, 1u}) {
      const ValueId bound = op.operands[1 - side];
      if (op.operands[side] == phi.phi && !is_defined_inside(bound)) return max_value(bound, bits);
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> LoopLimits::trip_bits_by(const LoopPhi& phi, const Bits& bits) const {
  const std::optional<APInt> by = step(phi);
  if (!by) return std::nullopt;
  if (by->isAllOnes() && !min_if_true(phi.phi).isZero()) return bits[phi.init];
  if (const Limit bound = equality_bound(phi, bits)) return bound->getActiveBits();
  const Limit limit = max_if_true(phi.phi, bits);
  if (!limit || by->isZero()) return std::nullopt;
  bool wraps = false;
  (void)limit->uadd_ov(*by, wraps);
  if (wraps) return std::nullopt;
  return limit->getActiveBits();  // 0 to the limit: one iteration more
}

std::optional<uint32_t> LoopLimits::trip_bits(const Bits& bits) const {
  std::optional<uint32_t> fewest;
  for (const LoopPhi& phi : loop_.phis) {
    const std::optional<uint32_t> trips = trip_bits_by(phi, bits);
    if (trips) fewest = std::min(*trips, fewest.value_or(*trips));
  }
  return fewest;
}

std::optional<uint32_t> LoopLimits::growth(ValueId next, ValueId phi, const Bits& bits) const {
  if (next == phi) return 0;
  const Op& op = process_.ops[next];
  if (op.opcode == Opcode::kAdd) {
    if (op.operands[0] == phi) return bits[op.operands[1]];
    if (op.operands[1] == phi) return bits[op.operands[0]];
  }
  if (op.opcode != Opcode::kSelect) return std::nullopt;
  const std::optional<uint32_t> yes = growth(op.operands[1], phi, bits);
  const std::optional<uint32_t> no = growth(op.operands[2], phi, bits);
  if (!yes || !no) return std::nullopt;
  return std::max(*yes, *no);
}

std::optional<uint32_t> LoopLimits::next_bits(const LoopPhi& phi, const Bits& bits) const {
  std::optional<uint32_t> result;
  const auto limit_to = [&](uint32_t limit) { result = std::min(limit, result.value_or(limit)); };
  if (const Limit limit = max_if_true(phi.next, bits)) limit_to(limit->getActiveBits());
  if (const std::optional<APInt> by = step(phi)) {
    if (const Limit limit = max_if_true(phi.phi, bits)) {
      bool wraps = false;
      const APInt next = limit->uadd_ov(*by, wraps);
      if (!wraps) limit_to(next.getActiveBits());
    }
    if (by->isNegative() && min_if_true(phi.phi).uge(-*by)) limit_to(bits[phi.phi]);
    if (const Limit bound = equality_bound(phi, bits)) limit_to(bound->getActiveBits());
  }
  const std::optional<uint32_t> more = growth(phi.next, phi.phi, bits);
  const std::optional<uint32_t> trips = more ? trip_bits(bits) : std::nullopt;
  if (trips) {
    const uint32_t added = *more == 0 ? 0 : *more + *trips, init = bits[phi.init];
    limit_to(init == 0 || added == 0 ? std::max(init, added) : std::max(init, added) + 1);
  }
  return result;
}

}  // namespace vta::hlsc::passes
