// SPDX-License-Identifier: Apache-2.0
#include "configs/memory_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "configs/config_files.h"
#include "configs/key_reader.h"

namespace vta {
namespace {

constexpr uint32_t kMaxLatencyCycles = 10000;
constexpr uint32_t kMaxBytesPer100Cycles = 100 * 2 * 8 * kNumMemoryMasters;  // not limiting

MemoryConfig read_memory(KeyReader keys) {
  MemoryConfig memory;
  memory.name = keys.take_name("name");
  for (size_t master = 0; master < kNumMemoryMasters; ++master) {
    const std::string key = std::string(kMemoryMasterNames[master]) + "_port";
    memory.port[master] = keys.take_number(key.c_str(), 0, kNumMemoryMasters - 1);
  }
  memory.read_latency_cycles = keys.take_number("read_latency_cycles", 1, kMaxLatencyCycles);
  memory.write_latency_cycles = keys.take_number("write_latency_cycles", 1, kMaxLatencyCycles);
  memory.bytes_per_100_cycles = keys.take_number("bytes_per_100_cycles", 8, kMaxBytesPer100Cycles);
  memory.max_extra_latency_cycles =
      keys.take_number("max_extra_latency_cycles", 0, kMaxLatencyCycles);
  memory.max_request_gap_cycles = keys.take_number("max_request_gap_cycles", 0, kMaxLatencyCycles);
  memory.pause_percent = keys.take_number("pause_percent", 0, 100);
  memory.seed = keys.take_number("seed", 0, UINT32_MAX);
  keys.refuse_rest();
  return memory;
}

}  // namespace

uint32_t MemoryConfig::num_ports() const { return *std::max_element(port.begin(), port.end()) + 1; }

MemoryConfig parse_memory_config(const std::string& json_text, const std::string& origin) {
  return with_context(origin, [&] {
    return read_memory(KeyReader(parse_json_object(json_text, "a memory configuration")));
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

MemoryConfig load_memory_config(const std::string& name) {
  const std::filesystem::path path = find_config_file("memories", "memory", name);
  return parse_memory_config(read_text_file(path, kMaxConfigFileBytes), path.string());
}

}  // namespace vta
