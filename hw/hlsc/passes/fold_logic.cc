// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/hlsc/passes/fold.h"
#include "hw/hlsc/passes/literals.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_zero(const Rewriter& r, ValueId value) {
  return r.is_constant(value) && r.constant(value).isZero();
}
bool is_ones(const Rewriter& r, ValueId value) {
  return r.is_constant(value) && r.constant(value).isAllOnes();
}

// The operand of a complement; kNoValue if the value is not one.
ValueId complemented(const Rewriter& r, ValueId value) {
  const Op& op = r.op(value);
  return op.opcode == Opcode::kXor && is_ones(r, op.operands[1]) ? op.operands[0] : kNoValue;
}

ValueId make_literal(Rewriter& r, const Literal& literal) {
  return literal.second ? r.make_not(literal.first) : literal.first;
}

// The conjunction of `all` without `dropped`.
ValueId make_conjunction(Rewriter& r, const Literals& all, const Literal& dropped) {
  ValueId result = kNoValue;
  for (const Literal& literal : all) {
    if (literal == dropped) continue;
    const ValueId value = make_literal(r, literal);
    result = result == kNoValue ? value : r.make(Opcode::kAnd, 1, {result, value});
  }
  return result == kNoValue ? r.make_bit(true) : result;
}

// a and (b or c), where a implies or excludes b or c.
ValueId assume(Rewriter& r, ValueId given, ValueId value) {
  if (!r.is(value, Opcode::kOr)) return kNoValue;
  const Literals known = conjunction(r.process(), given);
  const std::vector<ValueId> terms = r.op(value).operands;
  for (size_t i = 0; i < 2; ++i) {
    const Literals term = conjunction(r.process(), terms[i]);
    if (includes(known, term)) return given;
    if (are_disjoint(r.process(), known, term))
      return r.make(Opcode::kAnd, 1, {given, terms[1 - i]});
  }
  return kNoValue;
}

bool has_one_part(Opcode opcode) {
  return opcode == Opcode::kZext || opcode == Opcode::kSext || opcode == Opcode::kSlice ||
         opcode == Opcode::kReverse;
}

// The value while all of `known` are true: decides selects, also under operations that only extend
// or rearrange bits.
ValueId decided(Rewriter& r, ValueId value, const Literals& known) {
  Op op = r.op(value);
  if (has_one_part(op.opcode)) {
    const ValueId part = decided(r, op.operands[0], known);
    if (part == op.operands[0]) return value;
    op.operands[0] = part;
    return r.make(op);
  }
  if (op.opcode != Opcode::kSelect) return value;
  const Literals wanted = conjunction(r.process(), op.operands[0]);
  if (includes(known, wanted)) return decided(r, op.operands[1], known);
  if (are_disjoint(r.process(), known, wanted)) return decided(r, op.operands[2], known);
  return value;
}

// a and (b < c), where a decides a select in b or c.
ValueId compare_decided(Rewriter& r, ValueId given, ValueId value) {
  const ValueId inner = complemented(r, value);
  Op op = r.op(inner == kNoValue ? value : inner);
  if (op.opcode != Opcode::kEq && op.opcode != Opcode::kUlt && op.opcode != Opcode::kSlt)
    return kNoValue;
  const Literals known = conjunction(r.process(), given);
  bool changed = false;
  for (ValueId& operand : op.operands) {
    const ValueId now = decided(r, operand, known);
    changed |= now != operand;
    operand = now;
  }
  if (!changed) return kNoValue;
  ValueId result = r.make(op);
  if (inner != kNoValue) result = r.make_not(result);
  return r.make(Opcode::kAnd, 1, {given, result});
}

ValueId and_of_conditions(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  const Literals left = conjunction(r.process(), a), right = conjunction(r.process(), b);
  if (are_disjoint(r.process(), left, right)) return r.make_bit(false);
  if (includes(left, right)) return a;
  if (includes(right, left)) return b;
  for (const auto& [given, value] : {std::pair(a, b), std::pair(b, a)}) {
    if (ValueId found = assume(r, given, value); found != kNoValue) return found;
    if (ValueId found = compare_decided(r, given, value); found != kNoValue) return found;
  }
  return kNoValue;
}

}  // namespace

ValueId fold_and(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (a == b || is_ones(r, b)) return a;
  if (is_zero(r, b)) return b;
  return op.width == 1 ? and_of_conditions(r, op) : fold_by_parts(r, op);
}

