// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/workload.h"

#include <algorithm>
#include <chrono>

#include "base/errors/counted.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/quantize/run_graph.h"
#include "driver/evaluation.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/build_facts.h"
#include "tools/sim/commands.h"
#include "tools/sim/network_input.h"
#include "tools/sim/openmp_spins.h"
#include "tools/sim/profile_rows.h"
#include "tools/sim/run_report.h"

namespace vta::sim {
namespace {

std::vector<TensorType> types_of(const std::vector<Tensor>& tensors) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : tensors) types.push_back(tensor.type());
  return types;
}

class DeviceWorkload : public Workload {
 public:
  DeviceWorkload(LoadedProgram loaded, std::unique_ptr<driver::Device> device,
                 const DeviceOptions& options)
      : program_(std::move(loaded.program)), device_(std::move(device)), options_(options) {
    session_ = std::make_unique<Session>(program_, *device_, host::execute);
    for (const ProgramInput& input : program_.inputs)
      inputs_.push_back(read_input(kDefaultNoise, program_.value(input.value).type, std::nullopt));
  }

  std::string description() const override {
    return fmt::format("{} on {} ({})", program_.network, program_.core.name,
                       device_->describe().uri);
  }
  Configuration configuration() const override {
    Configuration all = {{"device", device_->describe().uri},
                         {"core", program_.core.name},
                         {"mode", program_.mode},
                         {"weights", program_.weights}};
    if (const auto memory = memory_name_of(options_)) all.emplace_back("memory", *memory);
    if (const auto mhz = clock_of(options_)) all.emplace_back("clock_mhz", fmt::format("{}", *mhz));
    return all;
  }
  int64_t batch() const override { return batch_of(program_); }
  std::vector<TensorType> inputs() const override { return types_of(inputs_); }

  std::vector<ProfileRow> rows() const override {
    std::vector<ProfileRow> rows;
    for (const ProgramStep& step : program_.steps) rows.push_back(describe(program_, step));
    return rows;
  }

  void run() override { session_->run(inputs_, is_remote() ? &report_ : nullptr); }
  std::optional<double> remote_seconds() const override {
    return is_remote() ? std::optional(report_.device_seconds) : std::nullopt;
  }

  bool counts_cpu() const override { return false; }

  void run_profiled(CpuCounters&) override { session_->run(inputs_, &report_); }

  void add_sample(std::vector<ProfileRow>& rows) const override {
    for (size_t i = 0; i < rows.size(); ++i) {
      const LayerReport& layer = report_.layers.at(i);
      rows[i].seconds.push_back(layer.seconds);
      rows[i].counters = layer.counters;
      if (layer.where == Place::kCore) rows[i].bytes = layer.counters.dram_bytes();
    }
  }

 private:
  bool is_remote() const {
    return dynamic_cast<const driver::EvaluatingDevice*>(device_.get()) != nullptr;
  }

  const Program program_;
  const std::unique_ptr<driver::Device> device_;
  const DeviceOptions options_;
  std::unique_ptr<Session> session_;
  std::vector<Tensor> inputs_;
  InferenceReport report_;  // of the last inference that was profiled or ran on another machine
};

// Measures the layers of an executor, in their order. Without CPU counters a layer costs one time
// stamp, as an inference of a small network takes a few microseconds.
class LayerMeter : public host::Executor::Meter {
 public:
  explicit LayerMeter(size_t num_layers) { marks_.reserve(num_layers + 1); }

  // Those of the following inference.
  void set_counters(const CpuCounters& counters) {
    counters_ = counters.names().empty() ? nullptr : &counters;
  }

  void begin() override {
    marks_.clear();
    end(0);
  }
  // Reading the counters is part of neither the layer nor the next one.
  void end(size_t) override {
    Mark& mark = marks_.emplace_back();
    mark.end = Clock::now();
    mark.next_begin = mark.end;
    if (counters_ == nullptr) return;
    mark.counts = counters_->read();
    mark.next_begin = Clock::now();
  }

