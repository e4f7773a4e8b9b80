// SPDX-License-Identifier: Apache-2.0
//
// Appends operations to the sequence at hand.
#ifndef VTA_HW_HLSC_FRONT_BUILDER_H_
#define VTA_HW_HLSC_FRONT_BUILDER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

class Builder {
 public:
  explicit Builder(ir::Process& process) : process_(process) {}

  // Where operations go from now on; returns where they went before.
  ir::Sequence* set_sequence(ir::Sequence* sequence);
  // Source line and name of the operations that follow.
  void set_origin(const ir::Location& location, const std::string& name);

  ir::ValueId append(ir::Op op);
  ir::ValueId append(ir::Opcode opcode, uint32_t width, std::vector<ir::ValueId> operands);
  void append(std::unique_ptr<ir::Loop> loop) { sequence_->push_back(std::move(loop)); }
  ir::ValueId constant(uint32_t width, uint64_t value);
  ir::ValueId add_constant(ir::Op op) { return ir::add_op(process_, std::move(op)); }
  ir::ValueId slice(ir::ValueId value, uint32_t offset, uint32_t width);
  uint32_t width(ir::ValueId value) const { return process_.ops[value].width; }

  // Of single bits. What the edges of if and else come to where they meet again is found equal to
  // what guarded both, so that code after a branch needs no predicate of its own.
  ir::ValueId both(ir::ValueId a, ir::ValueId b);
  ir::ValueId either(ir::ValueId a, ir::ValueId b);
  // either() as far as it needs no operation; kNoValue if it does.
  ir::ValueId merged(ir::ValueId a, ir::ValueId b);
  ir::ValueId negation(ir::ValueId a);

 private:
  bool is(ir::ValueId value, bool expected) const;
  bool opposite(ir::ValueId a, ir::ValueId b) const;
  // The common factor f of a = f & c and b = f & !c, or kNoValue.
  ir::ValueId common_factor(ir::ValueId a, ir::ValueId b) const;

  ir::Process& process_;
  ir::Sequence* sequence_ = nullptr;
  ir::Location location_;
  std::string name_;
};

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_BUILDER_H_
