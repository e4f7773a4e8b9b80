// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/bounds.h"

#include <gtest/gtest.h>

#include <map>

namespace vta::sim {
namespace {

// A layer of 1000 cycles on an array of 256 MACs a cycle; `busy`: by load, gemm, alu, store.
LayerReport layer(const std::array<uint64_t, hw::kNumCycleStages>& busy, uint64_t macs) {
  LayerReport layer;
  layer.macs = macs;
  layer.counters.cycles = 1000;
  layer.counters.gemm_counter = busy[hw::kStage_gemm];
  layer.counters.stages.emplace();
  for (size_t stage = 0; stage < busy.size(); ++stage)
    layer.counters.stages->of[stage][hw::kStageState_busy] = busy[stage];
  return layer;
}

// Cycles that each change saves in the layer, by a word of its text.
std::map<std::string, uint64_t> saved(const LayerReport& one) {
  const InferenceReport measured{.counters = one.counters, .layers = {one}};
  std::map<std::string, uint64_t> result;
  for (const WhatIf& bound :
       bounds(measured, load_core_config("vta_1x16"), 1, load_memory_config("ideal64"))) {
    EXPECT_TRUE(bound.is_bound);
    EXPECT_EQ(bound.layer_cycles, std::vector<uint64_t>{bound.cycles});
    for (const char* word : {"128", "ALU", "depthwise"})
      if (bound.change.find(word) != std::string::npos) result[word] = 1000 - bound.cycles;
  }
  return result;
}

using Saved = std::map<std::string, uint64_t>;

TEST(Bounds, SaveHalfOfTheStageThatLimitsTheLayer) {
  EXPECT_EQ(saved(layer({100, 100, 1000, 100}, 25'600)), (Saved{{"ALU", 500}}));
  EXPECT_EQ(saved(layer({1000, 100, 100, 100}, 25'600)), (Saved{{"128", 500}}));
}

TEST(Bounds, LeaveTheLayerItsOtherStages) {
  EXPECT_EQ(saved(layer({100, 100, 1000, 800}, 25'600)), (Saved{{"ALU", 200}}));
}

// 16 of 256 multipliers do what a depthwise layer asks for.
TEST(Bounds, LeaveADepthwiseLayerItsOwnProducts) {
  EXPECT_EQ(saved(layer({0, 960, 0, 0}, 960 * 16)), (Saved{{"depthwise", 900}}));
}

// The operator's MACs with padding may be more than those of the array.
TEST(Bounds, SaveNothingOfAFullArray) {
  EXPECT_EQ(saved(layer({0, 1000, 0, 0}, 300 * 1000)), Saved{});
}

}  // namespace
}  // namespace vta::sim
