// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_TOOL_STOPWATCH_H_
#define VTA_SIM_TOOL_STOPWATCH_H_

#include <chrono>

namespace vta::sim {

// Wall-clock time since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Seconds since the process started (since its static variables were set up, to be exact).
double process_seconds();

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_STOPWATCH_H_
