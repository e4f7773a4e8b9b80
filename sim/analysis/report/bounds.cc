// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/bounds.h"

#include <algorithm>
#include <cmath>

#include "base/numbers/round_up.h"
#include "sim/analysis/report/layer_limit.h"

namespace vta::sim {
namespace {

// What the array does at best.
struct Array {
  double macs_per_cycle;
  uint64_t pixels;  // micro-ops that it does in a cycle
  int64_t batch;    // images of an inference
};

// Cycles of a layer's stage after a change of which there were `occupied`.
using Remaining = uint64_t (*)(const Array& array, const LayerReport& layer, uint64_t occupied);

uint64_t half(const Array&, const LayerReport&, uint64_t occupied) { return occupied / 2; }

// Only the products of the operator, on the whole array.
uint64_t useful(const Array& array, const LayerReport& layer, uint64_t occupied) {
  const uint64_t multiplying = round_up(layer.counters.gemm_counter, array.pixels) / array.pixels;
  const double macs = static_cast<double>(layer.macs) * static_cast<double>(array.batch);
  const auto needed = static_cast<uint64_t>(std::ceil(macs / array.macs_per_cycle));
  return occupied - std::min(occupied, multiplying - std::min(multiplying, needed));
}

struct CoreChange {
  const char* text;
  hw::Stage stage;
  Remaining remaining;
};
constexpr CoreChange kCoreChanges[] = {
    {"the port that loads operands has 128 instead of 64 bits", hw::kStage_load, half},
    {"the ALU has twice the lanes", hw::kStage_alu, half},
    {"the array multiplies no zeros of groups (depthwise), padding or edges of tiles",
     hw::kStage_gemm, useful},
};

uint64_t savable(const Array& array, const LayerReport& layer, const CoreChange& change) {
  if (!layer.counters.stages) return 0;
  const uint64_t cycles = layer.counters.cycles.value_or(0);
  const uint64_t occupied = occupied_cycles(*layer.counters.stages, change.stage);
  const uint64_t remaining = change.remaining(array, layer, occupied);
  uint64_t least = remaining;
  for (const hw::Stage stage : {hw::kStage_load, hw::kStage_gemm, hw::kStage_alu, hw::kStage_store})
    if (stage != change.stage)
      least = std::max(least, occupied_cycles(*layer.counters.stages, stage));
  return std::min(occupied - remaining, cycles - std::min(cycles, least));
}

}  // namespace

std::vector<WhatIf> bounds(const InferenceReport& measured, const CoreConfig& core, int64_t batch,
                           const MemoryConfig& memory) {
  const Array array = {static_cast<double>(core.macs()), core.pixels, batch};
  const uint64_t cycles = measured.counters.cycles.value_or(0);
  std::vector<WhatIf> result;
  for (const CoreChange& change : kCoreChanges) {
    WhatIf bound{.change = change.text,
                 .memory = memory,
                 .is_bound = true,
                 .cycles = cycles,
                 .layer_cycles = {}};
    for (const LayerReport& layer : measured.layers) {
      const uint64_t saved = savable(array, layer, change);
      bound.cycles -= saved;
      bound.layer_cycles.push_back(layer.counters.cycles.value_or(0) - saved);
    }
    if (bound.cycles < cycles) result.push_back(std::move(bound));
  }
  return result;
}

}  // namespace vta::sim
