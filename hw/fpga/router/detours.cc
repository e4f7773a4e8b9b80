// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/detours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <unordered_set>

#include "base/errors/error.h"
#include "hw/fpga/router/edge_delays.h"
#include "hw/fpga/router/path_finder.h"

namespace vta::router {
namespace {

constexpr float kSwitchPs = 20;     // added to each switch's delay, as in PathFinder
constexpr float kCrossingPs = 300;  // added for a node of another net, which has to give way
constexpr size_t kMaxVisits = 100'000;
// Tiles from the sink to the point that a way around passes.
constexpr auto kRadii = std::to_array({1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40});
constexpr auto kDirections = std::to_array<Point>({{0, 1}, {0, -1}, {1, 0}, {-1, 0}});

constexpr int kCrossings = 20;  // ways through other nets that are tried

constexpr auto is_worse = [](const auto& a, const auto& b) {
  return a.total != b.total ? a.total > b.total : a.node > b.node;
};

}  // namespace

DetourSearch::DetourSearch(const RoutingGraph& graph, const ByNode<uint8_t>& is_used)
    : graph_(graph), is_used_(is_used), states_(graph.node_count()), is_own_(graph.node_count()) {}

std::optional<Detour> DetourSearch::find(const std::vector<Node>& tree, const Pin& sink,
                                         Point through) {
  ++find_;
  const std::vector<Node> there = leg(tree, through, nullptr);
  if (there.size() < 2) return std::nullopt;
  for (const Node node : there) is_own_[node] = find_;
  const std::vector<Node> back = leg({there.back()}, sink.interconnect, &sink);
  if (back.empty()) return std::nullopt;
  Detour detour{there.front(), {there.begin() + 1, there.end()}};
  detour.nodes.insert(detour.nodes.end(), back.begin() + 1, back.end());
  return detour;
}

std::vector<Node> DetourSearch::way(const std::vector<Node>& tree, const Pin& sink) {
  ++find_;
  return leg(tree, sink.interconnect, &sink);
}

void DetourSearch::push(Node node, float cost, Node driver, Point towards) {
  states_[node] = {cost, search_, driver};
  const Point rest = distance(graph_.reaches[node].box(), towards);
  queue_.push_back({cost + travel_ps(rest), cost, node});
  std::push_heap(queue_.begin(), queue_.end(), is_worse);
}

bool DetourSearch::is_allowed(const Edge& edge, const Pin* sink) const {
  const Node target = edge.target;
  const bool is_sink = sink != nullptr && edge.target == sink->node;
  const bool is_free = is_used_[target] == 0 || (crosses_ && is_used_[target] == kTaken);
  if (!is_sink && (!is_free || is_own_[target] == find_)) return false;
  switch (edge.kind) {
    case Edge::Kind::kWithinTile:
    case Edge::Kind::kInterconnect:
      return true;
    case Edge::Kind::kLeavesInterconnect:
      return sink != nullptr && graph_.reaches[target].box().contains(sink->interconnect);
    case Edge::Kind::kEntersSite:
      return sink != nullptr && graph_.tiles[target] == graph_.tiles[sink->node];
  }
  return false;
}

std::vector<Node> DetourSearch::leg(const std::vector<Node>& starts, Point towards,
                                    const Pin* sink) {
  ++search_;
  queue_.clear();
  for (const Node start : starts) push(start, 0, kNoNode, towards);
  for (size_t visits = 0; !queue_.empty() && visits < kMaxVisits; ++visits) {
    std::pop_heap(queue_.begin(), queue_.end(), is_worse);
    const Candidate best = queue_.back();
    queue_.pop_back();
    const State from = states_[best.node];
    if (best.cost > from.cost) continue;
    const bool is_there = sink != nullptr
                              ? best.node == sink->node
                              : from.driver != kNoNode &&
                                    graph_.reaches[best.node].box().grown_by(1).contains(towards);
    if (is_there) {
      std::vector<Node> path;
      for (Node at = best.node; at != kNoNode; at = states_[at].driver) path.push_back(at);
      std::ranges::reverse(path);
      return path;
    }
    for (const Edge& edge : graph_.edges_of(best.node)) {
      if (!is_allowed(edge, sink)) continue;
      const bool is_crossing = is_used_[edge.target] != 0;
      const float cost = best.cost + static_cast<float>(edge.delay_ps) + kSwitchPs +
                         (is_crossing ? kCrossingPs : 0);
      const State& state = states_[edge.target];
      if (state.search == search_ && state.cost <= cost) continue;
      push(edge.target, cost, best.node, towards);
    }
  }
  return {};
}

namespace {

// The route of a net that has a source, as switches by the node that they drive.
class EditedRoute {
 public:
  EditedRoute(const ChipGraph& chip, const PlacedNet& net, const NetRoute& route,
              SwitchDelays& delays)
      : chip_(chip), delays_(delays), source_(chip.node(net.source)) {
    for (const std::string& name : route.switches) {
      const Switch found = chip.switch_named(name);
      driver_.emplace(found.target, found.source);
      order_.push_back(found.target);
      ++children_[found.source];
    }
    for (const std::string& wire : net.sinks) sinks_.insert(chip.node(wire));
  }

