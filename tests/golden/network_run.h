// SPDX-License-Identifier: Apache-2.0
//
// A shipped network, compiled and run once on a device.
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
  std::vector<Tensor> inputs;            // as many images as the core takes, all different
  std::map<std::string, Tensor> values;  // every value that a step made, by name
};

// `network`: name of an installed one; its own quantization. `core` of the functional device.
NetworkRun run_network(const std::string& network, const std::string& core,
                       const std::string& mode);

// The same on `device` and its core.
NetworkRun run_network(const std::string& network, driver::Device& device, const std::string& mode);

}  // namespace vta::test

#endif  // VTA_TESTS_GOLDEN_NETWORK_RUN_H_
