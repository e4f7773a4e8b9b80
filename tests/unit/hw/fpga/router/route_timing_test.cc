// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/route_timing.h"

#include <gtest/gtest.h>

namespace vta::router {
namespace {

// Wires are named by their nodes.
Node node_of(const std::string& wire) { return Node{std::stoi(wire)}; }

PlacedNet net_of(int32_t driver, std::vector<std::string> sinks, std::vector<TimedSink> loads) {
  return {"n", "0", false, std::move(sinks), {}, driver, std::move(loads)};
}

TEST(RouteTiming, FollowsPathsThroughCells) {
  const PlacedDesign design{
      {{"", false, 456}, {""}, {""}},
      {net_of(0, {"10"}, {{1, 124, false}}), net_of(1, {"11"}, {{2, 57, true}})}};
  RouteTiming timing(design, {{"", false, {}, {{Node{10}, {}}}}, {"", false, {}, {{Node{11}, {}}}}},
                     node_of);
  SinkValues criticalities{{0}, {0}};
  EXPECT_FLOAT_EQ(timing.update({{700}, {900}}, criticalities), 456 + 700 + 124 + 900 + 57);
  EXPECT_EQ(criticalities, (SinkValues{{1}, {1}}));
}

TEST(RouteTiming, SinksThatShareAPinHaveTheGreaterCriticality) {
  // The router's order of pins is another one; the first two loads are one pin.
  const PlacedDesign design{
      {{""}, {""}}, {net_of(0, {"20", "20", "10"}, {{1, 0, true}, {1, 100, true}, {1, 0, true}})}};
  RouteTiming timing(design, {{"", false, {}, {{Node{10}, {}}, {Node{20}, {}}}}}, node_of);
  SinkValues criticalities{{0, 0}};
  EXPECT_FLOAT_EQ(timing.update({{500, 900}}, criticalities), 1000);
  EXPECT_EQ(criticalities, (SinkValues{{0.5F, 1}}));
}

TEST(RouteTiming, NetsWithoutLoadsAreNotTimed) {
  PlacedNet constant{"one", "VCC_WIRE", true, {"10"}, {}};
  const PlacedDesign design{{{""}, {""}}, {constant, net_of(0, {"11"}, {{1, 57, true}})}};
  RouteTiming timing(design, {{"", true, {}, {{Node{10}, {}}}}, {"", false, {}, {{Node{11}, {}}}}},
                     node_of);
  SinkValues criticalities{{0}, {0}};
  timing.update({{9000}, {100}}, criticalities);
  EXPECT_EQ(criticalities, (SinkValues{{0}, {1}}));
}

}  // namespace
}  // namespace vta::router
