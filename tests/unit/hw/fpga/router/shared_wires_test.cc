// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/shared_wires.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vta::router {
namespace {

// Nets a and b reach their sinks only through kOnly, but for one sink of a.
constexpr Node kA{0}, kB{1}, kOnly{2}, kFirst{3}, kSecond{4}, kBSink{5}, kBeside{6};

RoutingGraph graph() {
  RoutingGraph graph;
  const std::vector<std::vector<Node>> drives = {
      {kOnly, kBeside}, {kOnly}, {kFirst, kSecond, kBSink}, {}, {}, {}, {}};
  for (const auto& targets : drives) {
    graph.reaches.push_back({0, 0, 0, 0});
    graph.tiles.push_back(0);
    graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
    for (const Node target : targets)
      graph.edges.push_back({target, 100, Edge::Kind::kInterconnect});
  }
  graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
  return graph;
}

const WireNames kNames{
    [](Node node) { return "X0Y0/WIRE" + std::to_string(static_cast<int>(node)); },
    [](const std::string& wire) { return Node{wire.back() - '0'}; }};

TEST(SharedWires, HaveTheNetsAndThePinsBeyondThem) {
  const RoutingGraph chip = graph();
  RoutingOptions options;
  options.max_iterations = 3;
  const auto pins = [](std::vector<Node> nodes) {
    std::vector<Pin> pins;
    for (const Node node : nodes) pins.push_back({node, {}});
    return pins;
  };
  PathFinder finder(chip,
                    {{"a", false, pins({kA}), pins({kFirst, kSecond, kBeside})},
                     {"b", false, pins({kB}), pins({kBSink})}},
                    options);
  ASSERT_FALSE(finder.route([](const Iteration&) {}));
  const auto wires = shared_wires(
      finder,
      {{"a", "", false, {"X0Y0/WIRE3", "X0Y0/WIRE4", "X0Y0/WIRE6"}, {"p.I0", "q.D", "r.CE"}},
       {"b", "", false, {"X0Y0/WIRE5"}, {}}},
      kNames);
  ASSERT_EQ(wires.size(), 1U);
  EXPECT_EQ(wires[0].name, "X0Y0/WIRE2");
  ASSERT_EQ(wires[0].nets.size(), 2U);
  EXPECT_EQ(wires[0].nets[0].name, "a");
  EXPECT_EQ(wires[0].nets[0].pins, (std::vector<std::string>{"p.I0", "q.D"}));
  EXPECT_EQ(wires[0].nets[1].pins, std::vector<std::string>{"X0Y0/WIRE5"});
}

TEST(SharedWires, AreReportedByKindAndOneByOne) {
  EXPECT_EQ(report({{"X1Y2/FAN_ALT3", {{"n", {"a.I0"}}, {"m", {"b.D", "c.D"}}}},
                    {"X1Y3/BYP1", {{"n", {}}, {"o", {"d.CE"}}}},
                    {"X2Y2/FAN_ALT1", {{"n", {"a.I1"}}, {"m", {"b.D"}}}}}),
            "  kinds: 2 FAN_ALT, 1 BYP\n"
            "  X1Y2/FAN_ALT3: 2 nets\n    n to a.I0\n    m to b.D c.D\n"
            "  X1Y3/BYP1: 2 nets\n    n to\n    o to d.CE\n"
            "  X2Y2/FAN_ALT1: 2 nets\n    n to a.I1\n    m to b.D");
}

TEST(SharedWires, OfALargeDesignAreCounted) {
  const SharingNet net{"n", {"a.I0", "a.I1", "a.I2", "a.I3", "a.I4", "a.I5"}};
  const std::string text =
      report(std::vector<SharedWire>(53, {"X1Y2/W", std::vector<SharingNet>(7, net)}));
  EXPECT_NE(text.find("\n    n to a.I0 a.I1 a.I2 a.I3 and 2 more\n"), std::string::npos);
  EXPECT_NE(text.find("\n    and 3 more\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\n  and 3 more"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 50 * 6 + 1);
}

}  // namespace
}  // namespace vta::router
