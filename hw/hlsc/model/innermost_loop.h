// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_
#define VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_

#include <optional>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// A nest's pipelined loop that counts by one up to a limit: its trip count is known on entry.
class InnermostLoop {
 public:
  // None if timing depends on other phis than the counter, or if the loop has another condition.
  // With `on_fast_path`: assuming that the late registers that the nest writes are 0.
  static std::optional<InnermostLoop> of(const NestBody& body, bool on_fast_path);

  ir::ValueId counter() const { return counter_->phi; }
  ir::ValueId first() const { return counter_->init; }
  // A C++ expression of 64 bits.
  std::string limit() const { return limit_; }
  // Remaining iterations, from the current counter on; at least one.
  std::string iterations_left() const;
  // A statement that advances the counter by `turns` iterations, a 64-bit expression.
  std::string advanced(const std::string& turns) const;

  // Whether the value may change from iteration to iteration.
  bool contains(ir::ValueId value) const;
  bool is_in_head(ir::ValueId value) const;
  // Whether first and limit are known before the nest is entered.
  bool has_invariant_bounds() const;

 private:
  explicit InnermostLoop(const NestBody& body) : b_(&body) {}
  const ir::Loop& loop() const { return *b_->nest().levels.back(); }
  bool find(bool on_fast_path);
  bool counts(const ir::LoopPhi& phi) const;
  bool find_limit(ir::ValueId condition, bool on_fast_path);
  bool find_power_of_two(const ir::Op& condition);
  // The value that late registers of 0 imply.
  std::optional<llvm::APInt> value_on_fast_path(ir::ValueId value) const;

  const NestBody* b_;
  const ir::LoopPhi* counter_ = nullptr;
  std::string limit_;
  std::optional<ir::ValueId> limit_value_;  // none: a literal
};

// Whether the nest computes the value.
bool is_in_nest(const NestBody& body, ir::ValueId value);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_INNERMOST_LOOP_H_
