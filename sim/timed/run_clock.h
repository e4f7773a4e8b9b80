// SPDX-License-Identifier: Apache-2.0
//
// The clock of one run: counts its cycles and in which state each stage spends them, and finds its
// end.
#ifndef VTA_SIM_TIMED_RUN_CLOCK_H_
#define VTA_SIM_TIMED_RUN_CLOCK_H_

#include <chrono>
#include <cstdint>

#include "hw/registers/stage_cycles.h"
#include "sim/timed/core_waits.h"

namespace vta::sim {

class RunClock {
 public:
  // A run has ended when nothing has moved for so many cycles: longer than anything can take that
  // shows nowhere, an item's way through a FIFO. They are not among the run's cycles.
  static constexpr uint64_t kQuietCycles = 16;

  explicit RunClock(std::chrono::steady_clock::time_point deadline) : deadline_(deadline) {}

  // The cycle that is over. `moves_outside`: memory has something to do, or is asked for it.
  // Returns whether there is another one.
  bool count(const CoreWaits& waits, bool moves_outside) {
    if (moves_outside || !waits.is_quiet()) {
      quiet_cycles_ = 0;
    } else if (++quiet_cycles_ == 1) {
      stages_until_quiet_ = stages_;
    }
    count_states(waits);
    ++cycles_;
    if (quiet_cycles_ == kQuietCycles) return false;
    return cycles_ % kCyclesBetweenLooks != 1 || !is_too_late();
  }

  // The run is given up: its deadline has passed.
  bool timed_out() const { return timed_out_; }
  // Without the quiet ones at the end.
  uint64_t cycles() const { return cycles_ - quiet_cycles_; }
  const driver::StageCycles& stages() const { return stages_until_quiet_; }

 private:
  static constexpr uint64_t kCyclesBetweenLooks = 1 << 14;

  void count_states(const CoreWaits& waits) {
    for (const StageProcesses& of : kStageProcesses)
      ++stages_.of[of.stage][stage_state(waits.state(of.first), waits.state(of.mover))];
  }

  bool is_too_late() { return timed_out_ = std::chrono::steady_clock::now() > deadline_; }

  const std::chrono::steady_clock::time_point deadline_;
  uint64_t cycles_ = 0, quiet_cycles_ = 0;
  bool timed_out_ = false;
  driver::StageCycles stages_, stages_until_quiet_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_RUN_CLOCK_H_
