// SPDX-License-Identifier: Apache-2.0
//
// Images per second of ResNet-18 on `rpc://` to a local server, with one and with two inferences in
// flight. The server's device waits as long as makes the host's share of an inference 30 %; its
// results are not computed. `bound` is the ratio if the work of host and device overlaps wholly.
//
// On a busy machine each hand-over waits for the scheduler, milliseconds of a turn of twenty. With
// `chrt --fifo 10` before the command the figures are those of an idle one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/numbers/statistics.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/host/host_operators.h"
#include "runtime/rpc/rpc_device.h"
#include "runtime/session/pipeline.h"
#include "tests/support/served.h"

namespace vta {
namespace {

constexpr double kHostShare = 0.3;
constexpr int kImages = 60;

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
  options.first_convolution = Place::kHost;
  return compile(import::load_network("resnet18.json"), options).program;
}

// Seconds of an image. Medians: what else the machine does delays some images, not most.
struct Pace {
  double seconds = 0;  // from one result to the next but one, halved
  double host_seconds = 0;
};

Pace pace_of(Pipeline& pipeline, const Tensor& image) {
  using Clock = std::chrono::steady_clock;
  int left = kImages;
  std::vector<Clock::time_point> ends;
  std::vector<double> pairs, host;
  pipeline.run(
      [&]() -> std::optional<std::vector<Tensor>> {
        if (left-- == 0) return std::nullopt;
        return std::vector{image};
      },
      [&](const Pipeline::Inference& inference) {
        ends.push_back(Clock::now());
        host.push_back(inference.report.host_seconds);
      });
  for (size_t i = 2; i < ends.size(); ++i)
    pairs.push_back(std::chrono::duration<double>(ends[i] - ends[i - 2]).count());
  return {median(pairs) / 2, median(host)};
}

void ResNet18InFlight(benchmark::State& state) {
  const Program program = resnet18();
  double run_seconds = 0;
  rpc::ServerOptions options;
  options.open_device = [&] { return std::make_unique<WaitingDevice>(program.core, run_seconds); };
  const support::Served served(std::move(options));
  const auto device = rpc::open_rpc_device(served.uri(), {});
  const Tensor image(program.value(program.inputs[0].value).type);
  Pipeline one(program, *device, host::execute, 1), two(program, *device, host::execute, 2);
  pace_of(one, image);  // warms up
  run_seconds = pace_of(one, image).host_seconds * (1 - kHostShare) / kHostShare;
  Pace single, overlapped;
  for (auto _ : state) {
    single = pace_of(one, image);
    overlapped = pace_of(two, image);
  }
  const double host_share = single.host_seconds / single.seconds;
  state.counters["host_share"] = host_share;
  state.counters["images/s_1"] = 1 / single.seconds;
  state.counters["images/s_2"] = 1 / overlapped.seconds;
  state.counters["ratio"] = single.seconds / overlapped.seconds;
  state.counters["bound"] = 1 / std::max(host_share, 1 - host_share);
}
BENCHMARK(ResNet18InFlight)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace vta

BENCHMARK_MAIN();
