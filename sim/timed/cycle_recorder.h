// SPDX-License-Identifier: Apache-2.0
//
// Makes a RunTrace of what a simulator sees cycle after cycle. Beats of DRAM are DramModel's to
// count.
#ifndef VTA_SIM_TIMED_CYCLE_RECORDER_H_
#define VTA_SIM_TIMED_CYCLE_RECORDER_H_

#include <array>

#include "sim/timed/run_trace.h"

namespace vta::sim {

// Of one cycle: bits, by TokenQueue.
struct TokenMoves {
  uint32_t pushes = 0, pops = 0;
};

class CycleRecorder {
 public:
  explicit CycleRecorder(RunTrace& trace) : trace_(trace) { open_.fill(kNumWaits); }

  // The next cycle, as it has settled.
  void cycle(const CoreWaits& waits, const ProcessStatuses& statuses, TokenMoves tokens);
  // There is no more; those from `cycles` on do not count.
  void end(uint64_t cycles);

 private:
  void change_wait(Process process, Wait wait);
  void change_work(Process process, const core::StageStatus& status);
  void move(TokenMoves tokens);

  RunTrace& trace_;
  uint64_t now_ = 0;
  CoreWaits waits_;
  std::array<Wait, kNumProcesses> open_;       // what each process waits for since its last entry
  std::array<bool, kNumProcesses> is_busy_{};  // it has an instruction since its last entry
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_CYCLE_RECORDER_H_
