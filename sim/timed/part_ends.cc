// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/part_ends.h"

#include <algorithm>

namespace vta::sim {
namespace {

// The states of a stage's two processes over time.
class StageCounter {
 public:
  StageCounter(const RunTrace& trace, const StageProcesses& processes)
      : waits_{trace.processes[processes.first].waits, trace.processes[processes.mover].waits} {}

  // Counts the cycles from the end of the last call to `end`.
  void count_until(uint64_t end, std::array<uint64_t, hw::kNumStageStates>& states) {
    while (now_ < end) {
      hw::StageState state[2];
      uint64_t next = end;
      for (size_t k = 0; k < 2; ++k) state[k] = state_now(k, next);
      states[stage_state(state[0], state[1])] += next - now_;
      now_ = next;
    }
  }

 private:
  // The state of a process; `next`: reduced to the cycle in which it changes.
  hw::StageState state_now(size_t k, uint64_t& next) {
    while (at_[k] < waits_[k].size() && waits_[k][at_[k]].end <= now_) ++at_[k];
    if (at_[k] == waits_[k].size()) return hw::kStageState_busy;
    const RunTrace::WaitSpan& wait = waits_[k][at_[k]];
    const bool waits = wait.begin <= now_;
    next = std::min(next, waits ? wait.end : wait.begin);
    return waits ? CoreWaits::state_of(wait.wait) : hw::kStageState_busy;
  }

  const std::span<const RunTrace::WaitSpan> waits_[2];
  size_t at_[2] = {0, 0};
  uint64_t now_ = 0;
};

// The cycle in which the stages have ended the last instruction before `end`. `next`: by stage, the
// work to look at; parts are asked for in ascending order.
uint64_t end_of(const RunTrace& trace, uint32_t end, std::array<size_t, hw::kNumCycleStages>& next,
                uint64_t cycle) {
  for (const StageProcesses& of : kStageProcesses) {
    const std::vector<RunTrace::Work>& work = trace.processes[of.mover].work;
    for (size_t& i = next[of.stage]; i < work.size() && work[i].index < end; ++i)
      cycle = std::max(cycle, work[i].end);
  }
  return cycle;
}

}  // namespace

std::vector<driver::PartEnd> part_ends(const RunTrace& trace,
                                       std::span<const driver::RunPart> parts) {
  std::vector<StageCounter> counters;
  for (const StageProcesses& of : kStageProcesses) counters.emplace_back(trace, of);
  std::vector<driver::PartEnd> ends;
  std::array<size_t, hw::kNumCycleStages> next{};
  driver::PartEnd at{0, hw::StageCycles{}};
  for (const driver::RunPart& part : parts) {
    at.cycles = std::min(end_of(trace, part.end, next, at.cycles), trace.cycles);
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i].count_until(at.cycles, at.stages->of[kStageProcesses[i].stage]);
    ends.push_back(at);
  }
  return ends;
}

}  // namespace vta::sim
