// SPDX-License-Identifier: Apache-2.0
//
// Limits of loop-carried values that follow from the condition of the loop.
#ifndef VTA_HW_HLSC_PASSES_LOOP_LIMITS_H_
#define VTA_HW_HLSC_PASSES_LOOP_LIMITS_H_

#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/passes/literals.h"

namespace vta::hlsc::passes {

// `bits` of all functions are the active bits of each value, by ValueId.
class LoopLimits {
 public:
  // Both must outlive this, and the process must not change.
  LoopLimits(const ir::Process& process, const ir::Loop& loop);

  // Active bits of the phi's next value, provided that the phi itself keeps within its bits;
  // nullopt: no limit.
  std::optional<uint32_t> next_bits(const ir::LoopPhi& phi,
                                    const std::vector<uint32_t>& bits) const;

 private:
  using Bits = std::vector<uint32_t>;
  using Limit = std::optional<llvm::APInt>;

  bool is_defined_inside(ir::ValueId value) const { return inside_.contains(value); }
  // The maximum, in the width of `value`.
  llvm::APInt max_value(ir::ValueId value, const Bits& bits) const;
  // The maximum and the minimum of `value` while the condition is true.
  Limit max_if_true(ir::ValueId value, const Bits& bits) const;
  Limit max_by(const Literal& literal, ir::ValueId value, const Bits& bits) const;
  Limit max_by_order(const Literal& literal, ir::ValueId value, const Bits& bits) const;
  Limit max_by_equality(const Literal& literal, ir::ValueId value) const;
  llvm::APInt min_if_true(ir::ValueId value) const;
  // The bound of a phi that counts up by one from 0 until it equals a loop-invariant value.
  Limit equality_bound(const ir::LoopPhi& phi, const Bits& bits) const;
  bool is_value(ir::ValueId side, ir::ValueId value) const;

  // The constant that each iteration adds to the phi.
  std::optional<llvm::APInt> step(const ir::LoopPhi& phi) const;
  // The loop has at most 2^trip_bits iterations.
  std::optional<uint32_t> trip_bits(const Bits& bits) const;
  std::optional<uint32_t> trip_bits_by(const ir::LoopPhi& phi, const Bits& bits) const;
  // Bits of the maximum of next - phi.
  std::optional<uint32_t> growth(ir::ValueId next, ir::ValueId phi, const Bits& bits) const;

  const ir::Process& process_;
  const ir::Loop& loop_;
  Literals literals_;  // of the condition
  std::set<ir::ValueId> inside_;
};

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_LOOP_LIMITS_H_
