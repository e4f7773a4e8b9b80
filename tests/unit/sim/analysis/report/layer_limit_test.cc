// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/layer_limit.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

// A layer of 1000 cycles; `busy`: by load, gemm, alu, store.
hw::Counters counters(const std::array<uint64_t, hw::kNumCycleStages>& busy) {
  hw::Counters counters;
  counters.cycles = 1000;
  counters.stages.emplace();
  for (size_t stage = 0; stage < busy.size(); ++stage) {
    counters.stages->of[stage][hw::kStageState_busy] = busy[stage];
    counters.stages->of[stage][hw::kStageState_wait_token] = 1000 - busy[stage];
  }
  return counters;
}

std::vector<GemmStall> stalls(const std::string& channel, uint64_t cycles) {
  std::vector<GemmStall> stalls = gemm_stalls();
  for (GemmStall& stall : stalls)
    if (stall.channel == channel) stall.cycles = cycles;
  return stalls;
}

TEST(FindLimit, IsTheStageThatIsOccupiedLongest) {
  EXPECT_EQ(find_limit(counters({900, 990, 10, 10}), gemm_stalls()).limit, Limit::kArray);
  EXPECT_EQ(find_limit(counters({990, 900, 10, 10}), gemm_stalls()).limit, Limit::kLoads);
  EXPECT_EQ(find_limit(counters({10, 900, 990, 10}), gemm_stalls()).limit, Limit::kAlu);
  EXPECT_EQ(find_limit(counters({10, 10, 900, 990}), gemm_stalls()).limit, Limit::kStores);
}

TEST(FindLimit, IsLatencyIfNoStageIsOccupiedMostOfTheTime) {
  const LayerLimit limit = find_limit(counters({700, 740, 10, 10}), gemm_stalls());
  EXPECT_EQ(limit.limit, Limit::kLatency);
  EXPECT_EQ(limit.why, "no stage is occupied more than 74 % (gemm)");
}

TEST(FindLimit, CountsWaitsForDramAndPortsAsOccupied) {
  hw::Counters layer = counters({100, 500, 100, 100});
  auto& load = layer.stages->of[hw::kStage_load];
  load[hw::kStageState_wait_token] -= 800;
  load[hw::kStageState_wait_memory] = 700;
  load[hw::kStageState_wait_port] = 100;
  const LayerLimit limit = find_limit(layer, gemm_stalls());
  EXPECT_EQ(limit.limit, Limit::kLoads);
  EXPECT_DOUBLE_EQ(limit.occupied, 0.9);
}

TEST(FindLimit, NamesTheMainCauseOfGemmsWaits) {
  EXPECT_EQ(find_limit(counters({990, 590, 10, 10}), stalls("load_to_gemm", 410)).why,
            "load is occupied 99 % of the time; gemm waits 41 %, mostly because operands are not "
            "loaded yet");
  EXPECT_EQ(find_limit(counters({10, 990, 10, 10}), stalls("load_to_gemm", 10)).why,
            "gemm is occupied 99 % of the time");
}

TEST(FindLimit, IsNoneWithoutCycles) {
  EXPECT_EQ(find_limit(hw::Counters(), {}).limit, Limit::kNone);
}

TEST(GemmStalls, AreTheChannelsOfGemmEachWithItsOwnCause) {
  std::vector<std::string> channels;
  for (const GemmStall& stall : gemm_stalls()) {
    channels.emplace_back(stall.channel);
    EXPECT_STRNE(stall.cause, "other") << stall.channel;
  }
  EXPECT_EQ(channels,
            (std::vector<std::string>{"gemm_queue", "load_to_gemm", "alu_to_gemm", "gemm_to_load",
                                      "gemm_to_alu", "uop_port", "uop_plan"}));
}

}  // namespace
}  // namespace vta::sim
