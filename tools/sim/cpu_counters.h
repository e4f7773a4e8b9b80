// SPDX-License-Identifier: Apache-2.0
//
// CpuCounters: hardware counters of the calling thread, through PAPI.
#ifndef VTA_TOOLS_SIM_CPU_COUNTERS_H_
#define VTA_TOOLS_SIM_CPU_COUNTERS_H_

#include <string>
#include <vector>

namespace vta::sim {

class CpuCounters {
 public:
  // Starts the counters that this machine has, if any.
  CpuCounters();
  ~CpuCounters();
  CpuCounters(const CpuCounters&) = delete;
  CpuCounters& operator=(const CpuCounters&) = delete;

  // Those that count: "cycles", "instructions", "cache_misses", "stalled_cycles_frontend",
  // "stalled_cycles_backend".
  const std::vector<std::string>& names() const { return names_; }
  // Why some or all do not count, in one line; "" if all do.
  const std::string& missing() const { return missing_; }

  // The counts so far, by names().
  std::vector<double> read() const;

 private:
  std::vector<std::string> names_;
  std::string missing_;
  int event_set_ = -1;
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_CPU_COUNTERS_H_
