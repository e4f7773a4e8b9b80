// SPDX-License-Identifier: Apache-2.0
//
// RunTrace: the record of one run, cycle by cycle. Every device that counts cycles can record it,
// and the same run has the same record on all of them. Cycles count from the start of the run.
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
  // An instruction or carrier (hw/core/fetch.h) in a process, in the cycles [begin, end): from the
  // cycle in which it is read from its queue.
  struct Work {
    uint64_t begin, end;
    uint32_t index;
    bool operator==(const Work&) const = default;
  };
  // The process waited in the cycles [begin, end).
  struct WaitSpan {
    uint64_t begin, end;
    Wait wait;
    bool operator==(const WaitSpan&) const = default;
  };
  struct ProcessTrace {
    std::vector<Work> work;  // empty for processes without a status
    std::vector<WaitSpan> waits;
    bool operator==(const ProcessTrace&) const = default;
  };
  struct TokenTrace {
    std::vector<uint64_t> pushes, pops;  // cycles
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
