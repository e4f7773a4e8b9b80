// SPDX-License-Identifier: Apache-2.0
//
// Simulated cycles per second: of the Verilated core while GEMM executes one micro-op per cycle,
// and of the devices that count cycles over a whole network. The functional device is in the same
// run for comparison.
#include <benchmark/benchmark.h>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "hw/isa/instruction.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"

namespace vta {
namespace {

constexpr uint32_t kUops = 64, kTurns = 16 * 196;

void report_rate(benchmark::State& state, uint64_t cycles) {
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

// Random micro-ops, repeated: all but a few hundred of the program's cycles are cycles of GEMM.
void SimCycles(benchmark::State& state, const std::string& core_name) {
  const CoreConfig config = load_core_config(core_name);
  const auto device = sim::open_rtl_device("rtl", config);
  const std::vector<isa::InstructionBits> program =
      isa::assemble(fmt::format("load.uop sram=0 dram=1024 size=[1,{0}] stride={0}\n"
                                "gemm uop=[0,{0}) iter=[16,196] dst=[1,2] src=[3,4] wgt=[5,1]\n"
                                "finish\n",
                                kUops),
                    "benchmark", config);
  std::vector<uint32_t> uops;
  for (uint32_t i = 0; i < kUops; ++i)
    uops.push_back(isa::encode(isa::Uop{i % 8, i * 7 % 64, i % 32}, config));
  const auto bytes_of = [](const auto& vector) {
    return std::span(reinterpret_cast<const uint8_t*>(vector.data()),
                     vector.size() * sizeof vector[0]);
  };
  const driver::DeviceAddress arena = device->allocate(16384);
  device->copy_in(arena, bytes_of(program));
  device->copy_in({arena.bytes + 4096}, bytes_of(uops));
  const driver::RunRequest request{arena, 16384, 0, static_cast<uint32_t>(program.size())};
  uint64_t cycles = 0;
  for (auto _ : state) cycles = device->run(request).cycles.value();
  report_rate(state, cycles);
  state.counters["cycles"] = static_cast<double>(cycles);
  state.counters["gemm_micro_ops"] = kUops * kTurns;
}
BENCHMARK_CAPTURE(SimCycles, vta_1x16_gemm, "vta_1x16")->Unit(benchmark::kMillisecond);

// The time inside the device only.
void SimNetwork(benchmark::State& state, const std::string& uri) {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  const Program program = compile(import::load_network("resnet18.json"), options).program;
  const auto device = driver::open(uri, options.core);
  Session session(program, *device, host::execute);
  std::vector<Tensor> inputs;
  for (const ProgramInput& input : program.inputs) {
    inputs.emplace_back(program.value(input.value).type);
  }
  uint64_t cycles = 0;
  for (auto _ : state) {
    InferenceReport report;
    session.run(inputs, &report);
    state.SetIterationTime(report.device_seconds);
    cycles = report.counters.cycles.value_or(0);
  }
  if (cycles == 0) return;
  report_rate(state, cycles);
  state.counters["cycles"] = static_cast<double>(cycles);
}
BENCHMARK_CAPTURE(SimNetwork, resnet18_functional, "functional")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(SimNetwork, resnet18_cycle, "cycle")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(SimNetwork, resnet18_timing, "timing")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK_CAPTURE(SimNetwork, resnet18_rtl, "rtl")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::sim::register_functional_device();
  vta::sim::register_cycle_device();
  vta::sim::register_rtl_device();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
