// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/literals.h"

#include <algorithm>

namespace vta::hlsc::passes {

using ir::Opcode;

namespace {

constexpr size_t kMaxLiterals = 64;

void collect(const ir::Process& process, Literal literal, Literals& literals) {
  const ir::Op& op = process.ops[literal.first];
  if (op.opcode == Opcode::kXor && ir::is_constant(process, op.operands[1], 1)) {
    return collect(process, {op.operands[0], !literal.second}, literals);
  }
  const Opcode split = literal.second ? Opcode::kOr : Opcode::kAnd;
  if (op.opcode != split || literals.size() > kMaxLiterals) {
    literals.insert(literal);
    return;
  }
  for (ir::ValueId operand : op.operands) collect(process, {operand, literal.second}, literals);
}

}  // namespace

Literals conjunction(const ir::Process& process, ir::ValueId value) {
  Literals literals;
  if (!ir::is_constant(process, value, 1)) collect(process, {value, false}, literals);
  return literals;
}

namespace {

// Whether a implies that one literal of b is false.
bool contradicts(const ir::Process& process, const Literals& a, const Literals& b) {
  return std::any_of(b.begin(), b.end(), [&](const Literal& literal) {
    Literals opposite;
    collect(process, complement(literal), opposite);
    return includes(a, opposite);
  });
}

// Whether both compare one value with constants that differ.
bool are_unequal(const ir::Process& process, const Literal& a, const Literal& b) {
  const ir::Op &x = process.ops[a.first], &y = process.ops[b.first];
  if (a.second || b.second || x.opcode != Opcode::kEq || y.opcode != Opcode::kEq) return false;
  const ir::Op &c = process.ops[x.operands[1]], &d = process.ops[y.operands[1]];
  return x.operands[0] == y.operands[0] && c.opcode == Opcode::kConstant &&
         d.opcode == Opcode::kConstant && c.constant != d.constant;
}

bool disagree(const ir::Process& process, const Literals& a, const Literals& b) {
  return std::any_of(a.begin(), a.end(), [&](const Literal& one) {
    return std::any_of(b.begin(), b.end(),
                       [&](const Literal& other) { return are_unequal(process, one, other); });
  });
}

}  // namespace

bool are_disjoint(const ir::Process& process, const Literals& a, const Literals& b) {
  return contradicts(process, a, b) || contradicts(process, b, a) || disagree(process, a, b);
}

bool includes(const Literals& a, const Literals& b) {
  return std::includes(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace vta::hlsc::passes
