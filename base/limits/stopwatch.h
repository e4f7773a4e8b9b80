// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_LIMITS_STOPWATCH_H_
#define VTA_BASE_LIMITS_STOPWATCH_H_

#include <chrono>

namespace vta {

// Wall-clock time since construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace vta

#endif  // VTA_BASE_LIMITS_STOPWATCH_H_
