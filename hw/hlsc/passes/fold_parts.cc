// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/hlsc/passes/fold.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

ValueId slice_of_concat(Rewriter& r, const Op& op) {
  std::vector<ValueId> parts;
  uint32_t at = 0;
  const uint32_t end = op.offset + op.width;
  const std::vector<ValueId> operands = r.op(op.operands[0]).operands;
  for (ValueId part : operands) {
    const uint32_t next = at + r.width(part);
    const uint32_t first = std::max(at, op.offset), last = std::min(next, end);
    if (first < last) parts.push_back(r.make_slice(part, first - at, last - first));
    at = next;
  }
  return r.make_concat(parts);
}

ValueId slice_of_zext(Rewriter& r, const Op& op) {
  const ValueId inner = r.op(op.operands[0]).operands[0];
  const uint32_t width = r.width(inner);
  if (op.offset >= width) return r.make_constant(llvm::APInt(op.width, 0));
  const uint32_t kept = std::min(op.width, width - op.offset);
  return r.make_zext(r.make_slice(inner, op.offset, kept), op.width);
}

ValueId slice_of_sext(Rewriter& r, const Op& op) {
  const ValueId inner = r.op(op.operands[0]).operands[0];
  const uint32_t width = r.width(inner);
  if (op.offset + op.width <= width) return r.make_slice(inner, op.offset, op.width);
  const uint32_t offset = std::min(op.offset, width - 1);
  return r.make(Opcode::kSext, op.width, {r.make_slice(inner, offset, width - offset)});
}

// A slice of a bitwise operation is the operation on slices. Where the word is used whole as well,
// that would only add an operation.
ValueId slice_of_bitwise(Rewriter& r, const Op& op) {
  const Op inner = r.op(op.operands[0]);
  std::vector<ValueId> operands = inner.operands;
  for (size_t i = inner.opcode == Opcode::kSelect ? 1 : 0; i < operands.size(); ++i)
    operands[i] = r.make_slice(operands[i], op.offset, op.width);
  const ValueId narrow = r.make(inner.opcode, op.width, operands);
  const bool whole = r.demanded_whole(op.operands[0]) >= op.offset + op.width;
  return whole && r.is(narrow, inner.opcode) ? kNoValue : narrow;
}

// The low bits of a sum or product depend on the low bits of the operands only. All slices of one
// operation share one narrower operation.
ValueId slice_of_arithmetic(Rewriter& r, const Op& op) {
  const Op inner = r.op(op.operands[0]);
  const uint32_t end = std::max(op.offset + op.width, r.demanded(op.operands[0]));
  if (end >= inner.width) return kNoValue;
  std::vector<ValueId> operands = inner.operands;
  for (ValueId& operand : operands) {
    if (r.width(operand) > end) operand = r.make_slice(operand, 0, end);
  }
  Op narrow = inner;
  narrow.operands = operands;
  narrow.width = end;
  const ValueId value = r.make(narrow);
  r.pass_on_demand(op.operands[0], value);
  return r.make_slice(value, op.offset, op.width);
}

}  // namespace

ValueId fold_slice(Rewriter& r, const Op& op) {
  const ValueId value = op.operands[0];
  if (op.offset == 0 && op.width == r.width(value)) return value;
  switch (r.op(value).opcode) {
    case Opcode::kSlice:
      return r.make_slice(r.op(value).operands[0], r.op(value).offset + op.offset, op.width);
    case Opcode::kConcat:
      return slice_of_concat(r, op);
    case Opcode::kZext:
      return slice_of_zext(r, op);
    case Opcode::kSext:
      return slice_of_sext(r, op);
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kSelect:
      return slice_of_bitwise(r, op);
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMul:
      return slice_of_arithmetic(r, op);
    case Opcode::kConstant:
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
    VTA_HLSC_CASES_OF_COMPARISONS:
    case Opcode::kLane:
    case Opcode::kReverse:
    case Opcode::kSum:
    case Opcode::kStage:
    case Opcode::kLate:
    case Opcode::kPhi:
    VTA_HLSC_CASES_OF_EFFECTS:
      return kNoValue;
  }
  return kNoValue;
}

ValueId fold_zext(Rewriter& r, const Op& op) {
  const ValueId value = op.operands[0];
  if (op.width == r.width(value)) return value;
  if (r.is(value, Opcode::kZext)) return r.make_zext(r.op(value).operands[0], op.width);
  const uint32_t active = std::max(active_bits(r, value), 1u);
  if (active < r.width(value)) return r.make_zext(r.make_slice(value, 0, active), op.width);
  return kNoValue;
}

ValueId fold_sext(Rewriter& r, const Op& op) {
  const ValueId value = op.operands[0];
  if (op.width == r.width(value)) return value;
  if (r.is(value, Opcode::kSext)) return r.make(Opcode::kSext, op.width, {r.op(value).operands[0]});
  if (active_bits(r, value) < r.width(value)) return r.make_zext(value, op.width);
  return kNoValue;
}

ValueId fold_lane(Rewriter& r, const Op& op) {
  const auto [word, index] = std::pair(op.operands[0], op.operands[1]);
  const uint32_t lanes = r.width(word) / op.width;
  if (r.is_constant(index)) {
    const uint64_t at = r.constant(index).getLimitedValue(lanes);
    if (at >= lanes) return r.make_constant(llvm::APInt(op.width, 0));
    return r.make_slice(word, static_cast<uint32_t>(at) * op.width, op.width);
  }
  const uint32_t active = std::max(active_bits(r, index), 1u);
  if (active == r.width(index)) return kNoValue;
  return r.make(Opcode::kLane, op.width, {word, r.make_slice(index, 0, active)});
}

