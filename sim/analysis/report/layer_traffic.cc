// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/layer_traffic.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "configs/core_timing.h"
#include "runtime/program/dram_address.h"

namespace vta::sim {
namespace {

using ByteRange = std::pair<uint64_t, uint64_t>;  // first, end

// The number of bytes in the union of the ranges.
uint64_t union_bytes(std::vector<ByteRange>& ranges) {
  std::ranges::sort(ranges);
  uint64_t bytes = 0, end = 0;
  for (const auto& [first, last] : ranges) {
    if (last > end) bytes += last - std::max(first, end);
    end = std::max(end, last);
  }
  return bytes;
}

TrafficKind kind_of(const isa::Instruction& transfer) {
  if (transfer.opcode == isa::kStore) return TrafficKind::kOut;
  switch (transfer.memory) {
    case isa::kUop:
      return TrafficKind::kUop;
    case isa::kWgt:
      return TrafficKind::kWgt;
    case isa::kInp:
      return TrafficKind::kInp;
    default:
      return TrafficKind::kAcc;
  }
}

MemoryMaster master_of(TrafficKind kind) {
  switch (kind) {
    case TrafficKind::kInp:
    case TrafficKind::kWgt:
      return MemoryMaster::kLoad;
    case TrafficKind::kAcc:
      return MemoryMaster::kAcc;
    case TrafficKind::kUop:
      return MemoryMaster::kUop;
    case TrafficKind::kOut:
      return MemoryMaster::kStore;
    case TrafficKind::kInstructions:
      return MemoryMaster::kFetch;
  }
  return MemoryMaster::kFetch;
}

}  // namespace

uint64_t LayerTraffic::sum_bytes() const {
  return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}
uint64_t LayerTraffic::sum_min_bytes() const {
  return std::accumulate(min_bytes.begin(), min_bytes.end(), uint64_t{0});
}

LayerTraffic layer_traffic(std::span<const isa::Instruction> instructions, const CoreConfig& core) {
  LayerTraffic traffic;
  std::array<std::vector<ByteRange>, kNumTrafficKinds> ranges;
  for (const isa::Instruction& i : instructions) {
    if (i.opcode != isa::kLoad && i.opcode != isa::kStore) continue;
    const auto kind = static_cast<size_t>(kind_of(i));
    const uint64_t elem = dram_elem_bytes(i.memory, core);
    for (uint64_t y = 0; y < i.y_size && i.x_size > 0; ++y) {
      const uint64_t first = (i.dram_base + y * i.x_stride) * elem;
      ranges[kind].push_back({first, first + i.x_size * elem});
      traffic.bytes[kind] += i.x_size * elem;
    }
  }
  for (size_t kind = 0; kind < kNumTrafficKinds; ++kind)
    traffic.min_bytes[kind] = union_bytes(ranges[kind]);
  const auto fetched = static_cast<size_t>(TrafficKind::kInstructions);
  traffic.bytes[fetched] = traffic.min_bytes[fetched] =
      instructions.size() * uint64_t{isa::kInstructionBytes};
  return traffic;
}

uint64_t memory_bound_cycles(const LayerTraffic& traffic, const MemoryConfig& memory) {
  std::array<uint64_t, kNumMemoryMasters> reads{}, writes{};  // bytes by port
  for (size_t kind = 0; kind < kNumTrafficKinds; ++kind) {
    const MemoryMaster master = master_of(static_cast<TrafficKind>(kind));
    const uint32_t port = memory.port[static_cast<size_t>(master)];
    (master == MemoryMaster::kStore ? writes : reads)[port] += traffic.bytes[kind];
  }
  const uint64_t port_bytes = std::max(std::ranges::max(reads), std::ranges::max(writes));
  const uint64_t all_cycles =
      (traffic.sum_bytes() * 100 + memory.bytes_per_100_cycles - 1) / memory.bytes_per_100_cycles;
  return std::max((port_bytes + kBeatBytes - 1) / kBeatBytes, all_cycles);
}

double peak_bytes_per_cycle(const MemoryConfig& memory) {
  std::array<bool, kNumMemoryMasters> reads{};
  for (size_t master = 0; master < kNumMemoryMasters; ++master)
    if (master != static_cast<size_t>(MemoryMaster::kStore)) reads[memory.port[master]] = true;
  // Writes have a channel of their own, at any port.
  const auto channels = static_cast<uint64_t>(std::ranges::count(reads, true)) + 1;
  return std::min(static_cast<double>(channels * kBeatBytes), memory.bytes_per_100_cycles / 100.0);
}

}  // namespace vta::sim