  void add_to(std::vector<ProfileRow>& rows) const {
    for (size_t layer = 0; layer < rows.size(); ++layer) {
      const Mark &before = marks_.at(layer), &after = marks_.at(layer + 1);
      ProfileRow& row = rows[layer];
      row.seconds.push_back(std::chrono::duration<double>(after.end - before.next_begin).count());
      row.cpu_counts.resize(after.counts.size());
      for (size_t i = 0; i < after.counts.size(); ++i)
        row.cpu_counts[i] += after.counts[i] - before.counts[i];
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Mark {  // the end of a layer and the beginning of the next one
    Clock::time_point end, next_begin;
    std::vector<double> counts;  // none without counters
  };
  const CpuCounters* counters_ = nullptr;  // nullptr: the machine has none
  std::vector<Mark> marks_;                // by layer, after that of the beginning of the first one
};

class HostWorkload : public Workload {
 public:
  HostWorkload(const import::Network& network, uint64_t asked_threads, uint64_t threads)
      : name_(network.graph.name),
        asked_threads_(asked_threads),
        threads_(threads),
        batch_(graph::independent_images(network.graph)),
        runner_(network.graph, quantize::GraphRunner::Results::kOutputs,
                static_cast<int>(threads_)),
        meter_(runner_.layers().size()) {
    for (graph::NodeId id : network.graph.inputs())
      inputs_.push_back(read_input(kDefaultNoise, network.graph.node(id).type, std::nullopt));
  }

  std::string description() const override {
    const std::string limit =
        threads_ < asked_threads_
            ? fmt::format(" ({} were asked for, but more than one per processor slow it down)",
                          asked_threads_)
            : "";
    return fmt::format("{} in fp32 on the host, {}{}", name_, counted(threads_, "thread"), limit);
  }
  Configuration configuration() const override {
    return {{"device", "host, fp32"}, {"threads", fmt::format("{}", threads_)}};
  }
  int64_t batch() const override { return batch_; }
  std::vector<TensorType> inputs() const override { return types_of(inputs_); }

  std::vector<ProfileRow> rows() const override {
    std::vector<ProfileRow> rows;
    for (const host::ExecutedLayer& layer : runner_.layers()) rows.push_back(describe(layer));
    return rows;
  }

  bool counts_cpu() const override { return true; }
  void run() override { runner_.run(inputs_); }
  void run_profiled(CpuCounters& counters) override {
    meter_.set_counters(counters);
    runner_.run_metered(inputs_, meter_);
  }
  void add_sample(std::vector<ProfileRow>& rows) const override { meter_.add_to(rows); }

 private:
  const std::string name_;
  const uint64_t asked_threads_, threads_;
  const int64_t batch_;
  quantize::GraphRunner runner_;
  std::vector<Tensor> inputs_;
  LayerMeter meter_;
};

void check(const WorkloadOptions& options) {
  if (!options.fp32) {
    if (options.threads != 1) throw UsageError("--threads applies to --fp32");
    return;
  }
  if (!options.device.device.empty() || !options.device.memory.empty() || options.device.clock)
    throw UsageError(
        "--device, --memory and --clock do not apply to --fp32, which runs on the host");
  const NetworkArguments& how = options.program.network;
  if (how.any_of_lowering() || how.any_of_quantization()) {
    throw UsageError(
        "--fp32 compiles nothing; it excludes --core, --mode, --per-layer-streams, "
        "--first-convolution, --start, --stop, --schedules, --tuned-for, and options of the "
        "quantization");
  }
  if (names_program_file(options.program.name)) {
    throw UsageError(options.program.name +
                     ": --fp32 needs the network; a program does not hold it");
  }
}

}  // namespace

uint64_t started_threads(const WorkloadOptions& options) {
  return std::min<uint64_t>(options.threads, available_processors());
}

void add_workload_options(Command& command, WorkloadOptions& options) {
  add_program_options(command, options.program);
  add_device_choice(command, options.device);
  command.flag("--fp32", options.fp32, "Run the network in fp32 on the host, without a core");
  command.option("--threads", options.threads, "N", "Threads of the host's operators (--fp32)")
      .at_least(1)
      .at_most(kMaxThreads);
}

std::unique_ptr<Workload> open_workload(const WorkloadOptions& options, Progress& progress) {
  check(options);
  if (options.fp32) {
    if (started_threads(options) > 1) limit_openmp_spins();
    return std::make_unique<HostWorkload>(
        load_network(options.program.name, options.program.network), options.threads,
        started_threads(options));
  }
  DeviceOptions device = options.device;
  if (device.device.empty()) device.device = options.default_device;
  if (!names_program_file(options.program.name)) check_device(device);
  LoadedProgram loaded = load_program(options.program, progress);
  auto opened = open_device(device, loaded.program.core);
  return std::make_unique<DeviceWorkload>(std::move(loaded), std::move(opened), device);
}

}  // namespace vta::sim
