// SPDX-License-Identifier: Apache-2.0
//
// The clock of a core, in names of memories.
#ifndef VTA_CONFIGS_MEMORY_CLOCK_H_
#define VTA_CONFIGS_MEMORY_CLOCK_H_

#include <optional>
#include <string>

namespace vta {

inline constexpr double kMinClockMhz = 1, kMaxClockMhz = 500;
inline constexpr double kDefaultClockMhz = 100;  // that cores are scheduled for

// The two parts of "pynq-z1@125", which load_memory_config() and device URIs accept. A file may
// have any name.
struct ClockedMemory {
  std::string name;
  std::optional<double> clock_mhz;
};
// Errors: kInvalidArgument for a clock that is not a number from kMinClockMhz to kMaxClockMhz.
ClockedMemory split_memory_clock(const std::string& name);

}  // namespace vta

#endif  // VTA_CONFIGS_MEMORY_CLOCK_H_
