// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/what_if.h"

#include <fmt/format.h>

#include <algorithm>

namespace vta::sim {
namespace {

constexpr uint32_t kPortBytesPer100Cycles = 2 * 8 * 100;  // reads and writes, one beat each

uint32_t& port_of(MemoryConfig& memory, MemoryMaster master) {
  return memory.port[static_cast<size_t>(master)];
}

MemoryConfig with_own_load_port(MemoryConfig memory) {
  const uint32_t shared = port_of(memory, MemoryMaster::kLoad);
  const auto sharing = std::ranges::count(memory.port, shared);
  if (sharing > 1 && memory.num_ports() < kNumMemoryMasters) {
    port_of(memory, MemoryMaster::kLoad) = memory.num_ports();
    memory.bytes_per_100_cycles =
        std::min<uint32_t>(memory.bytes_per_100_cycles + kPortBytesPer100Cycles,
                           kNumMemoryMasters * kPortBytesPer100Cycles);
  }
  return memory;
}

MemoryConfig with_half_latency(MemoryConfig memory) {
  memory.read_latency_cycles = std::max(1u, memory.read_latency_cycles / 2);
  memory.write_latency_cycles = std::max(1u, memory.write_latency_cycles / 2);
  return memory;
}

MemoryConfig without_limits(MemoryConfig memory) {
  MemoryConfig free;
  free.name = memory.name;
  for (uint32_t master = 0; master < kNumMemoryMasters; ++master) free.port[master] = master;
  free.read_latency_cycles = free.write_latency_cycles = 1;
  free.bytes_per_100_cycles = kNumMemoryMasters * kPortBytesPer100Cycles;
  return free;
}

// As a core of twice the clock sees it.
MemoryConfig at_double_clock(MemoryConfig memory) {
  memory.read_latency_cycles *= 2;
  memory.write_latency_cycles *= 2;
  memory.max_extra_latency_cycles *= 2;
  memory.bytes_per_100_cycles /= 2;
  return memory;
}

struct Change {
  const char* text;
  MemoryConfig (*apply)(MemoryConfig);
  uint32_t clock = 1;
};
constexpr Change kChanges[] = {
    {"operands are loaded through a DRAM port of their own", with_own_load_port},
    {"DRAM answers in half the cycles", with_half_latency},
    {kFreeDram, without_limits},
    {"the core has twice the clock, and the same DRAM", at_double_clock, 2},
};

}  // namespace

std::vector<WhatIf> possible_changes(const MemoryConfig& memory) {
  std::vector<WhatIf> changes;
  for (const Change& change : kChanges) {
    WhatIf what_if{change.text, change.apply(memory), change.clock, false, 0, {}};
    if (what_if.memory == memory) continue;
    what_if.memory.name = fmt::format("{}-what-if-{}", memory.name, changes.size() + 1);
    changes.push_back(std::move(what_if));
  }
  return changes;
}

}  // namespace vta::sim