  // Takes away what leads to the sink only; returns these nodes, the sink's first.
  std::vector<Node> cut(Node sink) {
    std::vector<Node> taken;
    for (Node at = sink; driver_.contains(at);) {
      if (at != sink && (children_[at] > 0 || sinks_.contains(at))) break;
      taken.push_back(at);
      const Node driver = driver_.at(at);
      driver_.erase(at);
      --children_[driver];
      at = driver;
    }
    std::erase_if(order_, [&](Node node) { return !driver_.contains(node); });
    return taken;
  }

  // From the sink towards the source.
  std::vector<Node> path_to(Node sink) const {
    std::vector<Node> path;
    for (Node at = sink; driver_.contains(at); at = driver_.at(at)) path.push_back(at);
    return path;
  }

  void add(Node driver, Node target) {
    driver_.emplace(target, driver);
    order_.push_back(target);
    ++children_[driver];
  }

  std::vector<Node> nodes() const {
    std::vector<Node> nodes{source_};
    nodes.insert(nodes.end(), order_.begin(), order_.end());
    return nodes;
  }

  // From the source.
  CornerDelays delays_of(Node node) const {
    CornerDelays delays;
    for (; driver_.contains(node); node = driver_.at(node))
      delays = delays + delay_of(driver_.at(node), node);
    return delays;
  }

  CornerDelays delay_of(Node driver, Node target) const {
    return delays_.of(chip_.switch_named(chip_.name_of_switch(driver, target)));
  }

  std::vector<std::string> switches() const {
    std::vector<std::string> names;
    for (const Node node : order_) names.push_back(chip_.name_of_switch(driver_.at(node), node));
    return names;
  }

 private:
  const ChipGraph& chip_;
  SwitchDelays& delays_;
  const Node source_;
  std::unordered_map<Node, Node> driver_;
  std::unordered_map<Node, int> children_;
  std::unordered_set<Node> sinks_;
  std::vector<Node> order_;
};

// Edits routes one sink at a time.
class Lengthener {
 public:
  Lengthener(const ChipDatabase& chip, const PlacedDesign& design, std::vector<NetRoute>& routes,
             SwitchDelays& delays)
      : delays_(delays),
        chip_(chip, design.cells),
        graph_(timed_graph(chip, chip_, delays)),
        is_used_(graph_.node_count()),
        net_of_(graph_.node_count(), -1),
        search_(graph_, is_used_),
        routes_(routes) {
    for (const PlacedNet& net : design.nets) nets_.emplace(net.name, &net);
    for (size_t i = 0; i < routes.size(); ++i) {
      route_of_.emplace(routes[i].name, i);
      const auto net = nets_.find(routes[i].name);
      const bool gives_way = net != nets_.end() && !net->second->is_everywhere;
      for (const std::string& name : routes[i].switches)
        take(chip_.switch_named(name).target, gives_way ? static_cast<int32_t>(i) : -1);
    }
    for (const PlacedNet& net : design.nets) {
      if (!net.is_everywhere && !net.sinks.empty() && !route_of_.contains(net.name))
        fail(ErrorCode::kCorrupt, "the routes have no net {}: its wires would count as free",
             net.name);
    }
  }

