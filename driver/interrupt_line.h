// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_INTERRUPT_LINE_H_
#define VTA_DRIVER_INTERRUPT_LINE_H_

#include <chrono>

namespace vta::driver {

// The interrupt that a core raises at the end of a run.
class InterruptLine {
 public:
  virtual ~InterruptLine() = default;

  // Called before each run, so that the next wait() is for this run.
  virtual void arm() = 0;

  // Waits for the interrupt, at most for `longest`; may return early.
  virtual void wait(std::chrono::milliseconds longest) = 0;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_INTERRUPT_LINE_H_
