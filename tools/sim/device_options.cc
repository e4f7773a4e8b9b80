// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/device_options.h"

#include <algorithm>

namespace vta::sim {
namespace {

// Only the last of the two devices in one URI ("lockstep:functional,rtl:random") is timed. The
// memory may be a file with any name.
bool names_memory(const std::string& uri) {
  const bool has_two = uri.starts_with("lockstep:");
  return uri.find(':', has_two ? std::min(uri.find(','), uri.size()) : 0) != std::string::npos;
}

// "cycle:random" without results is "timing:random".
std::string uri_of(const DeviceOptions& options) {
  const std::string cycle = "cycle";
  if (!options.no_compute) return options.device;
  if (options.device != cycle && !options.device.starts_with(cycle + ":")) {
    fail(ErrorCode::kInvalidArgument, "--no-compute applies to --device cycle, got '{}'",
         options.device);
  }
  return "timing" + options.device.substr(cycle.size());
}

}  // namespace

void add_device_choice(Command& command, DeviceOptions& options) {
  command.option("--device", options.device, "URI", "Device to run on; `vta-sim info` lists them");
  command.option("--memory", options.memory, "NAME",
                 "DRAM model of a device that counts cycles: a name or a file (default ideal64)");
}

void add_device_options(Command& command, DeviceOptions& options) {
  add_device_choice(command, options);
  add_waveform_options(command, options.waveform);
  command.output("--trace", options.trace, "FILE",
                 "Write a timeline of the runs for Perfetto (devices that count cycles)");
}

void add_no_compute_option(Command& command, DeviceOptions& options) {
  command.flag("--no-compute", options.no_compute,
               "Count cycles but compute no results (--device cycle)");
}

bool records(const DeviceOptions& options) {
  return !options.waveform.file.empty() || !options.trace.empty();
}

std::unique_ptr<driver::Device> open_device(const DeviceOptions& options, const CoreConfig& core) {
  const std::string uri = uri_of(options);
  if (uri.starts_with("rpc:") && !options.memory.empty()) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: the server of '{}' chooses the DRAM model",
         options.memory, uri);
  }
  auto device = driver::open(uri, core);
  if (options.memory.empty()) return device;
  if (!device->describe().timed) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' counts no cycles", options.memory,
         options.device);
  }
  if (names_memory(options.device)) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' names a memory already",
         options.memory, options.device);
  }
  return driver::open(uri + ":" + options.memory, core);
}

}  // namespace vta::sim
