// SPDX-License-Identifier: Apache-2.0
//
// Whole networks on the functional simulator: the time inside the device (the offloaded part) and
// the total time.
#include <benchmark/benchmark.h>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"

namespace vta {
namespace {

void Network(benchmark::State& state, const std::string& network, lower::Mode mode) {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  options.mode = mode;
  const Program program = compile(import::load_network(network), options).program;
  const auto device = sim::open_functional_device("functional", options.core);
  Session session(program, *device, host::execute);
  std::vector<Tensor> inputs;
  for (const ProgramInput& input : program.inputs) {
    inputs.emplace_back(program.value(input.value).type);
  }
  double device_seconds = 0;
  uint64_t micro_ops = 0;
  for (auto _ : state) {
    InferenceReport report;
    session.run(inputs, &report);
    device_seconds += report.device_seconds;
    micro_ops = report.counters.gemm_counter;
  }
  state.counters["device_s"] =
      benchmark::Counter(device_seconds, benchmark::Counter::kAvgIterations);
  state.counters["gemm_micro_ops"] = static_cast<double>(micro_ops);
}
BENCHMARK_CAPTURE(Network, resnet18_fused, "resnet18.json", lower::Mode::kFused)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, resnet18_compatible, "resnet18.json", lower::Mode::kCompatible)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vta

BENCHMARK_MAIN();
