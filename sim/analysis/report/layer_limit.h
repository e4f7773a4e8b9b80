// SPDX-License-Identifier: Apache-2.0
//
// LayerLimit: the stage that determines how long a layer takes.
#ifndef VTA_SIM_ANALYSIS_REPORT_LAYER_LIMIT_H_
#define VTA_SIM_ANALYSIS_REPORT_LAYER_LIMIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hw/registers/counters.h"
#include "sim/analysis/report/recording.h"

namespace vta::sim {

// kLatency: no stage is occupied most of the time; the layer waits for tokens between stages.
enum class Limit : uint8_t { kArray, kLoads, kAlu, kStores, kLatency, kNone };
const char* to_string(Limit limit);  // "array", "loads", "alu", "stores", "latency", "none"

struct LayerLimit {
  Limit limit = Limit::kNone;  // kNone: the layer takes no cycles of the core
  double occupied = 0;  // share of the cycles in which that stage works, or waits for DRAM or
                        // a scratchpad port
  std::string why;      // a sentence
};

// Cycles in which a stage works, or waits for DRAM or a scratchpad port.
uint64_t occupied_cycles(const hw::StageCycles& cycles, hw::Stage stage);

// Below this share of the cycles, no stage is the limit.
inline constexpr double kMinOccupied = 0.75;

// `counters`: of the layer, with cycles and stages. `stalls`: gemm's, in these cycles.
LayerLimit find_limit(const hw::Counters& counters, const std::vector<GemmStall>& stalls);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_LAYER_LIMIT_H_
