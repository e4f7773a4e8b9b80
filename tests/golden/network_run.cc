// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/network_run.h"

#include "compiler/calibration.h"
#include "runtime/host/host_operators.h"
#include "sim/functional/functional_device.h"

namespace vta::test {
namespace {

// The network's sample, darker from image to image.
Tensor input_of(const import::Network& network, const TensorType& type) {
  const Tensor sample = own_calibration(network).images.at(0);
  Tensor input(type);
  const auto from = sample.data<float>();
  const auto to = input.mutable_data<float>();
  for (size_t i = 0; i < to.size(); ++i) {
    const auto image = static_cast<float>(i / from.size());
    to[i] = from[i % from.size()] * (1.0F - 0.125F * image);
  }
  return input;
}

}  // namespace

NetworkRun run_network(const std::string& name, const std::string& core, const std::string& mode) {
  return run_network(name, *sim::open_functional_device("functional", load_core_config(core)),
                     mode);
}

NetworkRun run_network(const std::string& name, driver::Device& device, const std::string& mode) {
  const import::Network network = import::load_network(name);
  CompileOptions options;
  options.core = device.describe().core;
  options.mode = mode;
  NetworkRun run;
  run.compiled = compile(network, options);
  const Program& program = run.compiled.program;
  run.inputs = {input_of(network, program.values[program.inputs.at(0).value].type)};
  Session session(program, device, host::execute);
  session.on_value = [&](const ProgramValue& value, const Tensor& tensor) {
    run.values[value.name] = tensor;
  };
  session.run(run.inputs, &run.report);
  return run;
}

}  // namespace vta::test
