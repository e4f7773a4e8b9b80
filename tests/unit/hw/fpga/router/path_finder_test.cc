// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/path_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::router {
namespace {

// Nodes in a row of tiles, and switches between them.
class Builder {
 public:
  // `x`: its tile. Returns its number.
  Node node(int x) {
    const auto at = static_cast<uint8_t>(x);
    graph_.reaches.push_back({at, 0, at, 0});
    graph_.tiles.push_back(at);
    return first_nodes(graph_.node_count()).back();
  }
  void connect(Node from, Node to, int delay_ps = 100,
               Edge::Kind kind = Edge::Kind::kInterconnect) {
    switches_.insert({from, {to, static_cast<uint16_t>(delay_ps), kind}});
  }
  RoutingGraph graph() const {
    RoutingGraph graph = graph_;
    for (const Node node : first_nodes(graph.node_count())) {
      graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
      const auto [begin, end] = switches_.equal_range(node);
      for (auto at = begin; at != end; ++at) graph.edges.push_back(at->second);
    }
    graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
    return graph;
  }
  Pin pin(Node node) const { return {node, {graph_.reaches[node].x0, 0}}; }
  Net net(const std::string& name, Node source, const std::vector<Node>& sinks) const {
    Net net{name, false, {pin(source)}, {}};
    for (const Node sink : sinks) net.sinks.push_back(pin(sink));
    return net;
  }

 private:
  RoutingGraph graph_;
  std::multimap<Node, Edge> switches_;
};

std::vector<Node> nodes_of(const PathFinder& finder, size_t net) {
  std::vector<Node> nodes;
  for (const auto& branch : finder.tree(net)) nodes.push_back(branch.node);
  return nodes;
}

const auto kUnwatched = [](const Iteration&) {};

TEST(PathFinder, TakesThePathOfLeastDelay) {
  Builder chip;
  const Node source = chip.node(0), slow = chip.node(1), quick = chip.node(1), sink = chip.node(2);
  chip.connect(source, slow, 400);
  chip.connect(slow, sink, 400);
  chip.connect(source, quick, 150);
  chip.connect(quick, sink, 150);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("n", source, {sink})}, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  EXPECT_EQ(nodes_of(finder, 0), (std::vector<Node>{source, quick, sink}));
  EXPECT_EQ(finder.tree(0).back().delay_ps, 300);
}

// source -> middle -> two sinks. Each edge has 100 ps of its own.
TEST(PathFinder, ABranchSlowsDownThoseBesideIt) {
  Builder chip;
  const Node source = chip.node(0), middle = chip.node(1), a = chip.node(2), b = chip.node(2);
  chip.connect(source, middle);
  chip.connect(middle, a);
  chip.connect(middle, b);
  RoutingGraph graph = chip.graph();
  const auto delays = [&](bool is_buffer, const std::vector<Node>& sinks) {
    graph.loads.switches = {{.own_ps = 100, .ohm = 1000, .input_ff = 10, .is_buffer = is_buffer}};
    graph.loads.conductors.assign(4, {.ohm = 0, .ff = 20});
    PathFinder finder(graph, {chip.net("n", source, sinks)}, {});
    EXPECT_TRUE(finder.route(kUnwatched));
    std::map<Node, float> found;
    for (const auto& branch : finder.tree(0)) found[branch.node] = branch.delay_ps;
    return found;
  };
  EXPECT_EQ(delays(true, {a})[a], 2 * 100 + (20 + 10) + 20);
  EXPECT_EQ(delays(true, {a, b})[a], 2 * 100 + (20 + 2 * 10) + 20);
  EXPECT_EQ(delays(false, {a})[a], 2 * 100 + (20 + 20) + 20);
  EXPECT_EQ(delays(false, {a, b})[b], 2 * 100 + (20 + 2 * 20) + 20);
}

