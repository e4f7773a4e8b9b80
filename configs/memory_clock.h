// SPDX-License-Identifier: Apache-2.0
//
// Memories at the clock of a core. A file of configs/memories states cycles, which are the same at
// every clock, or time (megabytes_per_second, read_latency_ns, write_latency_ns), which becomes
// cycles of the clock: bandwidth rounded down, latency up.
#ifndef VTA_CONFIGS_MEMORY_CLOCK_H_
#define VTA_CONFIGS_MEMORY_CLOCK_H_

#include <optional>
#include <string>

#include "configs/memory_config.h"

namespace vta {

inline constexpr double kMinClockMhz = 1, kMaxClockMhz = 500;
// The clock that cores are scheduled for, and that parse_memory_config() and load_memory_config()
// assume.
inline constexpr double kDefaultClockMhz = 100;

// parse_memory_config() and load_memory_config() at another clock. Errors: theirs.
MemoryConfig parse_memory_config(const std::string& json_text, const std::string& origin,
                                 double clock_mhz);
MemoryConfig load_memory_config(const std::string& name, double clock_mhz);

// The two parts of "pynq-z1@125", which load_memory_config() and device URIs accept. A file may
// have any name.
struct ClockedMemory {
  std::string name;
  std::optional<double> clock_mhz;
};
// Errors: kInvalidArgument for a clock that is not a number from kMinClockMhz to kMaxClockMhz.
ClockedMemory split_memory_clock(const std::string& name);

// "pynq-z1@125"; without "@125" if a core with this clock sees the same memory as one with the
// default clock. Errors: of load_memory_config().
std::string name_at_clock(const std::string& memory, double clock_mhz);

}  // namespace vta

#endif  // VTA_CONFIGS_MEMORY_CLOCK_H_
