// SPDX-License-Identifier: Apache-2.0
//
// CycleRecorder: makes a RunTrace from per-cycle samples of a core. DRAM beats are counted by
// DramModel.
#ifndef VTA_SIM_TIMED_CYCLE_RECORDER_H_
#define VTA_SIM_TIMED_CYCLE_RECORDER_H_

#include <array>

#include "sim/timed/run_trace.h"

namespace vta::sim {

// The tokens moved in one cycle: bits, by TokenQueue.
struct TokenMoves {
  uint32_t pushes = 0, pops = 0;
};

class CycleRecorder {
 public:
  explicit CycleRecorder(RunTrace& trace) : trace_(trace) { open_.fill(kNumWaits); }

  // Records the next cycle, after all signals have settled.
  void cycle(const CoreWaits& waits, const ProcessStatuses& statuses, TokenMoves tokens);
  // Ends the record; cycles from `cycles` on are dropped.
  void end(uint64_t cycles);

 private:
  void change_wait(Process process, Wait wait);
  void change_work(Process process, const core::StageStatus& status);
  void move(TokenMoves tokens);

  RunTrace& trace_;
  uint64_t now_ = 0;
  CoreWaits waits_;
  std::array<Wait, kNumProcesses> open_;       // what each process currently waits for
  std::array<bool, kNumProcesses> is_busy_{};  // whether each process currently has an instruction
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_CYCLE_RECORDER_H_
