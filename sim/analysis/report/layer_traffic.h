// SPDX-License-Identifier: Apache-2.0
//
// LayerTraffic: DRAM bytes of a layer by kind, beside the least that a schedule of the layer could
// move.
#ifndef VTA_SIM_ANALYSIS_REPORT_LAYER_TRAFFIC_H_
#define VTA_SIM_ANALYSIS_REPORT_LAYER_TRAFFIC_H_

#include <array>
#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "hw/isa/instruction.h"

namespace vta::sim {

enum class TrafficKind : uint8_t { kInp, kWgt, kAcc, kUop, kOut, kInstructions };
inline constexpr size_t kNumTrafficKinds = 6;
inline constexpr std::array<const char*, kNumTrafficKinds> kTrafficKindNames = {
    "inp", "wgt", "acc", "uop", "out", "instructions"};

struct LayerTraffic {
  // By TrafficKind. The minimum counts every byte that the layer touches once.
  std::array<uint64_t, kNumTrafficKinds> bytes{}, min_bytes{};

  uint64_t sum_bytes() const;
  uint64_t sum_min_bytes() const;
};

// The traffic of one layer's instructions.
LayerTraffic layer_traffic(std::span<const isa::Instruction> instructions, const CoreConfig& core);

// The least cycles in which `memory` moves the bytes: ports move one beat per cycle and direction,
// and all of them together the memory's bandwidth.
uint64_t memory_bound_cycles(const LayerTraffic& traffic, const MemoryConfig& memory);

// Bytes per cycle that `memory` moves at most, of all masters together.
double peak_bytes_per_cycle(const MemoryConfig& memory);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_LAYER_TRAFFIC_H_
