// SPDX-License-Identifier: Apache-2.0
//
// What-if runs: the same program with another memory or clock, on the cycle model. bounds.h has
// changes of the core.
#ifndef VTA_SIM_ANALYSIS_REPORT_WHAT_IF_H_
#define VTA_SIM_ANALYSIS_REPORT_WHAT_IF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/memory_config.h"

namespace vta::sim {

struct WhatIf {
  std::string change;   // "operands have a DRAM port of their own"
  MemoryConfig memory;  // with the change
  // The core's clock as a multiple of the present one. The memory of a faster core takes more
  // cycles for the same time.
  uint32_t clock = 1;
  bool is_bound = false;               // the most that the change can save: not a run
  uint64_t cycles = 0;                 // of an inference, of that clock
  std::vector<uint64_t> layer_cycles;  // by step of the program

  // Times in cycles of the present clock.
  double time() const { return static_cast<double>(cycles) / clock; }
  double time_of(size_t step) const { return static_cast<double>(layer_cycles.at(step)) / clock; }
};

// The change of a memory without limits, which shows the most that any memory could save.
inline constexpr const char* kFreeDram =
    "DRAM is free: a port for each master, one cycle of latency";

// The changes that apply to `memory`, without cycles: those that would change nothing are left out.
std::vector<WhatIf> possible_changes(const MemoryConfig& memory);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_WHAT_IF_H_
