// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/literals.h"

#include <algorithm>

namespace vta::hlsc::transform {

using ir::Opcode;

namespace {

constexpr size_t kMostLiterals = 64;

void collect(const ir::Process& process, Literal literal, Literals& literals) {
  const ir::Op& op = process.ops[literal.first];
  if (op.opcode == Opcode::kXor && ir::is_constant(process, op.operands[1], 1)) {
    return collect(process, {op.operands[0], !literal.second}, literals);
  }
  const Opcode split = literal.second ? Opcode::kOr : Opcode::kAnd;
  if (op.opcode != split || literals.size() > kMostLiterals) {
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

}  // namespace

bool are_disjoint(const ir::Process& process, const Literals& a, const Literals& b) {
  return contradicts(process, a, b) || contradicts(process, b, a);
}

bool includes(const Literals& a, const Literals& b) {
  return std::includes(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace vta::hlsc::transform
