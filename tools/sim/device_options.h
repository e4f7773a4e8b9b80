// SPDX-License-Identifier: Apache-2.0
//
// The options --device, --memory, --wave and --trace of every subcommand that runs programs, and
// --no-compute of those that work without results.
#ifndef VTA_TOOLS_SIM_DEVICE_OPTIONS_H_
#define VTA_TOOLS_SIM_DEVICE_OPTIONS_H_

#include <memory>
#include <string>

#include "base/command_line/command_line.h"
#include "driver/device.h"
#include "tools/sim/trace_file.h"
#include "tools/sim/waveform_file.h"

namespace vta::sim {

struct DeviceOptions {
  std::string device = "functional";  // a URI
  std::string memory;                 // of --memory; "" leaves the choice to the device
  bool no_compute = false;            // --device cycle becomes timing
  WaveformOptions waveform;
  std::string trace;  // the file of --trace; "" for none
};

// Only --device and --memory.
void add_device_choice(Command& command, DeviceOptions& options);
void add_device_options(Command& command, DeviceOptions& options);
void add_no_compute_option(Command& command, DeviceOptions& options);

// Whether cycles are recorded, which is limited to one device and to inferences one by one.
bool records(const DeviceOptions& options);

// Opens the device with its memory in the URI: "rtl" and "random" open "rtl:random".
// Errors: kInvalidArgument for --no-compute if the device is not "cycle", and for --memory if the
// device does not count cycles or the URI already names a memory; any error of driver::open().
std::unique_ptr<driver::Device> open_device(const DeviceOptions& options, const CoreConfig& core);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_DEVICE_OPTIONS_H_
