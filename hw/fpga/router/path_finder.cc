// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/path_finder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "base/errors/error.h"

namespace vta::router {
namespace {

constexpr float kSwitchPs =
    20;  // added to each switch's delay: few switches are better than many fast ones
constexpr float kPinsPs = 400;      // of a connection's ends, typically
constexpr float kCommonWay = 1.3F;  // times the estimate: the delay of half of all connections
constexpr int kManyBranches = 200;  // of a tree; then only those near a sink start its search
constexpr int kNearTiles = 12;
constexpr int kAnyTiles = 255;     // between any two
constexpr int kConstantTiles = 2;  // between a pin and the constants that start its search
constexpr int kPatience = 3;       // failures until a net's box grows
constexpr int kGrowthTiles = 4;

int tiles_between(const Pin& a, const Pin& b) {
  return std::abs(a.interconnect.x - b.interconnect.x) +
         std::abs(a.interconnect.y - b.interconnect.y);
}

// Nearest sinks first: paths to the others begin at theirs.
Net ordered(Net net) {
  const Pin source = net.sources.front();
  std::ranges::sort(net.sinks, {}, [&](const Pin& sink) {
    return std::pair(tiles_between(sink, source), sink.node);
  });
  return net;
}

std::vector<Net> ordered(std::vector<Net> nets) {
  for (Net& net : nets) net = ordered(std::move(net));
  return nets;
}

Box box_of(const Net& net) {
  Box box = Box::at(net.sinks.front().interconnect);
  for (const auto* pins : {&net.sources, &net.sinks})
    for (const Pin& pin : *pins) box.include(pin.interconnect);
  return box;
}

// Sinks, the most critical first, and otherwise the nearest.
std::vector<size_t> by_criticality(const std::vector<float>& criticalities) {
  std::vector<size_t> order(criticalities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(-criticalities[i], i); });
  return order;
}

constexpr auto is_worse = [](const auto& a, const auto& b) {
  return a.total != b.total ? a.total > b.total : a.node > b.node;
};

}  // namespace

// Quads and long lines beyond 6 rows and 12 columns, shorter ones below.
float travel_ps(Point tiles) {
  constexpr float kFarRow = 38, kNearRow = 46, kFarColumn = 15, kNearColumn = 25;
  constexpr int kNearRows = 6, kNearColumns = 12;
  return kFarRow * static_cast<float>(std::max(tiles.y - kNearRows, 0)) +
         kNearRow * static_cast<float>(std::min(tiles.y, kNearRows)) +
         kFarColumn * static_cast<float>(std::max(tiles.x - kNearColumns, 0)) +
         kNearColumn * static_cast<float>(std::min(tiles.x, kNearColumns));
}

void Box::include(Point point) {
  x0 = std::min(x0, point.x);
  y0 = std::min(y0, point.y);
  x1 = std::max(x1, point.x);
  y1 = std::max(y1, point.y);
}

Point distance(const Box& box, Point point) {
  return {std::max({0, box.x0 - point.x, point.x - box.x1}),
          std::max({0, box.y0 - point.y, point.y - box.y1})};
}

PathFinder::PathFinder(const RoutingGraph& graph, std::vector<Net> nets,
                       const RoutingOptions& options)
    : graph_(graph),
      nets_(ordered(std::move(nets))),
      options_(options),
      states_(graph.node_count()),
      trees_(nets_.size()),
      failures_(nets_.size()) {
  for (const Net& net : nets_) {
    boxes_.push_back(box_of(net));
    delays_ps_.emplace_back(net.sinks.size());
    criticalities_.emplace_back(net.sinks.size());
    slow_tries_.emplace_back(net.sinks.size());
  }
  estimate_delays();
}

void PathFinder::estimate_delays() {
  for (size_t net = 0; net < nets_.size(); ++net) {
    if (nets_[net].is_everywhere) continue;
    const Box source = Box::at(nets_[net].sources[0].interconnect);
    for (size_t i = 0; i < nets_[net].sinks.size(); ++i)
      delays_ps_[net][i] = kPinsPs + travel_ps(distance(source, nets_[net].sinks[i].interconnect));
  }
  quickest_ps_ = delays_ps_;
  for (auto& quickest : quickest_ps_)
    for (float& ps : quickest) ps *= kCommonWay;
}

