// SPDX-License-Identifier: Apache-2.0
//
// Workload: a network with fixed inputs that runs again and again, for measurements of time: as a
// program on a device, or in fp32 on the host.
#ifndef VTA_TOOLS_SIM_WORKLOAD_H_
#define VTA_TOOLS_SIM_WORKLOAD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line/progress.h"
#include "runtime/tensor/tensor.h"
#include "tools/sim/cpu_counters.h"
#include "tools/sim/device_options.h"
#include "tools/sim/profile.h"
#include "tools/sim/program_source.h"

namespace vta::sim {

struct WorkloadOptions {
  WorkloadOptions() { device.device.clear(); }

  ProgramOptions program;
  DeviceOptions device;  // the device "" is default_device
  std::string default_device = "functional";
  bool fp32 = false;
  uint64_t threads = 1;  // of oneDNN, in fp32
};

class Workload {
 public:
  virtual ~Workload() = default;
  // "digits on vta_1x16 (cycle)", "digits in fp32 on the host, 1 thread"
  virtual std::string description() const = 0;
  // What it runs on, without the build.
  virtual Configuration configuration() const = 0;
  virtual int64_t batch() const = 0;  // images of an inference
  virtual std::vector<TensorType> inputs() const = 0;
  // What is measured by itself: an operator each, or several that run fused. Without measurements.
  virtual std::vector<ProfileRow> rows() const = 0;
  // Whether run_profiled() reads CPU counters. On a simulated core they would count the simulator.
  virtual bool counts_cpu() const = 0;
  // One inference.
  virtual void run() = 0;
  // Seconds of the last run() in a device on another machine, by the clock of that machine.
  virtual std::optional<double> remote_seconds() const { return std::nullopt; }
  // One inference that takes the time of each row, and of host rows the counts of `counters`.
  virtual void run_profiled(CpuCounters& counters) = 0;
  // Adds what the last run_profiled() has measured to `rows`, which are those of rows(). A function
  // of its own, so that it is not part of an inference's time.
  virtual void add_sample(std::vector<ProfileRow>& rows) const = 0;
};

// Threads of the host's operators: no more than processors, since others only wait for each other.
uint64_t started_threads(const WorkloadOptions& options);

void add_workload_options(Command& command, WorkloadOptions& options);

// Inputs are standard normals. Errors: UsageError for options that contradict each other; as
// load_program() and open_device().
std::unique_ptr<Workload> open_workload(const WorkloadOptions& options, Progress& progress);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_WORKLOAD_H_
