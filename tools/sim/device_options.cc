// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/device_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "configs/memory_clock.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {
namespace {

// Only the last of the two devices in one URI ("lockstep:functional,rtl:random") is timed. The
// memory may be a file with any name.
size_t memory_colon(const std::string& uri) {
  const bool has_two = uri.starts_with("lockstep:");
  return uri.find(':', has_two ? std::min(uri.find(','), uri.size()) : 0);
}
bool names_memory(const std::string& uri) { return memory_colon(uri) != std::string::npos; }

// The memory that is opened, as load_memory_config() takes it; "" for the default.
std::string memory_of(const DeviceOptions& options) {
  const size_t colon = memory_colon(options.device);
  return colon == std::string::npos ? options.memory : options.device.substr(colon + 1);
}

// The simulators whose clock can be chosen.
bool is_clocked(const std::string& uri) {
  const std::string scheme = uri.substr(0, uri.find(':'));
  return scheme == "cycle" || scheme == "timing" || scheme == "rtl" || scheme == "lockstep";
}

// Errors: kInvalidArgument for two clocks.
std::optional<double> find_clock(const std::string& memory, std::optional<double> clock) {
  const std::optional<double> named = split_memory_clock(memory).clock_mhz;
  if (clock && named) {
    fail(ErrorCode::kInvalidArgument, "--clock {}: memory '{}' names a clock already", *clock,
         memory);
  }
  return clock ? clock : named;
}

// The URI with the memory and the clock in it.
std::string with_memory(const DeviceOptions& options, std::string uri) {
  if (!names_memory(uri))
    uri += ":" + (options.memory.empty() ? std::string(kDefaultMemory) : options.memory);
  find_clock(memory_of(options), options.clock);
  return options.clock ? fmt::format("{}@{}", uri, *options.clock) : uri;
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

// uri_of(), with the errors of open_device() that need no device.
std::string checked_uri_of(const DeviceOptions& options) {
  const std::string uri = uri_of(options);
  if (!options.memory.empty() && !is_clocked(uri)) {
    if (uri.starts_with("rpc:")) {
      fail(ErrorCode::kInvalidArgument, "--memory {}: the server of '{}' chooses the DRAM model",
           options.memory, uri);
    }
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' has no DRAM model to choose",
         options.memory, options.device);
  }
  if (options.clock && !is_clocked(uri)) {
    fail(ErrorCode::kInvalidArgument, "--clock {}: device '{}' has no clock that can be chosen",
         *options.clock, options.device);
  }
  if (!options.memory.empty() && names_memory(uri)) {
    fail(ErrorCode::kInvalidArgument, "--memory {}: device '{}' names a memory already",
         options.memory, options.device);
  }
  const std::string memory = memory_of(options);
  if (is_clocked(uri) && !memory.empty()) load_memory_at(memory, options.clock);
  return uri;
}

}  // namespace

void add_device_choice(Command& command, DeviceOptions& options) {
  command.option("--device", options.device, "URI", "Device to run on; `vta-sim info` lists them");
  command.option("--memory", options.memory, "NAME",
                 "DRAM model of a device that counts cycles: a name or a file (default ideal64)");
  add_clock_option(command, options.clock);
}

void add_clock_option(Command& command, std::optional<double>& clock) {
  command
      .option("--clock", clock, "MHZ",
              "Clock of the core, for milliseconds and for memories in bytes per second (default "
              "100)")
      .between(kMinClockMhz, kMaxClockMhz);
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

void check_device(const DeviceOptions& options) {
  driver::require_reachable(checked_uri_of(options));
}

std::unique_ptr<driver::Device> open_device(const DeviceOptions& options, const CoreConfig& core) {
  const std::string uri = checked_uri_of(options);
  const bool has_choices = !options.memory.empty() || options.clock;
  return driver::open(has_choices ? with_memory(options, uri) : uri, core);
}

std::optional<double> clock_of(const DeviceOptions& options) {
  if (!is_clocked(options.device)) return std::nullopt;
  return find_clock(memory_of(options), options.clock).value_or(kDefaultClockMhz);
}

std::optional<std::string> memory_name_of(const DeviceOptions& options) {
  if (!is_clocked(options.device)) return std::nullopt;
  const std::string memory = memory_of(options);
  return memory.empty() ? kDefaultMemory : memory;
}

MemoryAtClock load_memory_at(const std::string& memory, std::optional<double> clock) {
  const double mhz = find_clock(memory, clock).value_or(kDefaultClockMhz);
  return {load_memory_config(memory, mhz), mhz};
}

}  // namespace vta::sim
