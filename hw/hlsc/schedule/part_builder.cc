// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/part_builder.h"

#include <utility>

#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

PartBuilder::PartBuilder(ir::Process& process, ir::Sequence& out, const Op& whole, double budget_ns)
    : process_(process), builder_(process, &out), budget_ns_(budget_ns) {
  builder_.set_origin(whole.location, whole.name);
}

ValueId PartBuilder::append(Opcode opcode, uint32_t width, std::vector<ValueId> operands) {
  return builder_.append(opcode, width, std::move(operands));
}

ValueId PartBuilder::slice(ValueId value, uint32_t offset, uint32_t width) {
  const Op& whole = op(value);
  if (whole.opcode == Opcode::kConstant)
    return builder_.constant(whole.constant.extractBits(width, offset));
  if (whole.opcode == Opcode::kZext) {
    const ValueId inner = whole.operands[0];
    if (offset >= this->width(inner)) return constant(width, 0);
    if (offset + width <= this->width(inner)) return slice(inner, offset, width);
  }
  return builder_.slice(value, offset, width);
}

ValueId PartBuilder::extend(ValueId value, uint32_t width, bool is_signed) {
  const Op& narrow = op(value);
  if (narrow.width == width) return value;
  if (narrow.opcode == Opcode::kConstant) {
    return builder_.constant(is_signed ? narrow.constant.sext(width) : narrow.constant.zext(width));
  }
  return append(is_signed ? Opcode::kSext : Opcode::kZext, width, {value});
}

ValueId PartBuilder::concat(std::vector<ValueId> parts) {
  std::erase(parts, ir::kNoValue);
  if (parts.size() == 1) return parts[0];
  uint32_t total = 0;
  for (ValueId part : parts) total += width(part);
  return append(Opcode::kConcat, total, std::move(parts));
}

ValueId PartBuilder::staged(ValueId value) {
  if (op(value).opcode == Opcode::kConstant) return value;
  const auto [known, fresh] = staged_.emplace(value, ir::kNoValue);
  if (fresh) known->second = append(Opcode::kStage, width(value), {value});
  return known->second;
}

ValueId PartBuilder::inverted(ValueId value) {
  if (op(value).opcode == Opcode::kConstant) return builder_.constant(~op(value).constant);
  return append(Opcode::kXor, width(value),
                {value, builder_.constant(llvm::APInt::getAllOnes(width(value)))});
}

bool PartBuilder::is_constant(ValueId value, uint64_t expected) const {
  return ir::is_constant(process_, value, expected);
}

bool PartBuilder::fits(Opcode opcode, uint32_t width, std::vector<ValueId> operands) const {
  return fits_a_step(process_, ir::make_op(opcode, width, std::move(operands)), budget_ns_);
}

}  // namespace vta::hlsc::schedule
