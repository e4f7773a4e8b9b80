// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/split_shift.h"

#include "hw/hlsc/schedule/split_comparison.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// What a shift by at least the width gives: zeros, or the sign.
ValueId beyond(PartBuilder& parts, const Op& shift) {
  if (shift.opcode != Opcode::kAshr) return parts.constant(shift.width, 0);
  return parts.extend(parts.slice(shift.operands[0], shift.width - 1, 1), shift.width, true);
}

ValueId is_not_zero(PartBuilder& parts, ValueId value) {
  const Op comparison = ir::make_op(Opcode::kNe, 1, {value, parts.constant(parts.width(value), 0)});
  if (parts.fits(comparison.opcode, 1, comparison.operands)) return parts.append(comparison);
  return split_comparison(parts, comparison);
}

}  // namespace

ValueId split_shift(PartBuilder& parts, const Op& shift) {
  const ValueId amount = shift.operands[1];
  const uint32_t amount_bits = parts.width(amount);
  ValueId shifted = shift.operands[0];
  uint32_t bit = 0;
  for (; bit < amount_bits && uint64_t{1} << bit < shift.width; ++bit) {
    const ValueId moved = parts.append(shift.opcode, shift.width,
                                       {shifted, parts.constant(bit + 1, uint64_t{1} << bit)});
    shifted =
        parts.append(Opcode::kSelect, shift.width, {parts.slice(amount, bit, 1), moved, shifted});
  }
  if (bit == amount_bits) return shifted;
  const ValueId rest = parts.slice(amount, bit, amount_bits - bit);
  const ValueId is_beyond = is_not_zero(parts, rest);
  if (is_beyond == ir::kNoValue) return is_beyond;
  return parts.append(Opcode::kSelect, shift.width, {is_beyond, beyond(parts, shift), shifted});
}

}  // namespace vta::hlsc::schedule
