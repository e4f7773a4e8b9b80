// SPDX-License-Identifier: Apache-2.0
//
// RunClock: counts the cycles of one run and the cycles of each stage by state, and detects the end
// of the run.
#ifndef VTA_SIM_TIMED_RUN_CLOCK_H_
#define VTA_SIM_TIMED_RUN_CLOCK_H_

#include <cstdint>

#include "base/limits/deadline.h"
#include "hw/registers/stage_cycles.h"
#include "sim/timed/core_waits.h"

namespace vta::sim {

class RunClock {
 public:
  // A run has ended when nothing has moved for this many cycles: more than the longest invisible
  // activity, an item's latency through a FIFO. These cycles are not part of the run's cycles.
  static constexpr uint64_t kQuietCycles = 16;

  explicit RunClock(const Deadline& deadline) : deadline_(deadline) {}

  // Counts one cycle. `moves_outside`: memory has work or requests. Returns whether the run goes
  // on.
  bool count(const CoreWaits& waits, bool moves_outside) {
    if (moves_outside || !waits.is_quiet()) {
      quiet_cycles_ = 0;
    } else if (++quiet_cycles_ == 1) {
      stages_until_quiet_ = stages_;
    }
    count_states(waits);
    ++cycles_;
    if (quiet_cycles_ == kQuietCycles) return false;
    return cycles_ % kCyclesPerDeadlineCheck != 1 || !is_too_late();
  }

  // The run was aborted because its deadline passed.
  bool timed_out() const { return timed_out_; }
  // Without the quiet cycles at the end.
  uint64_t cycles() const { return cycles_ - quiet_cycles_; }
  const hw::StageCycles& stages() const { return stages_until_quiet_; }

 private:
  static constexpr uint64_t kCyclesPerDeadlineCheck = 1 << 14;

  void count_states(const CoreWaits& waits) {
    for (const StageProcesses& of : kStageProcesses)
      ++stages_.of[of.stage][stage_state(waits.state(of.first), waits.state(of.mover))];
  }

  bool is_too_late() { return timed_out_ = deadline_.has_passed(); }

  const Deadline deadline_;
  uint64_t cycles_ = 0, quiet_cycles_ = 0;
  bool timed_out_ = false;
  hw::StageCycles stages_, stages_until_quiet_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_RUN_CLOCK_H_