// A pin costs a net that does not hurry the same as any other one.
TEST(PathFinder, OnlyNetsThatHurryTakeTheQuickPins) {
  Builder chip;
  std::vector<Net> nets;
  const Node quick = chip.node(1), slow = chip.node(1);
  for (const int at : {0, 1}) {
    const Node source = chip.node(0), sink = chip.node(1);
    chip.connect(source, quick);
    chip.connect(source, slow);
    chip.connect(quick, sink, 10, Edge::Kind::kEntersSite);
    chip.connect(slow, sink, 500, Edge::Kind::kEntersSite);
    nets.push_back(chip.net(std::to_string(at), source, {sink}));
  }
  const RoutingGraph graph = chip.graph();
  for (const size_t hurries : {0U, 1U}) {
    PathFinder finder(graph, nets, {});
    ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues&, SinkValues& criticalities) {
      criticalities[hurries][0] = 1;
      criticalities[1 - hurries][0] = 0.1F;
      return 1.0F;
    }));
    EXPECT_EQ(nodes_of(finder, hurries)[1], quick);
    EXPECT_EQ(nodes_of(finder, 1 - hurries)[1], slow);
  }
}

TEST(PathFinder, MovesTheNetThatHasAnotherWay) {
  Builder chip;
  const Node a = chip.node(0), b = chip.node(0), shared = chip.node(1), detour = chip.node(1);
  const Node a_sink = chip.node(2), b_sink = chip.node(2);
  chip.connect(a, shared);
  chip.connect(b, shared);
  chip.connect(shared, a_sink);
  chip.connect(shared, b_sink);
  chip.connect(b, detour, 900);
  chip.connect(detour, b_sink, 900);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("a", a, {a_sink}), chip.net("b", b, {b_sink})}, {});
  size_t first_shared = 0;
  ASSERT_TRUE(finder.route([&](const Iteration& iteration) {
    if (iteration.number == 1) first_shared = iteration.shared_nodes;
  }));
  EXPECT_EQ(first_shared, 1U);
  EXPECT_EQ(nodes_of(finder, 0), (std::vector<Node>{a, shared, a_sink}));
  EXPECT_EQ(nodes_of(finder, 1), (std::vector<Node>{b, detour, b_sink}));
}

TEST(PathFinder, KeepsNothingOfAPathThatItGivesUp) {
  Builder chip;
  const Node a = chip.node(0), b = chip.node(0), before = chip.node(1), shared = chip.node(1),
             detour = chip.node(1), a_sink = chip.node(2), b_sink = chip.node(2);
  for (const auto& [from, to] :
       {std::pair(a, before), {before, shared}, {shared, a_sink}, {b, shared}, {shared, b_sink}})
    chip.connect(from, to);
  chip.connect(a, detour, 900);
  chip.connect(detour, a_sink, 900);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("a", a, {a_sink}), chip.net("b", b, {b_sink})}, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  EXPECT_EQ(nodes_of(finder, 0), (std::vector<Node>{a, detour, a_sink}));
}

TEST(PathFinder, SharesATreeBetweenItsSinks) {
  Builder chip;
  const Node source = chip.node(0), trunk = chip.node(1), near = chip.node(2), far = chip.node(3);
  chip.connect(source, trunk);
  chip.connect(trunk, near);
  chip.connect(trunk, far);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("n", source, {far, near})}, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  EXPECT_EQ(finder.tree(0).size(), 4U);
  EXPECT_FALSE(finder.is_shared(trunk));
}

TEST(PathFinder, ReportsNetsThatCannotBeSeparated) {
  Builder chip;
  const Node a = chip.node(0), b = chip.node(0), only = chip.node(1), a_sink = chip.node(2),
             b_sink = chip.node(2);
  for (const Node source : {a, b}) chip.connect(source, only);
  for (const Node sink : {a_sink, b_sink}) chip.connect(only, sink);
  const RoutingGraph graph = chip.graph();
  RoutingOptions options;
  options.max_iterations = 5;
  PathFinder finder(graph, {chip.net("a", a, {a_sink}), chip.net("b", b, {b_sink})}, options);
  int iterations = 0;
  EXPECT_FALSE(finder.route([&](const Iteration&) { ++iterations; }));
  EXPECT_EQ(iterations, 5);
  EXPECT_TRUE(finder.is_shared(only));
}

