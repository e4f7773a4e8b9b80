// SPDX-License-Identifier: Apache-2.0
#include "tests/recorded_runs/network_run.h"

#include "runtime/host/host_operators.h"
#include "sim/functional/functional_device.h"
#include "tests/support/sample_images.h"

namespace vta::test {

NetworkRun run_network(const std::string& name, const std::string& core, lower::Mode mode,
                       std::optional<quantize::Method> method) {
  return run_network(name, *sim::open_functional_device("functional", load_core_config(core)), mode,
                     method);
}

NetworkRun run_network(const std::string& name, driver::Device& device, lower::Mode mode,
                       std::optional<quantize::Method> method,
                       std::optional<Place> first_convolution) {
  const import::Network network = import::load_network(name);
  CompileOptions options;
  options.core = device.describe().core;
  options.mode = mode;
  options.quantize.method = method;
  options.first_convolution = first_convolution;
  NetworkRun run;
  run.compiled = compile(network, options);
  const Program& program = run.compiled.program;
  run.inputs = {sample_images(network, program.values[program.inputs.at(0).value].type)};
  Session session(program, device, host::execute);
  session.on_value = [&](const ProgramValue& value, const Tensor& tensor) {
    run.values[value.name] = tensor;
  };
  session.run(run.inputs, &run.report);
  return run;
}

}  // namespace vta::test
