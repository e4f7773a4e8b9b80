// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/detours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/errors/error.h"
#include "hw/fpga/router/edge_delays.h"
#include "hw/fpga/router/path_finder.h"

namespace vta::router {
namespace {

constexpr float kSwitchPs = 20;  // added to each switch's delay, as in PathFinder
constexpr size_t kMaxVisits = 100'000;
// Tiles from the sink to the point that a way around passes.
constexpr auto kRadii = std::to_array({1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40});
constexpr auto kDirections = std::to_array<Point>({{0, 1}, {0, -1}, {1, 0}, {-1, 0}});

constexpr auto is_worse = [](const auto& a, const auto& b) {
  return a.total != b.total ? a.total > b.total : a.node > b.node;
};

}  // namespace

DetourSearch::DetourSearch(const RoutingGraph& graph, const std::vector<uint8_t>& is_used)
    : graph_(graph),
      is_used_(is_used),
      states_(static_cast<size_t>(graph.node_count())),
      is_own_(static_cast<size_t>(graph.node_count())) {}

std::optional<Detour> DetourSearch::find(const std::vector<Node>& tree, const Pin& sink,
                                         Point through) {
  ++find_;
  const std::vector<Node> there = leg(tree, through, nullptr);
  if (there.size() < 2) return std::nullopt;
  for (const Node node : there) is_own_[static_cast<size_t>(node)] = find_;
  const std::vector<Node> back = leg({there.back()}, sink.interconnect, &sink);
  if (back.empty()) return std::nullopt;
  Detour detour{there.front(), {there.begin() + 1, there.end()}};
  detour.nodes.insert(detour.nodes.end(), back.begin() + 1, back.end());
  return detour;
}

void DetourSearch::push(Node node, float cost, Node driver, Point towards) {
  states_[static_cast<size_t>(node)] = {cost, search_, driver};
  const Point rest = distance(graph_.reaches[static_cast<size_t>(node)].box(), towards);
  queue_.push_back({cost + travel_ps(rest), cost, node});
  std::push_heap(queue_.begin(), queue_.end(), is_worse);
}

bool DetourSearch::is_allowed(const Edge& edge, const Pin* sink) const {
  const auto target = static_cast<size_t>(edge.target);
  const bool is_sink = sink != nullptr && edge.target == sink->node;
  if (!is_sink && (is_used_[target] != 0 || is_own_[target] == find_)) return false;
  switch (edge.kind) {
    case Edge::Kind::kWithinTile:
    case Edge::Kind::kInterconnect:
      return true;
    case Edge::Kind::kLeavesInterconnect:
      return sink != nullptr && graph_.reaches[target].box().contains(sink->interconnect);
    case Edge::Kind::kEntersSite:
      return sink != nullptr &&
             graph_.tiles[target] == graph_.tiles[static_cast<size_t>(sink->node)];
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
    const State from = states_[static_cast<size_t>(best.node)];
    if (best.cost > from.cost) continue;
    const bool is_there =
        sink != nullptr
            ? best.node == sink->node
            : from.driver != kNoNode &&
                  graph_.reaches[static_cast<size_t>(best.node)].box().grown_by(1).contains(
                      towards);
    if (is_there) {
      std::vector<Node> path;
      for (Node at = best.node; at != kNoNode; at = states_[static_cast<size_t>(at)].driver)
        path.push_back(at);
      std::ranges::reverse(path);
      return path;
    }
    const auto first = graph_.first_edge[static_cast<size_t>(best.node)];
    const auto end = graph_.first_edge[static_cast<size_t>(best.node) + 1];
    for (uint32_t at = first; at < end; ++at) {
      const Edge& edge = graph_.edges[at];
      if (!is_allowed(edge, sink)) continue;
      const float cost = best.cost + static_cast<float>(edge.delay_ps) + kSwitchPs;
      const State& state = states_[static_cast<size_t>(edge.target)];
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
        is_used_(static_cast<size_t>(graph_.node_count())),
        search_(graph_, is_used_),
        routes_(routes) {
    for (const PlacedNet& net : design.nets) nets_.emplace(net.name, &net);
    for (size_t i = 0; i < routes.size(); ++i) {
      route_of_.emplace(routes[i].name, i);
      for (const std::string& name : routes[i].switches)
        is_used_[static_cast<size_t>(chip_.switch_named(name).target)] = 1;
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
    for (const Node node : taken) is_used_[static_cast<size_t>(node)] = 0;
    const auto found =
        best_detour(edited, sink, before.fast_min + static_cast<float>(wanted.fast_ps));
    if (!found) {
      for (const Node node : taken) is_used_[static_cast<size_t>(node)] = 1;
      return false;
    }
    Node driver = found->from;
    for (const Node node : found->nodes) {
      edited.add(driver, node);
      is_used_[static_cast<size_t>(node)] = 1;
      driver = node;
    }
    route.switches = edited.switches();
    for (auto& [wire, ps] : route.delays)
      if (wire == wanted.wire)
        ps = static_cast<int>(std::lround(edited.delays_of(sink.node).slow_max));
    return true;
  }

 private:
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
  std::vector<uint8_t> is_used_;
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
