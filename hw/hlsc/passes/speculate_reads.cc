// SPDX-License-Identifier: Apache-2.0
//
// Speculative reads: in a pipelined loop, a read of a RAM does not wait for a register that an
// earlier iteration writes because of what it read there. The literals of its predicate that depend
// on such a register are dropped: an unneeded read does no harm, and the effects of the body still
// depend on the register.
#include <set>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

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
    const auto weaken_read = [&](ValueId value, Sequence& out) {
      if (process_.ops[value].opcode == Opcode::kRamRead) weaken(value, out);
    };
    ir::rebuild(body_, weaken_read, [](ir::Loop&) {});
  }

 private:
  void weaken(ValueId read, Sequence& out) {
    const std::set<ObjectId> written = registers_that_depend_on(read);
    const Literals literals = conjunction(process_, process_.ops[read].operands[0]);
    Literals kept;
    for (const Literal& literal : literals) {
      if (!depends_on(literal.first, written)) kept.insert(literal);
    }
    if (kept.size() == literals.size()) return;
    ir::Builder builder(process_, &out);
    ValueId predicate = builder.constant(1, 1);
    for (const auto& [value, complemented] : kept)
      predicate = builder.make_and(predicate, complemented ? builder.make_not(value) : value);
    process_.ops[read].operands[0] = predicate;
  }

  // Registers whose writes in the body depend on the read, by value or predicate.
  std::set<ObjectId> registers_that_depend_on(ValueId read) const {
    std::set<ValueId> dependent{read};
    std::set<ObjectId> registers;
    ir::for_each_op(body_, [&](ValueId value) {  // the whole body, in program order
      const Op& op = process_.ops[value];
      for (ValueId operand : op.operands) {
        if (dependent.contains(operand)) dependent.insert(value);
      }
      if (op.opcode == Opcode::kRegisterWrite && dependent.contains(value))
        registers.insert(op.object);
    });
    return registers;
  }

  bool depends_on(ValueId value, const std::set<ObjectId>& registers) const {
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

}  // namespace

void speculate_reads(ir::Design&, ir::Process& process) {
  ir::for_each_loop(process.body, [&](ir::Loop& loop) {
    if (loop.initiation_interval != 0) BodySpeculator(process, loop.body).run();
  });
}

}  // namespace vta::hlsc::passes
