// SPDX-License-Identifier: Apache-2.0
//
// What the condition of a loop says of the values that the loop carries.
#ifndef VTA_HW_HLSC_TRANSFORM_LOOP_LIMITS_H_
#define VTA_HW_HLSC_TRANSFORM_LOOP_LIMITS_H_

#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/transform/literals.h"

namespace vta::hlsc::transform {

// All questions take `bits`: by ValueId, bits above this many are 0.
class LoopLimits {
 public:
  // Both must outlive this, and the process must not change.
  LoopLimits(const ir::Process& process, const ir::Loop& loop);

  // Bits above this many are 0 in what the phi takes after an iteration; nothing: no limit. This is
  // for as long as the phi itself keeps within its bits.
  std::optional<uint32_t> next_bits(const ir::LoopPhi& phi,
                                    const std::vector<uint32_t>& bits) const;

 private:
  using Bits = std::vector<uint32_t>;
  using Limit = std::optional<llvm::APInt>;

  bool is_defined_inside(ir::ValueId value) const { return inside_.contains(value); }
  void note_inside(const ir::Sequence& items);
  // The greatest value, in the width of `value`.
  llvm::APInt greatest(ir::ValueId value, const Bits& bits) const;
  // Of `value` while the condition is true.
  Limit greatest_if_true(ir::ValueId value, const Bits& bits) const;
  Limit greatest_by(const Literal& literal, ir::ValueId value, const Bits& bits) const;
  Limit greatest_by_order(const Literal& literal, ir::ValueId value, const Bits& bits) const;
  Limit greatest_by_equality(const Literal& literal, ir::ValueId value) const;
  llvm::APInt least_if_true(ir::ValueId value) const;
  // Counts up by one from 0 until it meets what the loop does not change.
  Limit met(const ir::LoopPhi& phi, const Bits& bits) const;
  bool is_value(ir::ValueId side, ir::ValueId value) const;

  // The constant that each iteration adds to the phi.
  std::optional<llvm::APInt> step(const ir::LoopPhi& phi) const;
  // There are no more than 2^trip_bits iterations.
  std::optional<uint32_t> trip_bits(const Bits& bits) const;
  std::optional<uint32_t> trip_bits_by(const ir::LoopPhi& phi, const Bits& bits) const;
  // Bits of what `next` is more than the phi at most.
  std::optional<uint32_t> growth(ir::ValueId next, ir::ValueId phi, const Bits& bits) const;

  const ir::Process& process_;
  const ir::Loop& loop_;
  Literals literals_;  // of the condition
  std::set<ir::ValueId> inside_;
};

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_LOOP_LIMITS_H_
