// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_COUNTED_LOOP_H_
#define VTA_HW_HLSC_MODEL_COUNTED_LOOP_H_

#include <optional>
#include <string>
#include <vector>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// A loop of a nest that counts by one up to a limit: its trip count is known on entry.
class CountedLoop {
 public:
  // The pipelined loop. None if timing depends on other phis than the counter, or if the loop has
  // another condition. With `on_fast_path`: assuming that the late registers that the nest writes
  // are 0.
  static std::optional<CountedLoop> innermost(const NestBody& body, bool on_fast_path);
  // The loop around it, on the fast path. Its limit is known before the nest is entered, and its
  // other phis are steps().
  static std::optional<CountedLoop> around(const NestBody& body);

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
  // Phis that each iteration adds a value to that is known before the nest is entered.
  struct Step {
    ir::ValueId phi, summand;
  };
  const std::vector<Step>& steps() const { return steps_; }

 private:
  CountedLoop(const NestBody& body, const ir::Loop& loop) : b_(&body), loop_(&loop) {}
  const ir::Loop& loop() const { return *loop_; }
  bool find(bool on_fast_path);
  bool find_steps();
  std::optional<ir::ValueId> summand(const ir::LoopPhi& phi) const;
  bool counts(const ir::LoopPhi& phi) const;
  bool find_limit(ir::ValueId condition, bool on_fast_path);
  bool find_power_of_two(const ir::Op& condition);
  // The value that late registers of 0 imply.
  std::optional<llvm::APInt> value_on_fast_path(ir::ValueId value) const;

  const NestBody* b_;
  const ir::Loop* loop_;
  std::vector<Step> steps_;
  const ir::LoopPhi* counter_ = nullptr;
  std::string limit_;
  std::optional<ir::ValueId> limit_value_;  // none: a literal
};

// Whether the nest computes the value.
bool is_in_nest(const NestBody& body, ir::ValueId value);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_COUNTED_LOOP_H_
