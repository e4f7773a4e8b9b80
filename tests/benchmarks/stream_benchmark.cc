// SPDX-License-Identifier: Apache-2.0
//
// The streams of ResNet-18 on devices that count no cycles: the time inside the device only. Sets
// of streams: all of them, and those without a GEMM, which are the residual adds of mode
// `compatible`.
#include <benchmark/benchmark.h>

#include <functional>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"

namespace vta {
namespace {

// Keeps the requests of a device's runs.
class RecordingDevice : public driver::Device {
 public:
  explicit RecordingDevice(driver::Device& device) : device_(device) {}

  driver::DeviceDescription describe() const override { return device_.describe(); }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return device_.allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { device_.free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    device_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    device_.copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override {
    const hw::Counters counters = device_.run(request);
    runs.push_back({request, counters});
    runs.back().request.part_ends = nullptr;
    return counters;
  }

  struct Run {
    driver::RunRequest request;
    hw::Counters counters;
  };
  std::vector<Run> runs;

 private:
  driver::Device& device_;
};

enum class Streams { kAll, kWithoutGemm };

void ResNet18(benchmark::State& state, lower::Mode mode, const std::string& uri, Streams streams) {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  options.mode = mode;
  const Program program = compile(import::load_network("resnet18.json"), options).program;
  const auto device = driver::open(uri, options.core);
  RecordingDevice recording(*device);
  Session session(program, recording, host::execute);
  std::vector<Tensor> inputs;
  for (const ProgramInput& input : program.inputs)
    inputs.emplace_back(program.value(input.value).type);
  session.run(inputs);
  std::erase_if(recording.runs, [&](const RecordingDevice::Run& run) {
    return streams == Streams::kWithoutGemm && run.counters.gemm_counter != 0;
  });
  for (auto _ : state) {
    for (const RecordingDevice::Run& run : recording.runs)
      benchmark::DoNotOptimize(device->run(run.request));
  }
  uint64_t gemm = 0, alu = 0;
  for (const RecordingDevice::Run& run : recording.runs) {
    gemm += run.counters.gemm_counter;
    alu += run.counters.alu_counter;
  }
  state.counters["streams"] = static_cast<double>(recording.runs.size());
  state.counters["gemm"] = static_cast<double>(gemm);
  state.counters["alu"] = static_cast<double>(alu);
}

void add_benchmarks(const std::string& uri) {
  const auto add = [&](const std::string& name, lower::Mode mode, Streams streams) {
    benchmark::RegisterBenchmark((name + "/" + uri).c_str(), [=](benchmark::State& state) {
      ResNet18(state, mode, uri, streams);
    })->Unit(benchmark::kMillisecond);
  };
  add("compatible", lower::Mode::kCompatible, Streams::kAll);
  add("compatible_without_gemm", lower::Mode::kCompatible, Streams::kWithoutGemm);
  add("fused", lower::Mode::kFused, Streams::kAll);
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  vta::sim::register_functional_device();
  for (const auto& [scheme, kind] : vta::driver::registered_devices()) vta::add_benchmarks(scheme);
  benchmark::RunSpecifiedBenchmarks();
}
