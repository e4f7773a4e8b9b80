// SPDX-License-Identifier: Apache-2.0
//
// The options --device, --memory, --clock, --wave and --trace of every subcommand that runs
// programs, and --no-compute of those that work without results.
#ifndef VTA_TOOLS_SIM_DEVICE_OPTIONS_H_
#define VTA_TOOLS_SIM_DEVICE_OPTIONS_H_

#include <memory>
#include <optional>
#include <string>

#include "base/command_line/command_line.h"
#include "configs/memory_config.h"
#include "driver/device.h"
#include "tools/sim/trace_file.h"
#include "tools/sim/waveform_file.h"

namespace vta::sim {

struct DeviceOptions {
  std::string device = "functional";  // a URI
  std::string memory;                 // of --memory; "" leaves the choice to the device
  std::optional<double> clock;        // MHz
  bool no_compute = false;            // --device cycle becomes timing
  WaveformOptions waveform;
  std::string trace;  // the file of --trace; "" for none
};

// Only --device, --memory and --clock.
void add_device_choice(Command& command, DeviceOptions& options);
void add_device_options(Command& command, DeviceOptions& options);
void add_no_compute_option(Command& command, DeviceOptions& options);

// Whether cycles are recorded, which is limited to one device and to inferences one by one.
bool records(const DeviceOptions& options);

// For commands that compile first: fails at once where open_device() would fail for options that
// contradict each other, an unknown scheme, or a server that does not answer.
void check_device(const DeviceOptions& options);

// Opens the device with its memory in the URI: "rtl" and "random" open "rtl:random".
// A clock is part of the memory: "rtl:random@125".
// Errors: kInvalidArgument for --no-compute if the device is not "cycle", for --memory if the
// device does not count cycles or the URI already names a memory. Also for --clock if the device is
// not a simulator that counts cycles or the URI already names a clock; any error of driver::open().
std::unique_ptr<driver::Device> open_device(const DeviceOptions& options, const CoreConfig& core);

// The clock of the opened device; nullopt: its own, or none.
std::optional<double> clock_of(const DeviceOptions& options);

// The DRAM model of the opened device; nullopt: the device has none to choose.
std::optional<std::string> memory_name_of(const DeviceOptions& options);

// A memory and the clock of the core that uses it.
struct MemoryAtClock {
  MemoryConfig memory;
  double clock_mhz;
};
// The clock is that of --clock; without it that of "NAME@MHZ", else the default. Errors:
// kInvalidArgument for two clocks; of load_memory_config().
MemoryAtClock load_memory_at(const std::string& memory, std::optional<double> clock);
void add_clock_option(Command& command, std::optional<double>& clock);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_DEVICE_OPTIONS_H_
