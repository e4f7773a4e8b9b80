// SPDX-License-Identifier: Apache-2.0
//
// The self-test of a core: patterns through each memory port, random programs and a network against
// the functional simulator, the interrupt, and a sweep of the clock. It names what fails.
#ifndef VTA_TOOLS_FLASH_SELFTEST_SELFTEST_H_
#define VTA_TOOLS_FLASH_SELFTEST_SELFTEST_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "driver/device.h"
#include "tools/flash/selftest/network_check.h"

namespace vta::selftest {

struct SelfTestOptions {
  // Opens the device under test. Its error is the self-test's first finding.
  std::function<std::unique_ptr<driver::Device>()> open;
  CoreConfig core;
  uint64_t seed = 1;
  uint32_t random_programs = 100;
  std::optional<TestNetwork> network;  // of `core`

  // Functions of a board; empty where the device has none.
  std::function<uint64_t()> interrupts;  // how many there have been
  std::function<double()> fclk0_hz;      // according to the processing system
  // Sets the fastest clock that is not above; returns the clock that it became.
  std::function<double(uint32_t)> set_fclk0;
  uint32_t built_hz = 0;  // the clock in the core's register
};

struct SelfTestLine {
  std::string name;
  bool is_good = true;
  std::string text;
};

struct SelfTestReport {
  std::vector<SelfTestLine> lines;
  bool is_good() const;
};

SelfTestReport run_selftest(const SelfTestOptions& options);

// For a terminal or an issue: a line for each test, and the verdict.
std::string to_text(const SelfTestReport& report);

}  // namespace vta::selftest

#endif  // VTA_TOOLS_FLASH_SELFTEST_SELFTEST_H_
