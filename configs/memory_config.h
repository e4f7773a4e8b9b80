// SPDX-License-Identifier: Apache-2.0
//
// MemoryConfig: the core's DRAM in simulators that count cycles. The only reader of
// configs/memories/*.json; sim/memory/dram_model.h implements it.
#ifndef VTA_CONFIGS_MEMORY_CONFIG_H_
#define VTA_CONFIGS_MEMORY_CONFIG_H_

#include <array>
#include <cstdint>
#include <string>

#include "configs/memory_clock.h"

namespace vta {

// The core's DRAM masters, in order of priority among requests of one cycle.
enum class MemoryMaster : uint8_t { kFetch, kLoad, kUop, kAcc, kStore };
constexpr size_t kNumMemoryMasters = 5;
constexpr std::array<const char*, kNumMemoryMasters> kMemoryMasterNames = {"fetch", "load", "uop",
                                                                           "acc", "store"};

struct MemoryConfig {
  std::string name;
  // By master. Masters of the same port share its read and write channels, one 64-bit beat per
  // cycle each.
  std::array<uint32_t, kNumMemoryMasters> port{};
  uint32_t read_latency_cycles = 0;   // from the request to the first beat
  uint32_t write_latency_cycles = 0;  // from the last beat to the response
  uint32_t bytes_per_100_cycles = 0;  // of all ports together, both directions
  // Random, as a function of the seed, the master and the burst's number.
  uint32_t max_extra_latency_cycles = 0;  // of a burst
  uint32_t max_request_gap_cycles = 0;    // by which a master's next request is delayed
  uint32_t pause_percent = 0;  // percentage of beats followed by one to three idle cycles
  uint32_t seed = 0;

  uint32_t num_ports() const;
  bool operator==(const MemoryConfig&) const = default;
};

// All keys are required; unknown keys are rejected. A memory states cycles, which are the same at
// every clock, or time (megabytes_per_second, read_latency_ns, write_latency_ns), which becomes
// cycles of the core's clock: bandwidth rounded down, latency up.
// Errors: kCorrupt, kInvalidArgument: name `origin`, the key, its value and the limit.
MemoryConfig parse_memory_config(const std::string& json_text, const std::string& origin,
                                 double clock_mhz = kDefaultClockMhz);

// The memory as parse_memory_config() reads it.
std::string to_json(const MemoryConfig& memory);

// Loads the memory `name`: a path to a JSON file, or a bare name ("ideal64") of configs/memories;
// with a clock in the name ("pynq-z1@125"), at that instead of `clock_mhz`.
// Errors: kNotFound, listing the installed names; any error of parse_memory_config().
MemoryConfig load_memory_config(const std::string& name, double clock_mhz = kDefaultClockMhz);

// "pynq-z1@125"; without "@125" if a core with this clock sees the same memory as one with the
// default clock. Errors: of load_memory_config().
std::string name_at_clock(const std::string& memory, double clock_mhz);

}  // namespace vta

#endif  // VTA_CONFIGS_MEMORY_CONFIG_H_
