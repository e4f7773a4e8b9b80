// SPDX-License-Identifier: Apache-2.0
//
// From when each process of a cycle model stood still to what a device says of a run: its cycles
// and the states of its stages, as sim/timed's clock counts them.
#ifndef VTA_SIM_CYCLE_PROCESS_TIMES_H_
#define VTA_SIM_CYCLE_PROCESS_TIMES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "hw/registers/stage_cycles.h"
#include "sim/network/process.h"
#include "sim/timed/core_waits.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class ProcessTimes {
 public:
  // `objects`: their names by the numbers that waits have. The network has run; `last_cycle`: the
  // last one in which memory moved.
  ProcessTimes(const network::Network& network, std::span<const char* const> objects,
               network::Cycle last_cycle);

  // Until nothing moves any more.
  uint64_t cycles() const { return cycles_; }
  driver::StageCycles stages() const;
  // Fills in the waits of all processes.
  void record(RunTrace& trace) const;
  // What the processes wait for at the end.
  const CoreWaits& waits() const { return waits_; }

 private:
  struct Interval {
    network::Cycle from, to;
    Wait wait;
    driver::StageState state;
  };
  void add(Process process, const network::Process& of, std::span<const char* const> objects);
  using StateCycles = std::array<uint64_t, driver::kNumStageStates>;
  void count(const StageProcesses& processes, StateCycles& states) const;

  std::array<std::vector<Interval>, kNumProcesses> intervals_;
  uint64_t cycles_ = 0;
  CoreWaits waits_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_PROCESS_TIMES_H_
