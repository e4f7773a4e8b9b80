// SPDX-License-Identifier: Apache-2.0
//
// ScratchpadMap: which elements of the scratchpads hold which layer's data, and when.
#ifndef VTA_SIM_ANALYSIS_REPORT_SCRATCHPAD_MAP_H_
#define VTA_SIM_ANALYSIS_REPORT_SCRATCHPAD_MAP_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "sim/analysis/report/recording.h"

namespace vta::sim {

enum class Scratchpad : uint8_t { kUop, kInp, kWgt, kAcc, kOut };
inline constexpr size_t kNumScratchpads = 5;
inline constexpr std::array<const char*, kNumScratchpads> kScratchpadNames = {"uop", "inp", "wgt",
                                                                              "acc", "out"};

// Elements [first, first + count) hold data from the cycle in which an instruction starts to write
// them until their last reader ends. An instruction counts as accessing all elements between its
// first and its last.
struct ScratchpadRegion {
  uint64_t begin = 0, end = 0;  // cycles of the run
  uint32_t first = 0, count = 0;
  uint32_t part = 0;  // index of the layer in the run

  bool operator==(const ScratchpadRegion&) const = default;
};

struct ScratchpadMap {
  std::array<std::vector<ScratchpadRegion>, kNumScratchpads> regions;  // by Scratchpad
};

// Elements of a scratchpad.
uint32_t depth_of(Scratchpad scratchpad, const CoreConfig& core);

// `arena_image` contains the run's micro-ops.
ScratchpadMap scratchpad_map(const RecordedDeviceRun& run, const CoreConfig& core,
                             std::span<const uint8_t> arena_image);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_SCRATCHPAD_MAP_H_
