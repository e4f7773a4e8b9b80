// SPDX-License-Identifier: Apache-2.0
//
// Builds the parts of an operation that is split over steps (split_operations.h).
#ifndef VTA_HW_HLSC_SCHEDULE_PART_BUILDER_H_
#define VTA_HW_HLSC_SCHEDULE_PART_BUILDER_H_

#include <cstdint>
#include <map>
#include <vector>

#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::schedule {

class PartBuilder {
 public:
  // Parts are appended to `out` and get the place and the name of `whole`.
  PartBuilder(ir::Process& process, ir::Sequence& out, const ir::Op& whole, double budget_ns);

  ir::ValueId append(ir::Opcode opcode, uint32_t width, std::vector<ir::ValueId> operands);
  ir::ValueId append(ir::Op op) { return builder_.append(std::move(op)); }
  ir::ValueId constant(uint32_t width, uint64_t value) { return builder_.constant(width, value); }
  // Bits of a value; constants and extensions are folded.
  ir::ValueId slice(ir::ValueId value, uint32_t offset, uint32_t width);
  // The value with this width: the same one, or extended.
  ir::ValueId extend(ir::ValueId value, uint32_t width, bool is_signed);
  // The first part is the lowest; parts without a value are left out.
  ir::ValueId concat(std::vector<ir::ValueId> parts);
  // The value in a register, the same one for equal values.
  ir::ValueId staged(ir::ValueId value);
  ir::ValueId inverted(ir::ValueId value);

  bool is_constant(ir::ValueId value, uint64_t expected) const;
  const ir::Op& op(ir::ValueId value) const { return process_.ops[value]; }
  uint32_t width(ir::ValueId value) const { return process_.ops[value].width; }
  // Whether an operation on these operands fits a step of its own.
  bool fits(ir::Opcode opcode, uint32_t width, std::vector<ir::ValueId> operands) const;

 private:
  ir::Process& process_;
  ir::Builder builder_;
  const double budget_ns_;
  std::map<ir::ValueId, ir::ValueId> staged_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_PART_BUILDER_H_
