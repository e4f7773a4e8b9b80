// SPDX-License-Identifier: Apache-2.0
//
// Compiles a shipped network and runs it once on a device.
#ifndef VTA_TESTS_RECORDED_RUNS_NETWORK_RUN_H_
#define VTA_TESTS_RECORDED_RUNS_NETWORK_RUN_H_

#include <map>
#include <optional>
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
// `method`: as in QuantizeOptions.
NetworkRun run_network(const std::string& network, const std::string& core, lower::Mode mode,
                       std::optional<quantize::Method> method = std::nullopt);

// The same on `device`, for its core. `first_convolution`: as in CompileOptions.
NetworkRun run_network(const std::string& network, driver::Device& device, lower::Mode mode,
                       std::optional<quantize::Method> method = std::nullopt,
                       std::optional<Place> first_convolution = std::nullopt);

}  // namespace vta::test

#endif  // VTA_TESTS_RECORDED_RUNS_NETWORK_RUN_H_