  // Whether there is a way around.
  bool lengthen(const LongerSink& wanted) {
    const auto net = nets_.find(wanted.net);
    const auto number = route_of_.find(wanted.net);
    if (net == nets_.end() || number == route_of_.end())
      fail(ErrorCode::kNotFound, "the design has no routed net {}", wanted.net);
    if (net->second->is_everywhere) return false;  // its wires are not the router's
    NetRoute& route = routes_[number->second];
    const Pin sink = chip_.sink(wanted.wire);
    EditedRoute edited(chip_, *net->second, route, delays_);
    const CornerDelays before = edited.delays_of(sink.node);
    std::vector<Node> taken = edited.cut(sink.node);
    if (taken.empty()) return false;
    const float least_ps = before.fast_min + static_cast<float>(wanted.fast_ps);
    for (const Node node : taken) release(node);
    auto found = best_detour(edited, sink, least_ps);
    if (!found) found = crossing_detour(edited, sink, least_ps);
    if (!found) {
      for (const Node node : taken) take(node, static_cast<int32_t>(number->second));
      return false;
    }
    add_way(edited, found->from, found->nodes, number->second);
    route.switches = edited.switches();
    set_delay(route, wanted.wire, edited.delays_of(sink.node));
    return true;
  }

 private:
  // Before a change of is_used_ and net_of_.
  struct Use {
    Node node;
    uint8_t use;
    int32_t net;
  };

  // `net`: index in routes_, or -1 for one that cannot give way.
  void take(Node node, int32_t net) { set_use(node, net < 0 ? kKept : kTaken, net); }
  void release(Node node) { set_use(node, 0, -1); }
  void set_use(Node node, uint8_t use, int32_t net) {
    changes_.push_back({node, is_used_[node], net_of_[node]});
    is_used_[node] = use;
    net_of_[node] = net;
  }
  void undo_changes() {
    for (const Use& before : std::views::reverse(changes_)) {
      is_used_[before.node] = before.use;
      net_of_[before.node] = before.net;
    }
    changes_.clear();
  }

  void add_way(EditedRoute& edited, Node driver, const std::vector<Node>& nodes, size_t net) {
    for (const Node node : nodes) {
      edited.add(driver, node);
      take(node, static_cast<int32_t>(net));
      driver = node;
    }
  }

  static void set_delay(NetRoute& route, const std::string& sink, const CornerDelays& delays) {
    for (auto& [wire, ps] : route.delays)
      if (wire == sink) ps = static_cast<int>(std::lround(delays.slow_max));
  }

  // A way through wires of other nets, which have other routes then.
  std::optional<Detour> crossing_detour(const EditedRoute& edited, const Pin& sink,
                                        float least_ps) {
    std::vector<Node> barred = edited.nodes();  // not through the net's own wires
    for (int trial = 0; trial < kCrossings; ++trial) {
      changes_.clear();
      for (const Node node : barred) take(node, -1);
      search_.set_crossing(true);
      auto found = best_detour(edited, sink, least_ps);
      search_.set_crossing(false);
      undo_changes();
      if (!found) return std::nullopt;
      const std::optional<size_t> net = blocking_net(found->nodes);
      if (!net) return found;
      for (const Node node : found->nodes)
        if (net_of_[node] == static_cast<int32_t>(*net)) barred.push_back(node);
    }
    return std::nullopt;
  }

