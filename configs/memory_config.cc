// SPDX-License-Identifier: Apache-2.0
//
// memory_clock.cc reads memories.
#include "configs/memory_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vta {

uint32_t MemoryConfig::num_ports() const { return *std::max_element(port.begin(), port.end()) + 1; }

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

}  // namespace vta
