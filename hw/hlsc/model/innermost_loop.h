// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_
#define VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_

#include <optional>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// A nest's pipelined loop that counts by one up to a limit: how many turns it has is known when it
// is entered.
class InnermostLoop {
 public:
  // None if the loop has other phis than its counter, as far as time depends on them, or ends
  // otherwise. With `quiet`: as long as the late registers that the nest writes are 0.
  static std::optional<InnermostLoop> of(const NestBody& body, bool quiet);

  ir::ValueId counter() const { return counter_->phi; }
  ir::ValueId first() const { return counter_->init; }
  // Literals and names; as 64-bit numbers.
  std::string limit() const { return limit_; }
  // Turns from where the counter stands; there is at least one.
  std::string turns_left() const;
  // The counter goes on by that many turns, a 64-bit expression.
  std::string advanced(const std::string& turns) const;

  // Whether the value may change from turn to turn.
  bool contains(ir::ValueId value) const;
  bool is_in_head(ir::ValueId value) const;
  // Whether first and limit are there before the nest is entered.
  bool is_same_each_time() const;

 private:
  explicit InnermostLoop(const NestBody& body) : b_(&body) {}
  const ir::Loop& loop() const { return *b_->nest().levels.back(); }
  bool find(bool quiet);
  bool counts(const ir::LoopPhi& phi) const;
  bool find_limit(ir::ValueId condition, bool quiet);
  bool find_power_of_two(const ir::Op& condition);
  // What follows from the late registers' being 0.
  std::optional<llvm::APInt> when_quiet(ir::ValueId value) const;

  const NestBody* b_;
  const ir::LoopPhi* counter_ = nullptr;
  std::string limit_;
  ir::ValueId limit_value_ = ir::kNoValue;  // none: a literal
};

// Whether anything in the nest makes the value.
bool is_in_nest(const NestBody& body, ir::ValueId value);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_