TEST(PathFinder, NamesANetWithoutAPath) {
  Builder chip;
  const Node source = chip.node(0), sink = chip.node(7);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("lost", source, {sink})}, {});
  const Error error = expect_error([&] { finder.route(kUnwatched); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_STREQ(error.what(),
               "net lost: no path to its pin 0 (node 1), which the interconnect feeds at X7Y0");
}

TEST(PathFinder, EntersASiteForItsPinOnly) {
  Builder chip;
  const Node source = chip.node(0), other_site = chip.node(1), sink = chip.node(2),
             way = chip.node(1);
  chip.connect(source, other_site, 10, Edge::Kind::kEntersSite);
  chip.connect(other_site, sink, 10);
  chip.connect(source, way, 500);
  chip.connect(way, sink, 500, Edge::Kind::kEntersSite);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("n", source, {sink})}, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  EXPECT_EQ(nodes_of(finder, 0), (std::vector<Node>{source, way, sink}));
}

TEST(PathFinder, NetsShareAConstantButNotTheWayFromIt) {
  Builder chip;
  const Node constant = chip.node(0), left = chip.node(0), right = chip.node(0),
             signal = chip.node(0);
  const Node constant_sink = chip.node(0), signal_sink = chip.node(0);
  for (const Node way : {left, right}) {
    chip.connect(constant, way, way == left ? 100 : 300);
    chip.connect(way, constant_sink);
  }
  chip.connect(signal, left);
  chip.connect(left, signal_sink);
  const RoutingGraph graph = chip.graph();
  Net one{"one", true, {chip.pin(constant)}, {chip.pin(constant_sink)}};
  PathFinder finder(graph, {one, chip.net("n", signal, {signal_sink})}, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  EXPECT_EQ(nodes_of(finder, 0).back(), constant_sink);
  EXPECT_EQ(nodes_of(finder, 0)[nodes_of(finder, 0).size() - 2], right);
}

// Two nets want one quick way, and each has a slow one beside it: the critical net keeps it.
struct Contest {
  Builder chip;
  Node sources[2], quick, slow[2], sinks[2];
  Contest() {
    for (Node& source : sources) source = chip.node(0);
    quick = chip.node(1);
    for (Node& way : slow) way = chip.node(1);
    for (Node& sink : sinks) sink = chip.node(2);
    for (size_t net = 0; net < 2; ++net) {
      chip.connect(sources[net], quick);
      chip.connect(quick, sinks[net]);
      chip.connect(sources[net], slow[net], 400);
      chip.connect(slow[net], sinks[net], 400);
    }
  }
  // One net has the quick way, the other its slow one.
  static bool is_legal(const SinkValues& delays_ps) { return delays_ps[0] != delays_ps[1]; }
  std::vector<Net> nets() const {
    return {chip.net("a", sources[0], {sinks[0]}), chip.net("b", sources[1], {sinks[1]})};
  }
};

TEST(PathFinder, TheCriticalNetKeepsTheQuickWay) {
  for (const size_t critical : {0U, 1U}) {
    const Contest contest;
    const RoutingGraph graph = contest.chip.graph();
    PathFinder finder(graph, contest.nets(), {});
    ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues&, SinkValues& criticalities) {
      criticalities[critical][0] = 1;
      criticalities[1 - critical][0] = 0.1F;
      return 1000.0F;
    }));
    EXPECT_EQ(nodes_of(finder, critical)[1], contest.quick);
    EXPECT_EQ(nodes_of(finder, 1 - critical)[1], contest.slow[1 - critical]);
  }
}

TEST(PathFinder, ReadsDelaysForTiming) {
  const Contest contest;
  const RoutingGraph graph = contest.chip.graph();
  PathFinder finder(graph, contest.nets(), {});
  std::vector<SinkValues> seen;
  std::vector<float> longest;
  ASSERT_TRUE(finder.route(
      [&](const Iteration& iteration) { longest.push_back(iteration.longest_path_ps); },
      [&](const SinkValues& delays_ps, SinkValues&) {
        seen.push_back(delays_ps);
        return static_cast<float>(seen.size());
      }));
  ASSERT_GE(seen.size(), 2U);
  EXPECT_GT(seen[0][0][0], 0) << "an estimate";
  EXPECT_EQ(seen[1], (SinkValues{{200}, {200}})) << "both take the quick way at first";
  EXPECT_EQ(longest[0], 2) << "of the routing after the first iteration";
}

