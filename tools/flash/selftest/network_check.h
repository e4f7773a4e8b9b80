// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_FLASH_SELFTEST_NETWORK_CHECK_H_
#define VTA_TOOLS_FLASH_SELFTEST_NETWORK_CHECK_H_

#include <optional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"
#include "runtime/session/session.h"

namespace vta::selftest {

// A compiled network and the inputs of its test.
struct TestNetwork {
  Program program;  // of the core under test
  std::vector<Tensor> inputs;
  HostExecutor host;
};

// Runs a network on the device under test: its outputs must equal those of the simulator, byte for
// byte.
class NetworkCheck {
 public:
  // Runs it once on `reference`. `network` outlives the check. Errors: any of Session.
  NetworkCheck(const TestNetwork& network, driver::Device& reference);

  // What is wrong; none if all outputs are equal.
  std::optional<std::string> find_fault(driver::Device& device) const;

  // The simulator's answer: "digits: class 7", or "digits" if the outputs are not classes.
  std::string answer() const;

 private:
  const TestNetwork& network_;
  std::vector<Tensor> expected_;
};

}  // namespace vta::selftest

#endif  // VTA_TOOLS_FLASH_SELFTEST_NETWORK_CHECK_H_
