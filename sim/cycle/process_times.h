// SPDX-License-Identifier: Apache-2.0
//
// Converts the waits of a cycle model's processes to the results of a device: cycles and stage
// states, counted as by the clock of sim/timed.
#ifndef VTA_SIM_CYCLE_PROCESS_TIMES_H_
#define VTA_SIM_CYCLE_PROCESS_TIMES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "hw/registers/stage_cycles.h"
#include "sim/process_network/process.h"
#include "sim/timed/core_waits.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class ProcessTimes {
 public:
  // `objects`: their names by the object numbers of waits. `network`: after its run; `last_cycle`:
  // the last cycle with memory activity.
  ProcessTimes(const process_network::ProcessNetwork& network, std::span<const char* const> objects,
               process_network::Cycle last_cycle);

  // The cycles until the core is quiet.
  uint64_t cycles() const { return cycles_; }
  hw::StageCycles stages() const;
  // Fills in the waits of all processes.
  void record(RunTrace& trace) const;
  // The waits of the processes at the end.
  const CoreWaits& waits() const { return waits_; }

 private:
  struct Interval {
    process_network::Cycle from, to;
    Wait wait;
    hw::StageState state;
  };
  void add(Process process, const process_network::Process& of,
           std::span<const char* const> objects);
  using StateCycles = std::array<uint64_t, hw::kNumStageStates>;
  void count(const StageProcesses& processes, StateCycles& states) const;

  std::array<std::vector<Interval>, kNumProcesses> intervals_;
  uint64_t cycles_ = 0;
  CoreWaits waits_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_PROCESS_TIMES_H_
