// SPDX-License-Identifier: Apache-2.0
//
// Builds pure operations, folded where constants or equal operands show the result.
#ifndef VTA_HW_HLSC_SCHEDULE_FOLDING_BUILDER_H_
#define VTA_HW_HLSC_SCHEDULE_FOLDING_BUILDER_H_

#include <cstdint>
#include <vector>

#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::schedule {

class FoldingBuilder {
 public:
  // Operations are appended to `out` and get the place and the name of `origin`.
  FoldingBuilder(ir::Process& process, ir::Sequence& out, const ir::Op& origin);

  // A pure operation, or a value equal to it.
  ir::ValueId make(ir::Op op);
  ir::ValueId make(ir::Opcode opcode, uint32_t width, std::vector<ir::ValueId> operands);
  // if_set where the bit `condition` is 1, else if_clear; a gate if one of them is a constant bit.
  ir::ValueId select(ir::ValueId condition, ir::ValueId if_set, ir::ValueId if_clear);
  // x & 1...1, x | 0, x ^ 0 and x + 0 are x.
  ir::ValueId identity_of(ir::Opcode opcode, uint32_t width);
  ir::ValueId bit(bool value) { return builder_.constant(1, value ? 1 : 0); }

  bool is_zero(ir::ValueId value) const;
  bool is_ones(ir::ValueId value) const;
  uint32_t width(ir::ValueId value) const { return builder_.width(value); }

 private:
  const ir::Op& op(ir::ValueId value) const { return process_.ops[value]; }
  ir::ValueId folded(const ir::Op& op);
  ir::ValueId evaluated(const ir::Op& op);

  ir::Process& process_;
  ir::Builder builder_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_FOLDING_BUILDER_H_
