// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/device_options.h"

namespace vta::sim {
namespace {

// Of several devices in one URI ("lockstep:functional,rtl:random") only the last is timed.
bool names_memory(const std::string& uri) {
  const size_t comma = uri.rfind(',');
  return uri.find(':', comma == std::string::npos ? 0 : comma) != std::string::npos;
}

}  // namespace

void add_device_options(Command& command, DeviceOptions& options) {
  command.option("--device", options.device, "URI", "Where to run");
  command.option("--memory", options.memory, "NAME",
                 "DRAM of a device that counts cycles (ideal64, pynq-z1, random or a file)");
  add_waveform_options(command, options.waveform);
  command.option("--trace", options.trace, "FILE",
                 "Write a timeline of the runs, for Perfetto (a device that counts cycles)");
}

std::unique_ptr<driver::Device> open_device(const DeviceOptions& options, const CoreConfig& core) {
  auto device = driver::open(options.device, core);
  if (options.memory.empty()) return device;
  if (!device->describe().timed) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' counts no cycles", options.memory,
         options.device);
  }
  if (names_memory(options.device)) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' names a memory already",
         options.memory, options.device);
  }
  return driver::open(options.device + ":" + options.memory, core);
}

}  // namespace vta::sim