bool PathFinder::route(const std::function<void(const Iteration&)>& watch, const Retime& retime) {
  std::vector<size_t> order(nets_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Nets with many sinks have the fewest ways around others.
  std::ranges::sort(order, {}, [&](size_t net) {
    return std::pair(-static_cast<int64_t>(nets_[net].sinks.size()), net);
  });
  is_timed_ = static_cast<bool>(retime);
  if (is_timed_) retime(delays_ps_, criticalities_);
  start_round();
  for (int number = 1; number <= options_.max_iterations; ++number) {
    Iteration iteration{number, 0, 0, 0, 0};
    for (const size_t net : order) {
      if (number > 1 && !shares_nodes(net) && !has_slow_sinks(net)) continue;
      route_net(net);
      ++iteration.routed_nets;
    }
    iteration.shared_nodes = charge_shared_nodes(iteration.used_nodes);
    if (is_timed_) iteration.longest_path_ps = retime(delays_ps_, criticalities_);
    watch(iteration);
    if (iteration.shared_nodes == 0 && !starts_better_round(iteration.longest_path_ps)) break;
    press();
  }
  if (best_.trees.empty()) return false;
  restore_best();
  return true;
}

void PathFinder::restore_best() {
  trees_ = std::move(best_.trees);
  for (State& state : states_) state.nets = 0;
  for (size_t net = 0; net < nets_.size(); ++net) {
    for (const Branch& branch : trees_[net])
      if (branch.driver >= 0 || !nets_[net].is_everywhere) ++states_[branch.node].nets;
    if (!trees_[net].empty()) read_delays(net);
  }
}

// Routing begins with little pressure: nets share nodes, and delays count most.
void PathFinder::start_round() {
  round_iterations_ = 1;
  sharing_cost_ = options_.first_sharing_cost;
  history_cost_ = options_.history_cost;
  max_delay_share_ = options_.max_delay_share;
}

// From iteration to iteration sharing costs more, and delays count less.
void PathFinder::press() {
  ++round_iterations_;
  const double pressure = std::max(1.0, round_iterations_ / options_.timing_iterations);
  sharing_cost_ = std::min(sharing_cost_ * options_.sharing_growth, options_.max_sharing_cost);
  history_cost_ = options_.history_cost * pressure;
  max_delay_share_ = options_.max_delay_share / pressure;
}

bool PathFinder::starts_better_round(float longest_ps) {
  const bool is_better = best_.trees.empty() || longest_ps < best_.longest_path_ps;
  fruitless_rounds_ = is_better ? 0 : fruitless_rounds_ + 1;
  if (is_better) best_ = {longest_ps, trees_};
  if (!is_timed_ || fruitless_rounds_ >= options_.max_fruitless_rounds) return false;
  for (auto& tries : slow_tries_) std::ranges::fill(tries, uint8_t{0});
  start_round();
  return std::ranges::any_of(std::views::iota(size_t{0}, nets_.size()),
                             [&](size_t net) { return has_slow_sinks(net); });
}

float PathFinder::delay_share(float criticality) const {
  if (!is_timed_) return static_cast<float>(options_.delay_share);
  return static_cast<float>(max_delay_share_ *
                            std::pow(criticality, options_.criticality_exponent));
}

bool PathFinder::shares_nodes(size_t net) const {
  return std::any_of(trees_[net].begin(), trees_[net].end(),
                     [&](const Branch& branch) { return states_[branch.node].nets > 1; });
}

bool PathFinder::is_slow(size_t net, size_t sink) const {
  return criticalities_[net][sink] > options_.critical &&
         delays_ps_[net][sink] > options_.slow * quickest_ps_[net][sink] &&
         slow_tries_[net][sink] < options_.max_slow_tries;
}

bool PathFinder::has_slow_sinks(size_t net) const {
  for (size_t sink = 0; sink < nets_[net].sinks.size(); ++sink)
    if (is_slow(net, sink)) return true;
  return false;
}

void PathFinder::read_delays(size_t net) {
  const auto& tree = trees_[net];
  for (size_t at = 0; at < tree.size(); ++at)
    states_[tree[at].node].branch = static_cast<int32_t>(at);
  const auto& sinks = nets_[net].sinks;
  for (size_t i = 0; i < sinks.size(); ++i) {
    const int32_t branch = states_[sinks[i].node].branch;
    delays_ps_[net][i] = tree[static_cast<size_t>(branch)].delay_ps;
  }
  auto& quickest = quickest_ps_[net];
  for (size_t i = 0; i < quickest.size(); ++i)
    quickest[i] = std::min(quickest[i], delays_ps_[net][i]);
}

void PathFinder::rip_up(size_t net) {
  keep_branches(net, [&](const Branch& branch) { return states_[branch.node].nets <= 1; });
  // What led to a sink through a shared node leads nowhere now, and its nodes may serve others.
  const auto& tree = trees_[net];
  std::vector<uint8_t> leads_to_sink(tree.size());
  for (size_t i = 0; i < nets_[net].sinks.size(); ++i) {
    const bool slow = !tree.empty() && is_slow(net, i);
    slow_tries_[net][i] += slow ? 1 : 0;
    states_[nets_[net].sinks[i].node].is_sink = !slow;
  }
  for (size_t at = tree.size(); at-- > 0;) {
    leads_to_sink[at] |= states_[tree[at].node].is_sink ? 1 : 0;
    if (tree[at].driver >= 0)
      leads_to_sink[static_cast<size_t>(tree[at].driver)] |= leads_to_sink[at];
  }
  for (const Pin& sink : nets_[net].sinks) states_[sink.node].is_sink = false;
  keep_branches(net, [&](const Branch& branch) {
    return leads_to_sink[static_cast<size_t>(&branch - tree.data())] != 0;
  });
}

template <typename IsKept>
void PathFinder::keep_branches(size_t net, IsKept&& is_kept) {
  auto& tree = trees_[net];
  std::vector<Branch> kept;
  std::vector<int32_t> place(tree.size(), -1);  // in `kept`
  for (size_t at = 0; at < tree.size(); ++at) {
    Branch branch = tree[at];
    const bool is_source = branch.driver < 0;
    const bool is_driven = is_source || place[static_cast<size_t>(branch.driver)] >= 0;
    if (!is_source && (!is_driven || !is_kept(tree[at]))) {
      --states_[branch.node].nets;
      continue;
    }
    if (!is_source) branch.driver = place[static_cast<size_t>(branch.driver)];
    place[at] = static_cast<int32_t>(kept.size());
    kept.push_back(branch);
  }
  tree = std::move(kept);
}

void PathFinder::route_net(size_t net) {
  auto& tree = trees_[net];
  if (!tree.empty()) ++failures_[net];
  rip_up(net);
  if (tree.empty() && !nets_[net].is_everywhere) {
    const Node source = nets_[net].sources[0].node;
    tree.push_back({source, -1, 0});
    ++states_[source].nets;
  }
  ++reached_mark_;
  for (const Branch& branch : tree) states_[branch.node].reached = reached_mark_;
  const Box box =
      boxes_[net].grown_by(options_.margin_tiles + failures_[net] / kPatience * kGrowthTiles);
  constexpr Box kEverywhere{0, 0, kAnyTiles, kAnyTiles};
  for (const size_t i : by_criticality(criticalities_[net])) {
    const Pin& sink = nets_[net].sinks[i];
    if (states_[sink.node].reached == reached_mark_) continue;
    // The branches near a sink may be far from the source: a sink that hurries starts from all.
    const int near_tiles = criticalities_[net][i] > options_.critical ? kAnyTiles : kNearTiles;
    if (!route_sink(net, i, box, near_tiles) && !route_sink(net, i, kEverywhere, kAnyTiles))
      fail(ErrorCode::kUnsupported,
           "net {}: no path to its pin {} (node {}), which the interconnect feeds at X{}Y{}",
           nets_[net].name, i, fmt::underlying(sink.node), sink.interconnect.x,
           sink.interconnect.y);
  }
  time_tree(net);
  read_delays(net);
}

uint8_t PathFinder::switch_type(Node source, Node target) const {
  return std::ranges::find(graph_.edges_of(source), target, &Edge::target)->type;
}

void PathFinder::time_tree(size_t net) {
  const Loads& loads = graph_.loads;
  if (loads.conductors.empty()) return;
  auto& tree = trees_[net];
  std::vector<float> load_ff(tree.size());  // of a node and what follows, up to the next buffers
  for (size_t at = tree.size(); at-- > 0;) {
    load_ff[at] += loads.conductors[tree[at].node].ff;
    if (tree[at].driver < 0) continue;
    const Loads::Switch& driver = loads.switches[tree[at].switch_type];
    load_ff[static_cast<size_t>(tree[at].driver)] +=
        driver.is_buffer ? driver.input_ff : load_ff[at];
  }
  for (size_t at = 0; at < tree.size(); ++at) {
    if (tree[at].driver < 0) continue;
    const Loads::Switch& driver = loads.switches[tree[at].switch_type];
    const Loads::Conductor& driven = loads.conductors[tree[at].node];
    constexpr float kOhmFemtoFaradPerPs = 1000;
    const float charged = driver.ohm * load_ff[at] + driven.ohm * (load_ff[at] - driven.ff / 2);
    tree[at].delay_ps = tree[static_cast<size_t>(tree[at].driver)].delay_ps + driver.own_ps +
                        charged / kOhmFemtoFaradPerPs;
  }
}

void PathFinder::push(Node node, float cost, float delay_ps, Node driver, int32_t branch,
                      const Pin& sink) {
  State& state = states_[node];
  state.cost = cost;
  state.delay_ps = delay_ps;
  state.search = search_;
  state.driver = driver;
  state.branch = branch;
  const Point rest = distance(graph_.reaches[node].box(), sink.interconnect);
  const float weight = static_cast<float>(options_.distance_weight) -
                       delay_share_ * static_cast<float>(options_.critical_weight_less);
  const float total = cost + weight * travel_ps(rest);
  queue_.push_back({total, cost, node});
  std::push_heap(queue_.begin(), queue_.end(), is_worse);
}

void PathFinder::push_tree(size_t net, const Pin& sink, int near_tiles) {
  const auto& tree = trees_[net];
  const auto push_within = [&](int tiles) {
    for (size_t at = 0; at < tree.size(); ++at) {
      const Point far = distance(graph_.reaches[tree[at].node].box(), sink.interconnect);
      if (far.x > tiles || far.y > tiles) continue;
      push(tree[at].node, delay_share_ * tree[at].delay_ps, tree[at].delay_ps, kNoNode,
           static_cast<int32_t>(at), sink);
    }
  };
  if (tree.size() > kManyBranches) push_within(near_tiles);
  if (queue_.empty()) push_within(kAnyTiles);
  if (!nets_[net].is_everywhere) return;
  for (const Pin& source : nets_[net].sources) {
    if (tiles_between(source, sink) <= kConstantTiles) push(source.node, 0, 0, kNoNode, -1, sink);
  }
}

bool PathFinder::route_sink(size_t net, size_t number, const Box& box, int near_tiles) {
  const Pin& sink = nets_[net].sinks[number];
  delay_share_ = delay_share(criticalities_[net][number]);
  ++search_;
  queue_.clear();
  push_tree(net, sink, near_tiles);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), is_worse);
    const Candidate best = queue_.back();
    queue_.pop_back();
    if (best.cost > states_[best.node].cost) continue;  // found a better path meanwhile
    if (best.node == sink.node) {
      add_path(net, sink.node);
      return true;
    }
    expand(best.node, sink, box);
  }
  return false;
}