// The net that has left the quick way becomes critical: it takes it back after the first legal
// routing.
TEST(PathFinder, RoutesSlowCriticalSinksAgain) {
  const Contest contest;
  const RoutingGraph graph = contest.chip.graph();
  PathFinder finder(graph, contest.nets(), {});
  int legal = 0;
  ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues& delays_ps, SinkValues& criticalities) {
    legal += Contest::is_legal(delays_ps) ? 1 : 0;
    criticalities[0][0] = legal == 0 ? 0 : 1;
    criticalities[1][0] = legal == 0 ? 1 : 0;
    return delays_ps[0][0];
  }));
  EXPECT_GT(legal, 1);
  EXPECT_EQ(nodes_of(finder, 0)[1], contest.quick);
}

// A tree of 220 branches ends beside the second sink, which a quick way from the source reaches,
// too.
TEST(PathFinder, ASinkThatHurriesBeginsAtTheWholeTree) {
  constexpr int kBranches = 220;
  Builder chip;
  const Node source = chip.node(0), first = chip.node(99), second = chip.node(99);
  Node end = source;
  for (int i = 0; i < kBranches; ++i) {
    const Node next = chip.node(80 + i % 20);
    chip.connect(end, next);
    end = next;
  }
  const Node quick = chip.node(50);
  chip.connect(end, first);
  chip.connect(end, second);
  chip.connect(source, quick, 1000);
  chip.connect(quick, second, 1000);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("n", source, {first, second})}, {});
  ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues&, SinkValues& criticalities) {
    criticalities[0] = {1, 0.99F};
    return 1000.0F;
  }));
  EXPECT_EQ(nodes_of(finder, 0).size(), size_t{1 + kBranches + 1 + 2}) << "with the quick way";
  EXPECT_EQ(finder.tree(0).back().delay_ps, 2000);
}

// The second sink is not critical at first and takes a branch of the long way to the first one. No
// way of its own was quicker, but its distance says that there is one.
TEST(PathFinder, RoutesASinkAgainThatIsSlowForItsDistance) {
  Builder chip;
  const Node source = chip.node(0), way = chip.node(1), quick = chip.node(1), first = chip.node(2),
             second = chip.node(2);
  chip.connect(source, way, 1200);
  chip.connect(way, first);
  chip.connect(way, second);
  chip.connect(source, quick, 300);
  chip.connect(quick, second, 300);
  const RoutingGraph graph = chip.graph();
  PathFinder finder(graph, {chip.net("n", source, {first, second})}, {});
  int timings = 0;
  ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues& delays_ps, SinkValues& criticalities) {
    if (++timings == 2) EXPECT_EQ(delays_ps[0][1], 1300);
    criticalities[0] = {0, timings == 1 ? 0.0F : 1.0F};
    return delays_ps[0][1];
  }));
  EXPECT_EQ(nodes_of(finder, 0), (std::vector<Node>{source, way, first, quick, second}));
}

TEST(PathFinder, KeepsTheBestOfItsLegalRoutings) {
  const Contest contest;
  const RoutingGraph graph = contest.chip.graph();
  PathFinder finder(graph, contest.nets(), {});
  int legal = 0;
  ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues& delays_ps, SinkValues& criticalities) {
    legal += Contest::is_legal(delays_ps) ? 1 : 0;
    criticalities[0][0] = legal == 0 ? 0 : 1;
    criticalities[1][0] = legal == 0 ? 1 : 0;
    return legal < 2 ? 1000.0F : 2000.0F;
  }));
  EXPECT_GT(legal, 1);
  EXPECT_EQ(nodes_of(finder, 1)[1], contest.quick) << "of the first one";
}

// The further round does not end within the iterations.
TEST(PathFinder, ALegalRoutingIsNotLostInAFurtherRound) {
  const Contest contest;
  const RoutingGraph graph = contest.chip.graph();
  RoutingOptions options;
  int iterations = 0;
  PathFinder(graph, contest.nets(), options)
      .route([&](const Iteration&) { ++iterations; },
             [&](const SinkValues&, SinkValues& criticalities) {
               criticalities[1][0] = 1;
               return 1000.0F;
             });
  bool is_legal = false;
  options.max_iterations = iterations + 1;
  PathFinder finder(graph, contest.nets(), options);
  ASSERT_TRUE(finder.route(kUnwatched, [&](const SinkValues& delays_ps, SinkValues& criticalities) {
    is_legal |= Contest::is_legal(delays_ps);
    criticalities[is_legal ? 0 : 1][0] = 1;
    criticalities[is_legal ? 1 : 0][0] = is_legal ? 1 : 0;
    return 1000.0F;
  }));
  EXPECT_FALSE(finder.is_shared(contest.quick));
  EXPECT_EQ(nodes_of(finder, 1)[1], contest.quick);
}

