// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/route_delays.h"

#include <optional>
#include <unordered_map>

#include "base/errors/error.h"
#include "hw/fpga/router/chip_graph.h"
#include "hw/fpga/router/elmore_tree.h"

namespace vta::router {
namespace {

// The wires that the switches of one net drive.
class Tree {
 public:
  Tree(const ChipGraph& chip, const NetRoute& route, SwitchDelays& delays) {
    for (const std::string& name : route.switches) {
      const Switch found = chip.switch_named(name);
      if (!tree_.add(found.source, found.target, delays.timing(found), delays.driven(found)))
        fail(ErrorCode::kCorrupt, "switch {} drives a wire that another one drives", name);
    }
  }

  // The branch of a wire; adds it and those that lead to it. -1: no switch drives it.
  int32_t branch_of(Node node) {
    std::vector<Node> path;
    for (std::optional<Node> source; !branch_.contains(node); node = *source) {
      if (!(source = tree_.source_of(node))) break;
      path.push_back(node);
      if (path.size() > tree_.size()) fail(ErrorCode::kCorrupt, "its route is a loop");
    }
    const auto known = branch_.find(node);
    int32_t driver = known == branch_.end() ? -1 : known->second;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      const CornerDelays before =
          driver < 0 ? CornerDelays{} : branches_[static_cast<size_t>(driver)].delays;
      branches_.push_back({driver, before + tree_.delays_to(*at)});
      driver = branch_[*at] = static_cast<int32_t>(branches_.size()) - 1;
    }
    return driver;
  }

  std::vector<NetDelays::Branch>& branches() { return branches_; }

 private:
  ElmoreTree tree_;
  std::unordered_map<Node, int32_t> branch_;
  std::vector<NetDelays::Branch> branches_;
};

// Leaves only the branches of sinks, which begin at the source.
void drop_trees(NetDelays& net) {
  std::vector<NetDelays::Branch> kept;
  for (NetDelays::Sink& sink : net.sinks) {
    if (sink.branch < 0) continue;
    kept.push_back({-1, net.branches[static_cast<size_t>(sink.branch)].delays});
    sink.branch = static_cast<int32_t>(kept.size()) - 1;
  }
  net.branches = std::move(kept);
}

NetDelays delays_of(const ChipGraph& chip, const PlacedNet& placed, const NetRoute& route,
                    SwitchDelays& delays) {
  NetDelays net{placed.name, {}, {}};
  Tree tree(chip, route, delays);
  const Node source = placed.is_everywhere ? kNoNode : chip.node(placed.source);
  for (const std::string& wire : placed.sinks) {
    const Node node = chip.node(wire);
    const int32_t branch = tree.branch_of(node);
    if (branch < 0 && node != source)
      fail(ErrorCode::kCorrupt, "its route does not reach {}", wire);
    net.sinks.push_back({wire, branch});
  }
  net.branches = std::move(tree.branches());
  if (!placed.is_everywhere) drop_trees(net);
  return net;
}

}  // namespace

std::vector<NetDelays> route_delays(const ChipDatabase& chip, const PlacedDesign& design,
                                    const std::vector<NetRoute>& routes, SwitchDelays& delays) {
  const ChipGraph graph(chip, design.cells);
  std::unordered_map<std::string_view, const NetRoute*> route_of;
  for (const NetRoute& route : routes) route_of.emplace(route.name, &route);
  std::vector<NetDelays> nets;
  for (const PlacedNet& net : design.nets) {
    const auto found = route_of.find(net.name);
    if (found == route_of.end()) continue;
    nets.push_back(with_context("net " + net.name,
                                [&] { return delays_of(graph, net, *found->second, delays); }));
  }
  return nets;
}

}  // namespace vta::router
