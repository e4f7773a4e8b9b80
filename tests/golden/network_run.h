// SPDX-License-Identifier: Apache-2.0
//
// Compiles a shipped network and runs it once on a device.
#ifndef VTA_TESTS_GOLDEN_NETWORK_RUN_H_
#define VTA_TESTS_GOLDEN_NETWORK_RUN_H_

#include <map>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/device.h"
#include "runtime/session/session.h"

namespace vta::test {

struct NetworkRun {
  CompileResult compiled;
  InferenceReport report;
  std::vector<Tensor> inputs;            // one batch of the core, all images different
  std::map<std::string, Tensor> values;  // every value that a step computed, by name
};

// `network`: name of an installed network, run on the functional device with core `core`.
// `quantize`: as in CompileOptions; "" is the network's default.
NetworkRun run_network(const std::string& network, const std::string& core, const std::string& mode,
                       const std::string& quantize = "");

// The same on `device`, for its core. `first_convolution`: as in CompileOptions.
NetworkRun run_network(const std::string& network, driver::Device& device, const std::string& mode,
                       const std::string& quantize = "", const std::string& first_convolution = "");

}  // namespace vta::test

#endif  // VTA_TESTS_GOLDEN_NETWORK_RUN_H_