// A mesh of tiles with several wires between neighbours: every net is a tree from its source to all
// its sinks with the delays from there, and no node has two nets.
TEST(PathFinder, RoutesAMeshLegally) {
  constexpr int kSide = 12, kWires = 8, kSwitchPs = 100;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  RoutingGraph graph;
  std::vector<std::vector<Node>> sources(kSide * kSide), sinks(kSide * kSide), wires(kSide * kSide);
  for (int tile = 0; tile < kSide * kSide; ++tile) {
    for (int index = 0; index < kWires * 3; ++index) {
      const auto x = static_cast<uint8_t>(tile % kSide), y = static_cast<uint8_t>(tile / kSide);
      graph.reaches.push_back({x, y, x, y});
      graph.tiles.push_back(static_cast<uint16_t>(tile));
      (index < kWires       ? sources
       : index < 2 * kWires ? sinks
                            : wires)[static_cast<size_t>(tile)]
          .push_back(first_nodes(graph.node_count()).back());
    }
  }
  ByNode<std::set<Node>> drives(graph.reaches.size());
  for (int tile = 0; tile < kSide * kSide; ++tile) {
    const int x = tile % kSide, y = tile / kSide;
    std::vector<Node> next = wires[static_cast<size_t>(tile)];
    for (const auto [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      if (x + dx < 0 || x + dx >= kSide || y + dy < 0 || y + dy >= kSide) continue;
      const auto& there = wires[static_cast<size_t>(tile + dy * kSide + dx)];
      next.insert(next.end(), there.begin(), there.end());
    }
    for (const Node source : sources[static_cast<size_t>(tile)])
      drives[source].insert(next.begin(), next.end());
    for (const Node wire : wires[static_cast<size_t>(tile)]) {
      drives[wire].insert(next.begin(), next.end());
      for (const Node sink : sinks[static_cast<size_t>(tile)]) drives[wire].insert(sink);
    }
  }
  for (const auto& targets : drives) {
    graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
    for (const Node target : targets)
      graph.edges.push_back({target, kSwitchPs, Edge::Kind::kInterconnect});
  }
  graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
  const auto pin = [&](Node node) {
    const auto& reach = graph.reaches[node];
    return Pin{node, {reach.x0, reach.y0}};
  };
  std::vector<int> order(kSide * kSide);
  for (int tile = 0; tile < kSide * kSide; ++tile) order[static_cast<size_t>(tile)] = tile;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Net> nets;
  for (size_t at = 0; at + 2 < order.size(); at += 3) {
    nets.push_back({"net " + std::to_string(at),
                    false,
                    {pin(sources[static_cast<size_t>(order[at])][0])},
                    {pin(sinks[static_cast<size_t>(order[at + 1])][0]),
                     pin(sinks[static_cast<size_t>(order[at + 2])][0])}});
  }
  PathFinder finder(graph, nets, {});
  ASSERT_TRUE(finder.route(kUnwatched));
  std::set<Node> used;
  for (size_t net = 0; net < nets.size(); ++net) {
    const auto& tree = finder.tree(net);
    std::set<Node> reached;
    for (const auto& branch : tree) {
      EXPECT_TRUE(used.insert(branch.node).second) << "a node has two nets";
      reached.insert(branch.node);
      if (branch.driver >= 0) {
        const auto& driver = tree[static_cast<size_t>(branch.driver)];
        EXPECT_TRUE(drives[driver.node].contains(branch.node));
        EXPECT_EQ(branch.delay_ps, driver.delay_ps + kSwitchPs);
      } else {
        EXPECT_EQ(branch.delay_ps, 0);
      }
    }
    for (const Pin& sink : nets[net].sinks)
      EXPECT_TRUE(reached.contains(sink.node)) << nets[net].name;
  }
}

}  // namespace
}  // namespace vta::router
