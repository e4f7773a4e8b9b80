// SPDX-License-Identifier: Apache-2.0
//
// Images per second of ResNet-18 on `rpc://` to a local server, with one and with two inferences in
// flight. The server's device waits as long as makes the host's share of an inference 30 %; its
// results are not computed.
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/host/host_operators.h"
#include "runtime/rpc/rpc_device.h"
#include "runtime/session/pipeline.h"
#include "tests/support/served.h"

namespace vta {
namespace {

constexpr double kHostShare = 0.3;
constexpr int kImages = 20;

// The memory of a device, and runs that take a time.
class WaitingDevice : public driver::Device {
 public:
  WaitingDevice(CoreConfig core, const double& run_seconds)
      : core_(std::move(core)), run_seconds_(run_seconds) {}

  driver::DeviceDescription describe() const override { return {"waiting", core_, false}; }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    memory_.resize(memory_.size() + size_bytes);
    return {memory_.size() - size_bytes};
  }
  void free(driver::DeviceAddress) override {}
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    std::ranges::copy(src, memory_.begin() + static_cast<std::ptrdiff_t>(dst.bytes));
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(src.bytes), dst.size(), dst.begin());
  }
  hw::Counters run(const driver::RunRequest&) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(run_seconds_));
    return {};
  }

 private:
  const CoreConfig core_;
  const double& run_seconds_;
  std::vector<uint8_t> memory_;
};

// With its first convolution on the host.
Program resnet18() {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  options.first_convolution = "host";
  return compile(import::load_network("resnet18.json"), options).program;
}

double images_per_second(Pipeline& pipeline, const Tensor& image, double* host_seconds) {
  int left = kImages;
  *host_seconds = 0;
  const auto start = std::chrono::steady_clock::now();
  pipeline.run(
      [&]() -> std::optional<std::vector<Tensor>> {
        if (left-- == 0) return std::nullopt;
        return std::vector{image};
      },
      [&](const Pipeline::Inference& inference) {
        *host_seconds += inference.report.host_seconds / kImages;
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return kImages / seconds.count();
}

void ResNet18InFlight(benchmark::State& state) {
  const Program program = resnet18();
  double run_seconds = 0;
  rpc::ServerOptions options;
  options.open_device = [&] { return std::make_unique<WaitingDevice>(program.core, run_seconds); };
  const support::Served served(std::move(options));
  const auto device = rpc::open_rpc_device(served.uri(), {});
  const Tensor image(program.values[static_cast<size_t>(program.inputs[0].value)].type);
  Pipeline one(program, *device, host::execute, 1), two(program, *device, host::execute, 2);
  double host_seconds = 0;
  images_per_second(one, image, &host_seconds);  // warms up
  images_per_second(one, image, &host_seconds);
  run_seconds = host_seconds * (1 - kHostShare) / kHostShare;
  double single = 0, overlapped = 0;
  for (auto _ : state) {
    single = images_per_second(one, image, &host_seconds);
    state.counters["host_share"] = host_seconds * single;
    overlapped = images_per_second(two, image, &host_seconds);
  }
  state.counters["images/s_1"] = single;
  state.counters["images/s_2"] = overlapped;
  state.counters["ratio"] = overlapped / single;
}
BENCHMARK(ResNet18InFlight)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace vta

BENCHMARK_MAIN();