namespace {

// (p and c) or (p and not c) = p; p or (p and c) = p; c or (p and not c) = c or p.
ValueId or_of_conditions(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (complemented(r, a) == b || complemented(r, b) == a) return r.make_bit(true);
  const Literals left = conjunction(r.process(), a), right = conjunction(r.process(), b);
  if (includes(right, left)) return a;
  if (includes(left, right)) return b;
  for (const auto& [first, second, value] :
       {std::tuple(left, right, b), std::tuple(right, left, a)}) {
    for (const Literal& literal : first) {
      if (!second.contains(complement(literal))) continue;
      Literals rest = first;
      rest.erase(literal);
      Literals other = second;
      other.erase(complement(literal));
      if (rest == other) return make_conjunction(r, first, literal);
      if (rest.empty()) {
        return r.make(Opcode::kOr, 1,
                      {make_literal(r, literal), make_conjunction(r, second, complement(literal))});
      }
    }
  }
  return kNoValue;
}

}  // namespace

ValueId fold_or(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (a == b || is_zero(r, b)) return a;
  if (is_ones(r, b)) return b;
  return op.width == 1 ? or_of_conditions(r, op) : fold_by_parts(r, op);
}

ValueId fold_xor(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  if (a == b) return r.make_constant(llvm::APInt(op.width, 0));
  if (is_zero(r, b)) return a;
  if (is_ones(r, b)) {
    const ValueId inner = complemented(r, a);
    if (inner != kNoValue) return inner;
  }
  return op.width == 1 ? kNoValue : fold_by_parts(r, op);
}

namespace {

// A select of single bits with a constant side is logic.
ValueId select_of_bits(Rewriter& r, const Op& op) {
  const ValueId condition = op.operands[0], yes = op.operands[1], no = op.operands[2];
  if (is_ones(r, yes)) return r.make(Opcode::kOr, 1, {condition, no});
  if (is_zero(r, no)) return r.make(Opcode::kAnd, 1, {condition, yes});
  if (is_zero(r, yes)) return r.make(Opcode::kAnd, 1, {r.make_not(condition), no});
  if (is_ones(r, no)) return r.make(Opcode::kOr, 1, {r.make_not(condition), yes});
  return kNoValue;
}

ValueId select_with_known_sides(Rewriter& r, const Op& op) {
  const ValueId condition = op.operands[0], yes = op.operands[1], no = op.operands[2];
  const ValueId yes_now = decided(r, yes, conjunction(r.process(), condition));
  const ValueId no_now = decided(r, no, conjunction(r.process(), r.make_not(condition)));
  if (yes_now == yes && no_now == no) return kNoValue;
  return r.make(Opcode::kSelect, op.width, {condition, yes_now, no_now});
}

// Significant bits: bits above this many are copies of the sign.
uint32_t signed_bits(const Rewriter& r, ValueId value) {
  if (r.is_constant(value)) return r.constant(value).getSignificantBits();
  const uint32_t width = r.width(value);
  if (r.is(value, Opcode::kSext)) return r.width(r.op(value).operands[0]);
  return std::min(active_bits(r, value) + 1, width);
}

// Both sides are extensions: select before extending.
ValueId select_before_extension(Rewriter& r, const Op& op) {
  const ValueId condition = op.operands[0], yes = op.operands[1], no = op.operands[2];
  const auto select = [&](uint32_t width) {
    const ValueId x = r.make_slice(yes, 0, width), y = r.make_slice(no, 0, width);
    return r.make(Opcode::kSelect, width, {condition, x, y});
  };
  const uint32_t active = std::max({active_bits(r, yes), active_bits(r, no), 1u});
  if (active < op.width) return r.make_zext(select(active), op.width);
  const uint32_t significant = std::max(signed_bits(r, yes), signed_bits(r, no));
  if (significant >= op.width) return kNoValue;
  return r.make(Opcode::kSext, op.width, {select(significant)});
}

}  // namespace

ValueId fold_select(Rewriter& r, const Op& op) {
  const ValueId condition = op.operands[0], yes = op.operands[1], no = op.operands[2];
  if (r.is_constant(condition)) return is_ones(r, condition) ? yes : no;
  if (yes == no) return yes;
  const ValueId inner = complemented(r, condition);
  if (inner != kNoValue) return r.make(Opcode::kSelect, op.width, {inner, no, yes});
  if (op.width == 1) {
    if (ValueId value = select_of_bits(r, op); value != kNoValue) return value;
  }
  if (ValueId value = select_before_extension(r, op); value != kNoValue) return value;
  return select_with_known_sides(r, op);
}

}  // namespace vta::hlsc::passes
