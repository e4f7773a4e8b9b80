// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/detours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace vta::router {
namespace {

// Nodes in a row of tiles: a source and a sink in tile 0, and for each tile a node that leads away
// from there and one that leads back.
class Row {
 public:
  static constexpr Node kSource{0}, kSink{1};
  static constexpr int kTiles = 10;
  static Node away(int x) { return Node{2 + x}; }
  static Node back(int x) { return Node{2 + kTiles + x}; }

  Row() {
    for (int node = 0; node < 2 + 2 * kTiles; ++node) {
      const auto x = static_cast<uint8_t>(node < 2 ? 0 : (node - 2) % kTiles);
      graph_.reaches.push_back({x, 0, x, 0});
      graph_.tiles.push_back(x);
    }
    connect(kSource, away(0));
    for (int x = 0; x < kTiles; ++x) {
      if (x + 1 < kTiles) connect(away(x), away(x + 1));
      if (x > 0) connect(back(x), back(x - 1));
      connect(away(x), back(x));
    }
    connect(back(0), kSink, Edge::Kind::kEntersSite);
    for (const Node node : first_nodes(graph_.node_count())) {
      graph_.first_edge.push_back(static_cast<uint32_t>(graph_.edges.size()));
      const auto [begin, end] = switches_.equal_range(node);
      for (auto at = begin; at != end; ++at) graph_.edges.push_back(at->second);
    }
    graph_.first_edge.push_back(static_cast<uint32_t>(graph_.edges.size()));
    used.resize(graph_.node_count());
  }

  std::optional<Detour> find(int x, bool crosses = false) {
    DetourSearch search(graph_, used);
    search.set_crossing(crosses);
    return search.find({kSource}, {kSink, {0, 0}}, {x, 0});
  }

  std::vector<Node> way() {
    DetourSearch search(graph_, used);
    return search.way({kSource}, {kSink, {0, 0}});
  }

  ByNode<uint8_t> used;

 private:
  void connect(Node from, Node to, Edge::Kind kind = Edge::Kind::kInterconnect) {
    switches_.insert({from, {to, 100, kind}});
  }
  RoutingGraph graph_;
  std::multimap<Node, Edge> switches_;
};

TEST(Detours, LeadsThroughThePointAndBackToTheSink) {
  Row row;
  const auto detour = row.find(4);
  ASSERT_TRUE(detour.has_value());
  EXPECT_EQ(detour->from, Row::kSource);
  EXPECT_EQ(detour->nodes.front(), Row::away(0));
  EXPECT_EQ(detour->nodes.back(), Row::kSink);
  // A point is passed if a node reaches the tile next to it.
  EXPECT_NE(std::ranges::find(detour->nodes, Row::away(3)), detour->nodes.end());
}

TEST(Detours, IsLongerTheFartherThePointIs) {
  Row row;
  size_t before = 0;
  for (const int x : {2, 4, 6, 8}) {
    const auto detour = row.find(x);
    ASSERT_TRUE(detour.has_value());
    EXPECT_GT(detour->nodes.size(), before);
    before = detour->nodes.size();
  }
}

TEST(Detours, TakesNoNodeOfAnotherNet) {
  Row row;
  row.used[Row::back(2)] = 1;
  EXPECT_FALSE(row.find(6).has_value());
  EXPECT_TRUE(row.find(1).has_value());
  row.used[Row::away(0)] = 1;
  EXPECT_FALSE(row.find(1).has_value());
}

TEST(Detours, TakesNodesOfNetsThatCanGiveWayWhereItMay) {
  Row row;
  row.used[Row::back(2)] = kTaken;
  EXPECT_FALSE(row.find(6).has_value());
  const auto detour = row.find(6, true);
  ASSERT_TRUE(detour.has_value());
  EXPECT_NE(std::ranges::find(detour->nodes, Row::back(2)), detour->nodes.end());
  row.used[Row::back(2)] = kKept;
  EXPECT_FALSE(row.find(6, true).has_value());
}

TEST(Detours, AWayWithoutAPointIsTheQuickest) {
  Row row;
  EXPECT_EQ(row.way(), (std::vector<Node>{Row::kSource, Row::away(0), Row::back(0), Row::kSink}));
  row.used[Row::back(0)] = kTaken;
  EXPECT_TRUE(row.way().empty());
}

TEST(Detours, TakesNoNodeTwice) {
  Row row;
  const auto detour = row.find(7);
  ASSERT_TRUE(detour.has_value());
  std::vector<Node> nodes = detour->nodes;
  std::ranges::sort(nodes);
  EXPECT_EQ(std::ranges::adjacent_find(nodes), nodes.end());
}

}  // namespace
}  // namespace vta::router
