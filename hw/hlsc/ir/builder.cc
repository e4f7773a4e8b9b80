// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::ir {

Op make_op(Opcode opcode, uint32_t width, std::vector<ValueId> operands, uint32_t offset) {
  Op op;
  op.opcode = opcode;
  op.width = width;
  op.operands = std::move(operands);
  op.offset = offset;
  return op;
}

Sequence* Builder::set_sequence(Sequence* sequence) { return std::exchange(sequence_, sequence); }

void Builder::set_origin(const Location& location, const std::string& name) {
  location_ = location;
  name_ = name;
}

ValueId Builder::append(Op op) {
  if (op.location.line == 0) op.location = location_;
  if (op.name.empty() && op.width != 0) op.name = name_;
  const ValueId value = add(std::move(op));
  place(value);
  return value;
}

ValueId Builder::append(Opcode opcode, uint32_t width, std::vector<ValueId> operands,
                        uint32_t offset) {
  return append(make_op(opcode, width, std::move(operands), offset));
}

ValueId Builder::constant(uint32_t width, uint64_t value) {
  return constant(llvm::APInt(width, value));
}

ValueId Builder::constant(const llvm::APInt& value) {
  Op op = make_op(Opcode::kConstant, value.getBitWidth(), {});
  op.constant = value;
  return add(std::move(op));
}

ValueId Builder::phi(Loop& loop, Op phi, ValueId init, ValueId next) {
  phi.opcode = Opcode::kPhi;
  const ValueId value = add(std::move(phi));
  loop.phis.push_back({value, init, next});
  return value;
}

ValueId Builder::slice(ValueId value, uint32_t offset, uint32_t width) {
  if (offset == 0 && width == this->width(value)) return value;
  return append(Opcode::kSlice, width, {value}, offset);
}

ValueId Builder::zext(ValueId value, uint32_t width) {
  return width == this->width(value) ? value : append(Opcode::kZext, width, {value});
}

bool Builder::is(ValueId value, bool expected) const {
  return is_constant(process_, value, expected ? 1 : 0);
}

bool Builder::are_complements(ValueId a, ValueId b) const {
  const auto negates = [&](ValueId x, ValueId y) {
    const Op& op = process_.ops[x];
    return op.opcode == Opcode::kXor && op.operands[0] == y && is(op.operands[1], true);
  };
  return negates(a, b) || negates(b, a);
}

ValueId Builder::common_factor(ValueId a, ValueId b) const {
  const Op &x = process_.ops[a], &y = process_.ops[b];
  if (x.opcode != Opcode::kAnd || y.opcode != Opcode::kAnd) return kNoValue;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (x.operands[i] == y.operands[k] && are_complements(x.operands[1 - i], y.operands[1 - k])) {
        return x.operands[i];
      }
    }
  }
  return kNoValue;
}

ValueId Builder::make_and(ValueId a, ValueId b) {
  if (a == b || is(b, true) || is(a, false)) return a;
  if (is(a, true) || is(b, false)) return b;
  if (are_complements(a, b)) return constant(1, 0);
  return append(Opcode::kAnd, 1, {a, b});
}

ValueId Builder::make_or(ValueId a, ValueId b) {
  const ValueId folded = fold_or(a, b);
  return folded != kNoValue ? folded : append(Opcode::kOr, 1, {a, b});
}

ValueId Builder::fold_or(ValueId a, ValueId b) {
  if (a == b || is(b, false) || is(a, true)) return a;
  if (is(a, false) || is(b, true)) return b;
  return are_complements(a, b) ? constant(1, 1) : common_factor(a, b);
}

ValueId Builder::make_not(ValueId a) {
  if (is(a, true)) return constant(1, 0);
  if (is(a, false)) return constant(1, 1);
  const Op& op = process_.ops[a];
  if (op.opcode == Opcode::kXor && is(op.operands[1], true)) return op.operands[0];
  return append(Opcode::kXor, 1, {a, constant(1, 1)});
}

}  // namespace vta::hlsc::ir
