// SPDX-License-Identifier: Apache-2.0
//
// TokenOrder: which instructions are guaranteed to be complete when another one starts. The order
// by tokens does not depend on timing: the k-th pop of a queue gets the k-th push. So each
// instruction has a vector clock: the number of complete instructions per stage.
#ifndef VTA_SIM_FUNCTIONAL_TOKEN_ORDER_H_
#define VTA_SIM_FUNCTIONAL_TOKEN_ORDER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::sim {

class TokenOrder {
 public:
  // Called every kCheckInterval instructions; throws after a timeout.
  using CheckTime = std::function<void()>;
  static constexpr uint32_t kCheckInterval = 4096;

  // `program`: the instructions in order, up to the first FINISH. Needs less than 64 bytes per
  // instruction during construction. Errors: any error of `check_time`.
  TokenOrder(std::span<const isa::InstructionBits> program, const CoreConfig& config,
             const CheckTime& check_time);

  isa::Stage stage_of(uint32_t index) const { return entries_[index].stage; }
  // True if `earlier` is complete before `later` starts, with any timing.
  bool is_ordered(uint32_t earlier, uint32_t later) const;

 private:
  static constexpr size_t kStages = 4;
  using Clock = std::array<uint32_t, kStages>;

  struct Entry {
    Clock known{};          // per stage, the last instruction complete before this one starts
    uint32_t sequence = 0;  // counts the stage's instructions from 1
    isa::Stage stage = isa::Stage::kLoad;
    bool split = false, pop_prev = false, pop_next = false, push_prev = false, push_next = false;

    bool is_compute() const { return stage == isa::Stage::kGemm || stage == isa::Stage::kAlu; }
    bool is_plain_compute() const { return is_compute() && !split; }
  };
  struct Run;

  void line_up(Run& run) const;
  bool may_start(const Run& run, uint32_t index) const;
  bool start(Run& run, uint32_t index);
  void compute_clocks(const CheckTime& check_time);

  std::vector<Entry> entries_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_TOKEN_ORDER_H_
