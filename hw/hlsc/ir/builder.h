// SPDX-License-Identifier: Apache-2.0
//
// Creates operations and appends them to a sequence. The front end and all passes use it.
#ifndef VTA_HW_HLSC_IR_BUILDER_H_
#define VTA_HW_HLSC_IR_BUILDER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// An operation without object, location and name.
Op make_op(Opcode opcode, uint32_t width, std::vector<ValueId> operands, uint32_t offset = 0);

class Builder {
 public:
  // Appends to `sequence`. Null: set_sequence() comes first; constant(), phi() and add() need none.
  explicit Builder(Process& process, Sequence* sequence = nullptr)
      : process_(process), sequence_(sequence) {}

  // The insertion point: the end of this sequence. Returns the previous one.
  Sequence* set_sequence(Sequence* sequence);
  // Location and name of subsequent operations that have none of their own. Operations without a
  // result get no name.
  void set_origin(const Location& location, const std::string& name);

  // Creates an operation in no sequence, as it is.
  ValueId add(Op op) { return add_op(process_, std::move(op)); }
  ValueId append(Op op);
  ValueId append(Opcode opcode, uint32_t width, std::vector<ValueId> operands, uint32_t offset = 0);
  void append(std::unique_ptr<Loop> loop) { sequence_->push_back(std::move(loop)); }
  // Appends an operation that is in no sequence yet.
  void place(ValueId value) { sequence_->emplace_back(value); }

  ValueId constant(uint32_t width, uint64_t value);
  ValueId constant(const llvm::APInt& value);
  // A phi of a loop, which starts with `init`; its next value may follow later.
  ValueId phi(Loop& loop, Op phi, ValueId init, ValueId next = kNoValue);

  // The value itself if it has this width.
  ValueId slice(ValueId value, uint32_t offset, uint32_t width);
  ValueId zext(ValueId value, uint32_t width);
  uint32_t width(ValueId value) const { return process_.ops[value].width; }

  // Logic of single bits, folded where the operands show the result. The predicates of the edges
  // of an if and its else fold to the predicate of the branch where the edges meet, so that code
  // after a branch needs no predicate of its own.
  ValueId make_and(ValueId a, ValueId b);
  ValueId make_or(ValueId a, ValueId b);
  ValueId make_not(ValueId a);
  // make_or() if that needs no operation; else kNoValue.
  ValueId fold_or(ValueId a, ValueId b);

 private:
  bool is(ValueId value, bool expected) const;
  bool are_complements(ValueId a, ValueId b) const;
  // The common factor f of a = f & c and b = f & !c, or kNoValue.
  ValueId common_factor(ValueId a, ValueId b) const;

  Process& process_;
  Sequence* sequence_;
  Location location_;
  std::string name_;
};

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_BUILDER_H_
