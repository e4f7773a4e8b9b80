// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/split_comparison.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kMinChunkBits = 3;

bool is_equality(Opcode opcode) { return opcode == Opcode::kEq || opcode == Opcode::kNe; }
bool is_signed(Opcode opcode) { return opcode == Opcode::kSlt || opcode == Opcode::kSle; }

class Comparison {
 public:
  Comparison(PartBuilder& parts, const Op& op, uint32_t chunk_bits)
      : parts_(parts), op_(op), chunk_bits_(chunk_bits) {}

  ValueId equal() {
    std::vector<ValueId> chunks;
    for (uint32_t at = 0; at < bits(); at += chunk_bits_)
      chunks.push_back(compare(Opcode::kEq, op_.operands[0], op_.operands[1], at));
    while (chunks.size() > 1) {
      std::vector<ValueId> pairs;
      for (size_t i = 0; i + 1 < chunks.size(); i += 2)
        pairs.push_back(parts_.append(Opcode::kAnd, 1, {chunks[i], chunks[i + 1]}));
      if (chunks.size() % 2 == 1) pairs.push_back(chunks.back());
      chunks = std::move(pairs);
    }
    return chunks[0];
  }

  // The higher chunk decides, unless it is equal.
  ValueId less(ValueId a, ValueId b) {
    ValueId result = kNoValue;
    for (uint32_t at = 0; at < bits(); at += chunk_bits_) {
      const bool is_top = at + chunk_bits_ >= bits();
      const Opcode opcode = is_top && is_signed(op_.opcode) ? Opcode::kSlt : Opcode::kUlt;
      const ValueId here = compare(opcode, a, b, at);
      result = result == kNoValue ? here
                                  : parts_.append(Opcode::kSelect, 1,
                                                  {compare(Opcode::kEq, a, b, at), result, here});
    }
    return result;
  }

 private:
  uint32_t bits() const { return parts_.width(op_.operands[0]); }
  ValueId compare(Opcode opcode, ValueId a, ValueId b, uint32_t at) {
    const uint32_t width = std::min(chunk_bits_, bits() - at);
    return parts_.append(opcode, 1, {parts_.slice(a, at, width), parts_.slice(b, at, width)});
  }

  PartBuilder& parts_;
  const Op& op_;
  const uint32_t chunk_bits_;
};

// 0: none. A comparison's delay depends on the width of its operands.
uint32_t fitting_bits(PartBuilder& parts, const Op& op) {
  const auto fits = [&](uint32_t bits) {
    const ValueId chunk = parts.slice(op.operands[0], 0, bits);
    return parts.fits(op.opcode, 1, {chunk, chunk});
  };
  uint32_t bits = parts.width(op.operands[0]);
  while (bits > kMinChunkBits && !fits(bits)) bits = (bits + 1) / 2;
  return fits(bits) ? bits : 0;
}

}  // namespace

ValueId split_comparison(PartBuilder& parts, const Op& op) {
  const uint32_t chunk_bits = fitting_bits(parts, op);
  if (chunk_bits == 0) return kNoValue;
  Comparison comparison(parts, op, chunk_bits);
  const ValueId a = op.operands[0], b = op.operands[1];
  if (op.opcode == Opcode::kEq) return comparison.equal();
  if (is_equality(op.opcode)) return parts.inverted(comparison.equal());
  const bool or_equal = op.opcode == Opcode::kUle || op.opcode == Opcode::kSle;
  return or_equal ? parts.inverted(comparison.less(b, a)) : comparison.less(a, b);
}

}  // namespace vta::hlsc::schedule
