// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/builder.h"

#include <utility>

namespace vta::hlsc::front {

using ir::Opcode;
using ir::ValueId;

ir::Sequence* Builder::set_sequence(ir::Sequence* sequence) {
  return std::exchange(sequence_, sequence);
}

void Builder::set_origin(const ir::Location& location, const std::string& name) {
  location_ = location;
  name_ = name;
}

ValueId Builder::append(ir::Op op) {
  op.location = location_;
  if (op.width != 0) op.name = name_;
  const ValueId value = ir::add_op(process_, std::move(op));
  sequence_->push_back(value);
  return value;
}

ValueId Builder::append(Opcode opcode, uint32_t width, std::vector<ValueId> operands) {
  ir::Op op;
  op.opcode = opcode;
  op.width = width;
  op.operands = std::move(operands);
  return append(std::move(op));
}

ValueId Builder::constant(uint32_t width, uint64_t value) {
  return ir::add_constant(process_, width, value);
}

ValueId Builder::slice(ValueId value, uint32_t offset, uint32_t width) {
  if (offset == 0 && width == this->width(value)) return value;
  ir::Op op;
  op.opcode = Opcode::kSlice;
  op.width = width;
  op.operands = {value};
  op.offset = offset;
  return append(std::move(op));
}

bool Builder::is(ValueId value, bool expected) const {
  return ir::is_constant(process_, value, expected ? 1 : 0);
}

bool Builder::opposite(ValueId a, ValueId b) const {
  const auto negates = [&](ValueId x, ValueId y) {
    const ir::Op& op = process_.ops[x];
    return op.opcode == Opcode::kXor && op.operands[0] == y && is(op.operands[1], true);
  };
  return negates(a, b) || negates(b, a);
}

ValueId Builder::common_factor(ValueId a, ValueId b) const {
  const ir::Op &x = process_.ops[a], &y = process_.ops[b];
  if (x.opcode != Opcode::kAnd || y.opcode != Opcode::kAnd) return ir::kNoValue;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (x.operands[i] == y.operands[k] && opposite(x.operands[1 - i], y.operands[1 - k])) {
        return x.operands[i];
      }
    }
  }
  return ir::kNoValue;
}

ValueId Builder::both(ValueId a, ValueId b) {
  if (a == b || is(b, true) || is(a, false)) return a;
  if (is(a, true) || is(b, false)) return b;
  if (opposite(a, b)) return constant(1, 0);
  return append(Opcode::kAnd, 1, {a, b});
}

ValueId Builder::either(ValueId a, ValueId b) {
  const ValueId known = merged(a, b);
  return known != ir::kNoValue ? known : append(Opcode::kOr, 1, {a, b});
}

ValueId Builder::merged(ValueId a, ValueId b) {
  if (a == b || is(b, false) || is(a, true)) return a;
  if (is(a, false) || is(b, true)) return b;
  return opposite(a, b) ? constant(1, 1) : common_factor(a, b);
}

ValueId Builder::negation(ValueId a) {
  if (is(a, true)) return constant(1, 0);
  if (is(a, false)) return constant(1, 1);
  const ir::Op& op = process_.ops[a];
  if (op.opcode == Opcode::kXor && is(op.operands[1], true)) return op.operands[0];
  return append(Opcode::kXor, 1, {a, constant(1, 1)});
}

}  // namespace vta::hlsc::front
