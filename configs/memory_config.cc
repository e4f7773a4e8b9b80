// SPDX-License-Identifier: Apache-2.0
#include "configs/memory_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "configs/config_fields.h"
#include "configs/config_files.h"

namespace vta {
namespace {

constexpr uint32_t kMaxLatencyCycles = 10000;
constexpr uint32_t kMaxBytesPer100Cycles = 100 * 2 * 8 * kNumMemoryMasters;  // not limiting

constexpr uint32_t kMaxMegabytesPerSecond = 1'000'000, kMaxLatencyNs = 100'000;  // not limiting
constexpr uint32_t kMinBytesPer100Cycles = 8;
constexpr double kNsPerUs = 1000;

// Keys of a memory that depends on the clock, and the keys that they replace.
constexpr const char* kBandwidthKey = "megabytes_per_second";
constexpr const char* kCycleKeys[] = {"bytes_per_100_cycles", "read_latency_cycles",
                                      "write_latency_cycles"};

void read_times(ObjectReader& fields, double clock_mhz, MemoryConfig& memory) {
  for (const char* key : kCycleKeys) {
    if (!fields.has(key)) continue;
    fail(ErrorCode::kInvalidArgument,
         "{} and {} exclude each other: a memory is in time, with read_latency_ns and "
         "write_latency_ns, or in cycles",
         kBandwidthKey, key);
  }
  const uint32_t bandwidth = read_uint32(fields, kBandwidthKey, 1, kMaxMegabytesPerSecond);
  const double bytes = 100 * bandwidth / clock_mhz;  // more than the limit are not noticed
  if (bytes < kMinBytesPer100Cycles) {
    fail(ErrorCode::kInvalidArgument,
         "{} {} are {:.1f} bytes per 100 cycles at {:g} MHz; the least is {}", kBandwidthKey,
         bandwidth, bytes, clock_mhz, kMinBytesPer100Cycles);
  }
  memory.bytes_per_100_cycles =
      static_cast<uint32_t>(std::min(bytes, double{kMaxBytesPer100Cycles}));
  const auto latency = [&](const char* key) {
    const uint32_t ns = read_uint32(fields, key, 1, kMaxLatencyNs);
    const double cycles = std::ceil(ns * clock_mhz / kNsPerUs);
    if (cycles > kMaxLatencyCycles) {
      fail(ErrorCode::kInvalidArgument, "{} {} are {:g} cycles at {:g} MHz; the limit is {}", key,
           ns, cycles, clock_mhz, kMaxLatencyCycles);
    }
    return static_cast<uint32_t>(cycles);
  };
  memory.read_latency_cycles = latency("read_latency_ns");
  memory.write_latency_cycles = latency("write_latency_ns");
}

void read_cycles(ObjectReader& fields, MemoryConfig& memory) {
  memory.read_latency_cycles = read_uint32(fields, "read_latency_cycles", 1, kMaxLatencyCycles);
  memory.write_latency_cycles = read_uint32(fields, "write_latency_cycles", 1, kMaxLatencyCycles);
  memory.bytes_per_100_cycles =
      read_uint32(fields, "bytes_per_100_cycles", kMinBytesPer100Cycles, kMaxBytesPer100Cycles);
}

MemoryConfig read_memory(ObjectReader& fields, double clock_mhz) {
  MemoryConfig memory;
  memory.name = read_config_name(fields, "name");
  for (size_t master = 0; master < kNumMemoryMasters; ++master) {
    const std::string key = std::string(kMemoryMasterNames[master]) + "_port";
    memory.port[master] = read_uint32(fields, key.c_str(), 0, kNumMemoryMasters - 1);
  }
  if (fields.has(kBandwidthKey)) {
    read_times(fields, clock_mhz, memory);
  } else {
    read_cycles(fields, memory);
  }
  memory.max_extra_latency_cycles =
      read_uint32(fields, "max_extra_latency_cycles", 0, kMaxLatencyCycles);
  memory.max_request_gap_cycles =
      read_uint32(fields, "max_request_gap_cycles", 0, kMaxLatencyCycles);
  memory.pause_percent = read_uint32(fields, "pause_percent", 0, 100);
  memory.seed = read_uint32(fields, "seed", 0, UINT32_MAX);
  fields.refuse_unknown_keys();
  return memory;
}

}  // namespace

uint32_t MemoryConfig::num_ports() const { return *std::max_element(port.begin(), port.end()) + 1; }

MemoryConfig parse_memory_config(const std::string& json_text, const std::string& origin,
                                 double clock_mhz) {
  return with_context(origin, [&] {
    const Json object = parse_json_object(json_text, "a memory configuration");
    ObjectReader fields(object);
    return read_memory(fields, clock_mhz);
  });
}

std::string to_json(const MemoryConfig& memory) {
  nlohmann::ordered_json json = {{"name", memory.name}};
  for (size_t master = 0; master < kNumMemoryMasters; ++master)
    json[std::string(kMemoryMasterNames[master]) + "_port"] = memory.port[master];
  json["read_latency_cycles"] = memory.read_latency_cycles;
  json["write_latency_cycles"] = memory.write_latency_cycles;
  json["bytes_per_100_cycles"] = memory.bytes_per_100_cycles;
  json["max_extra_latency_cycles"] = memory.max_extra_latency_cycles;
  json["max_request_gap_cycles"] = memory.max_request_gap_cycles;
  json["pause_percent"] = memory.pause_percent;
  json["seed"] = memory.seed;
  return json.dump(2) + "\n";
}

MemoryConfig load_memory_config(const std::string& name, double clock_mhz) {
  const ClockedMemory memory = split_memory_clock(name);
  const std::filesystem::path path = find_config_file("memories", "memory", memory.name);
  return parse_memory_config(read_text_file(path, kMaxConfigFileBytes), path.string(),
                             memory.clock_mhz.value_or(clock_mhz));
}

std::string name_at_clock(const std::string& memory, double clock_mhz) {
  if (load_memory_config(memory, clock_mhz) == load_memory_config(memory)) return memory;
  return fmt::format("{}@{}", memory, clock_mhz);
}

}  // namespace vta