  // Makes the nets that have some of these nodes give way. Changes nothing if one cannot, and
  // returns it.
  std::optional<size_t> blocking_net(const std::vector<Node>& nodes) {
    std::set<size_t> nets;
    for (const Node node : nodes)
      if (const int32_t net = net_of_[node]; net >= 0) nets.insert(static_cast<size_t>(net));
    changes_.clear();
    std::map<size_t, NetRoute> before;
    for (const size_t net : nets) {
      before.emplace(net, routes_[net]);
      if (give_way(net, nodes)) continue;
      undo_changes();
      for (auto& [number, route] : before) routes_[number] = std::move(route);
      return net;
    }
    return std::nullopt;
  }

  bool give_way(size_t number, const std::vector<Node>& nodes) {
    NetRoute& route = routes_[number];
    const PlacedNet& net = *nets_.at(route.name);
    EditedRoute edited(chip_, net, route, delays_);
    const std::vector<std::string> cut = cut_sinks(edited, net, nodes);
    for (const Node node : nodes) take(node, -1);
    for (const std::string& wire : cut) {
      const std::vector<Node> way = search_.way(edited.nodes(), chip_.sink(wire));
      if (way.size() < 2) return false;
      add_way(edited, way.front(), {way.begin() + 1, way.end()}, number);
      set_delay(route, wire, edited.delays_of(way.back()));
    }
    route.switches = edited.switches();
    return true;
  }

  // The sinks of a net that these nodes lead to; takes away their routes.
  std::vector<std::string> cut_sinks(EditedRoute& edited, const PlacedNet& net,
                                     const std::vector<Node>& nodes) {
    std::vector<std::string> cut;
    for (const std::string& wire : net.sinks) {
      const Node sink = chip_.node(wire);
      const bool is_led_to = std::ranges::any_of(edited.path_to(sink), [&](Node node) {
        return std::ranges::find(nodes, node) != nodes.end();
      });
      if (!is_led_to) continue;
      for (const Node node : edited.cut(sink)) release(node);
      cut.push_back(wire);
    }
    return cut;
  }

  std::optional<Detour> best_detour(const EditedRoute& edited, const Pin& sink, float least_ps) {
    const std::vector<Node> tree = edited.nodes();
    for (const int radius : kRadii) {
      std::optional<Detour> best;
      float best_ps = std::numeric_limits<float>::max();
      for (const Point direction : kDirections) {
        const Point through{sink.interconnect.x + direction.x * radius,
                            sink.interconnect.y + direction.y * radius};
        const auto detour = search_.find(tree, sink, through);
        if (!detour) continue;
        const CornerDelays delays = delays_of(edited, *detour);
        if (delays.fast_min < least_ps || delays.slow_max >= best_ps) continue;
        best = detour;
        best_ps = delays.slow_max;
      }
      if (best) return best;
    }
    return std::nullopt;
  }

  static CornerDelays delays_of(const EditedRoute& edited, const Detour& detour) {
    CornerDelays delays = edited.delays_of(detour.from);
    Node driver = detour.from;
    for (const Node node : detour.nodes) {
      delays = delays + edited.delay_of(driver, node);
      driver = node;
    }
    return delays;
  }

  SwitchDelays& delays_;
  const ChipGraph chip_;
  const RoutingGraph graph_;
  ByNode<uint8_t> is_used_;
  ByNode<int32_t> net_of_;    // in routes_, or -1
  std::vector<Use> changes_;  // since it was cleared
  DetourSearch search_;
  std::vector<NetRoute>& routes_;
  std::unordered_map<std::string, const PlacedNet*> nets_;
  std::unordered_map<std::string, size_t> route_of_;
};

}  // namespace

std::vector<LongerSink> make_longer(const ChipDatabase& chip, const PlacedDesign& design,
                                    const std::vector<LongerSink>& wanted,
                                    std::vector<NetRoute>& routes, SwitchDelays& delays) {
  Lengthener lengthener(chip, design, routes, delays);
  std::vector<LongerSink> left;
  for (const LongerSink& sink : wanted)
    if (!lengthener.lengthen(sink)) left.push_back(sink);
  return left;
}

}  // namespace vta::router
