// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/speculate.h"

#include <map>
#include <set>
#include <utility>

#include "hw/hlsc/transform/literals.h"

namespace vta::hlsc::transform {

using ir::kNoValue;
using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

class BodySpeculator {
 public:
  BodySpeculator(ir::Process& process, Sequence& body) : process_(process), body_(body) {}

  void run() {
    Sequence out;
    for (ir::Item& item : body_) {
      const ValueId value = std::get<ValueId>(item);
      if (process_.ops[value].opcode == Opcode::kRamRead) weaken(value, out);
      out.push_back(std::move(item));
    }
    body_ = std::move(out);
  }

 private:
  void weaken(ValueId read, Sequence& out) {
    const std::set<ObjectId> written = registers_that_depend_on(read);
    const Literals literals = conjunction(process_, process_.ops[read].operands[0]);
    Literals kept;
    for (const Literal& literal : literals) {
      if (!asks(literal.first, written)) kept.insert(literal);
    }
    if (kept.size() == literals.size()) return;
    ValueId predicate = kNoValue;
    for (const Literal& literal : kept) {
      ValueId value = literal.first;
      if (literal.second) value = emit(Opcode::kXor, {value, yes()}, out);
      predicate = predicate == kNoValue ? value : emit(Opcode::kAnd, {predicate, value}, out);
    }
    process_.ops[read].operands[0] = predicate == kNoValue ? yes() : predicate;
  }

  ValueId yes() { return ir::add_constant(process_, 1, 1); }
  ValueId emit(Opcode opcode, std::vector<ValueId> operands, Sequence& out) {
    Op op;
    op.opcode = opcode;
    op.width = 1;
    op.operands = std::move(operands);
    const ValueId value = ir::add_op(process_, std::move(op));
    out.emplace_back(value);
    return value;
  }

  // Registers that the body writes with, or because of, what the read gives.
  std::set<ObjectId> registers_that_depend_on(ValueId read) const {
    std::set<ValueId> dependent{read};
    std::set<ObjectId> registers;
    for (ValueId value : order()) {
      const Op& op = process_.ops[value];
      for (ValueId operand : op.operands) {
        if (dependent.contains(operand)) dependent.insert(value);
      }
      if (op.opcode == Opcode::kRegisterWrite && dependent.contains(value))
        registers.insert(op.object);
    }
    return registers;
  }

  // What is not yet moved to the new body counts too: the body is in program order.
  std::vector<ValueId> order() const {
    std::vector<ValueId> values;
    for (const ir::Item& item : body_) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) values.push_back(*value);
    }
    return values;
  }

  bool asks(ValueId value, const std::set<ObjectId>& registers) const {
    std::set<ValueId> seen;
    const auto visit = [&](auto&& self, ValueId at) -> bool {
      if (!seen.insert(at).second) return false;
      const Op& op = process_.ops[at];
      if (op.opcode == Opcode::kRegisterRead && registers.contains(op.object)) return true;
      for (ValueId operand : op.operands) {
        if (self(self, operand)) return true;
      }
      return false;
    };
    return visit(visit, value);
  }

  ir::Process& process_;
  Sequence& body_;
};

void visit(ir::Process& process, Sequence& items) {
  for (ir::Item& item : items) {
    if (std::holds_alternative<ValueId>(item)) continue;
    ir::Loop& loop = *std::get<std::unique_ptr<ir::Loop>>(item);
    if (loop.initiation_interval != 0) {
      BodySpeculator(process, loop.body).run();
    } else {
      visit(process, loop.head);
      visit(process, loop.body);
    }
  }
}

}  // namespace

void speculate_reads(ir::Process& process) { visit(process, process.body); }

}  // namespace vta::hlsc::transform