// Whether a path to `sink` may take the edge.
bool PathFinder::leads_to(const Edge& edge, const Pin& sink, const Box& box) const {
  const Node target = edge.target;
  switch (edge.kind) {
    case Edge::Kind::kWithinTile:
      return true;
    case Edge::Kind::kInterconnect:
      return graph_.reaches[target].box().meets(box);
    case Edge::Kind::kLeavesInterconnect:
      return graph_.reaches[target].box().contains(sink.interconnect);
    case Edge::Kind::kEntersSite:
      return graph_.tiles[target] == graph_.tiles[sink.node];
  }
  return false;
}

void PathFinder::expand(Node node, const Pin& sink, const Box& box) {
  const State from = states_[node];
  const auto sharing_cost = static_cast<float>(sharing_cost_);
  for (const Edge& edge : graph_.edges_of(node)) {
    if (!leads_to(edge, sink, box)) continue;
    const State& state = states_[edge.target];
    if (state.reached == reached_mark_) continue;  // the net has it, with another driver
    const auto delay_ps = static_cast<float>(edge.delay_ps);
    // The pins of a LUT differ in delay only: those that hurry take the quick ones, others any.
    const float wanted_ps = edge.kind == Edge::Kind::kEntersSite ? 0 : delay_ps;
    const float congestion = (wanted_ps + kSwitchPs) * (1 + state.history) *
                             (1 + static_cast<float>(state.nets) * sharing_cost);
    const float cost = from.cost + (1 - delay_share_) * congestion + delay_share_ * delay_ps;
    if (state.search == search_ && state.cost <= cost) continue;
    push(edge.target, cost, from.delay_ps + delay_ps, node, -1, sink);
  }
}

void PathFinder::add_path(size_t net, Node sink) {
  std::vector<Node> path;
  Node at = sink;
  for (; states_[at].driver != kNoNode; at = states_[at].driver) path.push_back(at);
  auto& tree = trees_[net];
  int32_t driver = states_[at].branch;
  if (driver < 0) {  // a constant, which is not counted: any number of nets may take it
    tree.push_back({at, -1, 0});
    driver = static_cast<int32_t>(tree.size()) - 1;
  }
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    State& state = states_[*node];
    ++state.nets;
    state.reached = reached_mark_;
    const Node before = tree[static_cast<size_t>(driver)].node;
    tree.push_back({*node, driver, state.delay_ps, switch_type(before, *node)});
    driver = static_cast<int32_t>(tree.size()) - 1;
  }
}

size_t PathFinder::charge_shared_nodes(size_t& used) {
  size_t shared = 0;
  for (State& state : states_) {
    used += state.nets > 0 ? 1 : 0;
    if (state.nets <= 1) continue;
    ++shared;
    state.history += static_cast<float>(history_cost_) * static_cast<float>(state.nets - 1);
  }
  return shared;
}

}  // namespace vta::router
