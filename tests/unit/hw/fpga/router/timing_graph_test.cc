// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/timing_graph.h"

#include <gtest/gtest.h>

namespace vta::router {
namespace {

const auto kWires = [](size_t, size_t) { return 1000.0F; };

TEST(TimingGraph, SharesAreThoseOfTheLongestPathThroughAConnection) {
  // 0 -> 1 -> 2 | and 0 -> 3 |: the second path has less logic.
  const std::vector<TimedNet> nets{{0, {{1, 150, false}, {3, 50, true}}}, {1, {{2, 50, true}}}};
  TimingGraph graph({400, 0, 0, 0}, nets);
  EXPECT_FLOAT_EQ(graph.update(kWires), 400 + 1150 + 1050);
  EXPECT_FLOAT_EQ(graph.shares(0)[0], 1);
  EXPECT_FLOAT_EQ(graph.shares(1)[0], 1);
  EXPECT_FLOAT_EQ(graph.shares(0)[1], 1450.0F / 2600);
}

TEST(TimingGraph, FollowsTheDelaysOfWires) {
  const std::vector<TimedNet> nets{{0, {{1, 100, true}, {2, 100, true}}}};
  TimingGraph graph({0, 0, 0}, nets);
  graph.update([](size_t, size_t sink) { return sink == 0 ? 900.0F : 300.0F; });
  EXPECT_FLOAT_EQ(graph.shares(0)[1], 0.4F);
  graph.update([](size_t, size_t sink) { return sink == 0 ? 100.0F : 300.0F; });
  EXPECT_FLOAT_EQ(graph.shares(0)[0], 0.5F);
  EXPECT_FLOAT_EQ(graph.shares(0)[1], 1);
}

TEST(TimingGraph, PathsEndAtRegistersAndStartThere) {
  std::vector<TimedNet> nets{{0, {{1, 57, true}}}, {1, {{2, 57, true}}}};
  TimingGraph registers({456, 456, 456}, nets);
  EXPECT_FLOAT_EQ(registers.update(kWires), 456 + 1057);
  nets[0].sinks[0].ends_paths = false;
  TimingGraph through({456, 0, 456}, nets);
  EXPECT_FLOAT_EQ(through.update(kWires), 456 + 1057 + 1057);
}

// A memory: written by the clock, its read address leads on.
TEST(TimingGraph, TheLaterOfLaunchAndLogicCounts) {
  const std::vector<TimedNet> nets{{0, {{1, 124, false}}}, {1, {{2, 57, true}}}};
  TimingGraph early({456, 1279, 0}, nets);
  EXPECT_FLOAT_EQ(early.update(kWires), 456 + 1124 + 1057);
  TimingGraph late({456, 5000, 0}, nets);
  EXPECT_FLOAT_EQ(late.update(kWires), 5000 + 1057);
}

TEST(TimingGraph, CutsALoopSomewhere) {
  const std::vector<TimedNet> nets{
      {0, {{1, 1, false}}}, {1, {{2, 1, false}}}, {2, {{0, 1, false}}}};
  TimingGraph graph({0, 0, 0}, nets);
  EXPECT_GT(graph.update(kWires), 0);
  EXPECT_GT(graph.shares(1)[0], 0);
}

}  // namespace
}  // namespace vta::router
