// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/folding_builder.h"

#include <algorithm>
#include <utility>

#include "hw/hlsc/ir/evaluate.h"

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

FoldingBuilder::FoldingBuilder(ir::Process& process, ir::Sequence& out, const Op& origin)
    : process_(process), builder_(process, &out) {
  builder_.set_origin(origin.location, origin.name);
}

bool FoldingBuilder::is_zero(ValueId value) const {
  return op(value).opcode == Opcode::kConstant && op(value).constant.isZero();
}

bool FoldingBuilder::is_ones(ValueId value) const {
  return op(value).opcode == Opcode::kConstant && op(value).constant.isAllOnes();
}

ValueId FoldingBuilder::identity_of(Opcode opcode, uint32_t width) {
  return builder_.constant(opcode == Opcode::kAnd ? llvm::APInt::getAllOnes(width)
                                                  : llvm::APInt::getZero(width));
}

ValueId FoldingBuilder::make(Opcode opcode, uint32_t width, std::vector<ValueId> operands) {
  return make(ir::make_op(opcode, width, std::move(operands)));
}

ValueId FoldingBuilder::make(Op op) {
  const ValueId known = folded(op);
  return known != kNoValue ? known : builder_.append(std::move(op));
}

ValueId FoldingBuilder::select(ValueId condition, ValueId if_set, ValueId if_clear) {
  if (if_set == if_clear || is_ones(condition)) return if_set;
  if (is_zero(condition)) return if_clear;
  if (width(if_set) == 1) {
    if (is_zero(if_clear)) return make(Opcode::kAnd, 1, {condition, if_set});
    if (is_ones(if_set)) return make(Opcode::kOr, 1, {condition, if_clear});
    if (is_zero(if_set)) return make(Opcode::kAnd, 1, {builder_.make_not(condition), if_clear});
    if (is_ones(if_clear)) return make(Opcode::kOr, 1, {builder_.make_not(condition), if_set});
  }
  return builder_.append(Opcode::kSelect, width(if_set), {condition, if_set, if_clear});
}

ValueId FoldingBuilder::folded(const Op& op) {
  if (op.opcode == Opcode::kSelect) return select(op.operands[0], op.operands[1], op.operands[2]);
  const bool is_and = op.opcode == Opcode::kAnd, is_or = op.opcode == Opcode::kOr;
  if (!is_and && !is_or && op.opcode != Opcode::kXor && op.opcode != Opcode::kAdd)
    return evaluated(op);
  for (size_t i = 0; i < 2; ++i) {
    const ValueId a = op.operands[i], b = op.operands[1 - i];
    if (is_and ? is_ones(b) : is_zero(b)) return a;
    if ((is_and && is_zero(b)) || (is_or && is_ones(b))) return b;
    if (a == b && (is_and || is_or)) return a;
  }
  return evaluated(op);
}

ValueId FoldingBuilder::evaluated(const Op& op) {
  std::vector<llvm::APInt> constants;
  for (ValueId operand : op.operands) {
    if (this->op(operand).opcode != Opcode::kConstant) return kNoValue;
    constants.push_back(this->op(operand).constant);
  }
  return builder_.constant(ir::evaluate(op, constants));
}

}  // namespace vta::hlsc::schedule