namespace {

// Joins b, whose bits follow those of a; kNoValue if they are not adjacent bits of one value.
ValueId joined(Rewriter& r, ValueId a, ValueId b) {
  if (r.is_constant(a) && r.is_constant(b))
    return r.make_constant(r.constant(b).concat(r.constant(a)));
  if (!r.is(a, Opcode::kSlice) || !r.is(b, Opcode::kSlice)) return kNoValue;
  const Op low = r.op(a), high = r.op(b);
  if (low.operands[0] != high.operands[0] || low.offset + low.width != high.offset) return kNoValue;
  return r.make_slice(low.operands[0], low.offset, low.width + high.width);
}

}  // namespace

ValueId fold_concat(Rewriter& r, const Op& op) {
  std::vector<ValueId> parts;
  const auto add = [&](ValueId part) {
    const ValueId both = parts.empty() ? kNoValue : joined(r, parts.back(), part);
    if (both == kNoValue) {
      parts.push_back(part);
    } else {
      parts.back() = both;
    }
  };
  for (ValueId operand : op.operands) {
    const Op part = r.op(operand);
    if (part.opcode == Opcode::kConcat) {
      for (ValueId inner : part.operands) add(inner);
    } else if (part.opcode == Opcode::kZext) {
      add(part.operands[0]);
      add(r.make_constant(llvm::APInt(part.width - r.width(part.operands[0]), 0)));
    } else {
      add(operand);
    }
  }
  const bool top_is_zero = r.is_constant(parts.back()) && r.constant(parts.back()).isZero();
  if (parts.size() > 1 && top_is_zero) {
    parts.pop_back();
    return r.make_zext(r.make_concat(parts), op.width);
  }
  if (parts.size() == 1) return parts[0];
  return parts == op.operands ? kNoValue : r.make_concat(parts);
}

namespace {

struct Part {
  ValueId value;
  uint32_t width;
};

// The parts of a word; the word itself if it is not a concatenation.
std::vector<Part> parts_of(Rewriter& r, ValueId value) {
  const Op op = r.op(value);
  std::vector<Part> parts;
  if (op.opcode == Opcode::kConcat) {
    for (ValueId part : op.operands) parts.push_back({part, r.width(part)});
  } else if (op.opcode == Opcode::kZext) {
    const uint32_t width = r.width(op.operands[0]);
    for (const Part& part : parts_of(r, op.operands[0])) parts.push_back(part);
    parts.push_back({r.make_constant(llvm::APInt(op.width - width, 0)), op.width - width});
  } else if (op.opcode == Opcode::kConstant) {  // runs of equal bits
    for (uint32_t at = 0; at < op.width;) {
      const bool set = op.constant[at];
      uint32_t end = at + 1;
      while (end < op.width && op.constant[end] == set) ++end;
      const uint32_t run = end - at;
      parts.push_back(
          {r.make_constant(set ? llvm::APInt::getAllOnes(run) : llvm::APInt(run, 0)), run});
      at = end;
    }
  } else {
    parts.push_back({value, op.width});
  }
  return parts;
}

// Takes the bits of a word from its parts, lowest first; each taking stays in one part.
class PartCursor {
 public:
  PartCursor(Rewriter& r, ValueId word) : r_(r), parts_(parts_of(r, word)) {}
  uint32_t left() const { return parts_[at_].width - used_; }
  ValueId take(uint32_t width) {
    const ValueId value = r_.make_slice(parts_[at_].value, used_, width);
    used_ += width;
    if (left() == 0) ++at_, used_ = 0;
    return value;
  }

 private:
  Rewriter& r_;
  std::vector<Part> parts_;
  size_t at_ = 0;
  uint32_t used_ = 0;
};

}  // namespace

ValueId fold_by_parts(Rewriter& r, const Op& op) {
  const auto [a, b] = std::pair(op.operands[0], op.operands[1]);
  const auto in_parts = [&](ValueId v) {
    return r.is(v, Opcode::kConcat) || r.is(v, Opcode::kZext);
  };
  if (op.width == 1 || !(in_parts(a) || in_parts(b) || r.is_constant(b))) return kNoValue;
  if (r.is_constant(b) && op.opcode != Opcode::kAnd && !in_parts(a)) return kNoValue;
  // Splitting pays only if a segment folds away.
  bool vanishes = false;
  std::vector<std::pair<ValueId, ValueId>> segments;
  PartCursor left(r, a), right(r, b);
  for (uint32_t at = 0; at < op.width;) {
    const uint32_t width = std::min(left.left(), right.left());
    segments.emplace_back(left.take(width), right.take(width));
    vanishes |= r.is_constant(segments.back().first) || r.is_constant(segments.back().second);
    at += width;
  }
  if (!vanishes || segments.size() == 1) return kNoValue;
  std::vector<ValueId> parts;
  for (const auto& [x, y] : segments) parts.push_back(r.make(op.opcode, r.width(x), {x, y}));
  return r.make_concat(parts);
}

}  // namespace vta::hlsc::passes
