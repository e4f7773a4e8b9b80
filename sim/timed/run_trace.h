// SPDX-License-Identifier: Apache-2.0
//
// What happened in one run, cycle by cycle, as every device that counts cycles records it when it
// is asked to. The same run has the same record on all of them. Cycles are numbered from the run's
// first one.
#ifndef VTA_SIM_TIMED_RUN_TRACE_H_
#define VTA_SIM_TIMED_RUN_TRACE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "configs/memory_config.h"
#include "sim/memory/beat_counts.h"
#include "sim/timed/core_waits.h"

namespace vta::sim {

struct RunTrace {
  // An instruction, or a carrier (hw/core/fetch.h), in a process: from the cycle in which it is
  // taken from its queue to the one behind its last.
  struct Work {
    uint64_t begin, end;
    uint32_t index;
    bool operator==(const Work&) const = default;
  };
  // In the cycles [begin, end) the process stood still.
  struct Standstill {
    uint64_t begin, end;
    Wait wait;
    bool operator==(const Standstill&) const = default;
  };
  struct ProcessTrace {
    std::vector<Work> work;  // empty for processes that have no status
    std::vector<Standstill> waits;
    bool operator==(const ProcessTrace&) const = default;
  };
  struct TokenTrace {
    std::vector<uint64_t> pushes, pops;  // their cycles
    bool operator==(const TokenTrace&) const = default;
  };

  uint64_t cycles = 0;
  std::array<ProcessTrace, kNumProcesses> processes;
  std::array<TokenTrace, kNumTokenQueues> tokens;
  std::array<BeatCounts, kNumMemoryMasters> beats;
  bool operator==(const RunTrace&) const = default;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_RUN_TRACE_H_
