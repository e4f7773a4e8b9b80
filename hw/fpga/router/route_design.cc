// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/route_design.h"

#include <cmath>
#include <set>
#include <unordered_map>

#include "base/errors/error.h"
#include "hw/fpga/router/edge_delays.h"
#include "hw/fpga/router/route_timing.h"

namespace vta::router {
namespace {

// Pins of a bel that share a wire are one sink.
std::set<std::string> sink_wires_of(const PlacedNet& net) {
  return {net.sinks.begin(), net.sinks.end()};
}

std::vector<Pin> sinks_of(const ChipGraph& graph, const PlacedNet& net) {
  std::vector<Pin> sinks;
  for (const std::string& wire : sink_wires_of(net)) sinks.push_back(graph.sink(wire));
  return sinks;
}

std::vector<Net> nets_of(const ChipGraph& graph, const PlacedDesign& design) {
  std::vector<Net> nets;
  for (const PlacedNet& placed : design.nets) {
    nets.push_back(with_context("net " + placed.name, [&] {
      Net net{placed.name, placed.is_everywhere, {}, sinks_of(graph, placed)};
      net.sources = placed.is_everywhere ? graph.everywhere(placed.source)
                                         : std::vector<Pin>{graph.source(placed.source)};
      return net;
    }));
  }
  return nets;
}

NetRoute route_of(const ChipGraph& graph, const PlacedNet& net,
                  const std::vector<PathFinder::Branch>& tree) {
  NetRoute route{net.name, {}, {}, {}};
  std::set<Node> sources;
  std::unordered_map<Node, float> delays_ps;
  for (const PathFinder::Branch& branch : tree) {
    delays_ps[branch.node] = branch.delay_ps;
    if (branch.driver < 0) continue;
    const PathFinder::Branch& driver = tree[static_cast<size_t>(branch.driver)];
    if (driver.driver < 0 && sources.insert(driver.node).second)
      route.sources.push_back(graph.name_of(driver.node));
    route.switches.push_back(graph.name_of_switch(driver.node, branch.node));
  }
  for (const std::string& wire : sink_wires_of(net))
    route.delays.push_back({wire, static_cast<int>(std::lround(delays_ps.at(graph.node(wire))))});
  return route;
}

}  // namespace

RoutedDesign route_design(const ChipDatabase& chip, const PlacedDesign& design,
                          SwitchDelays& delays, const RoutingOptions& options,
                          const std::function<void(const Iteration&)>& watch) {
  const ChipGraph chip_graph(chip, design.cells);
  const RoutingGraph graph = timed_graph(chip, chip_graph, delays);
  const auto node_of = [&](const std::string& wire) { return chip_graph.node(wire); };
  PathFinder finder(graph, nets_of(chip_graph, design), options);
  RouteTiming timing(design, finder.nets(), node_of);
  finder.route(watch, [&](const SinkValues& delays_ps, SinkValues& criticalities) {
    return timing.update(delays_ps, criticalities);
  });
  RoutedDesign routed;
  routed.shared = shared_wires(finder, design.nets,
                               {[&](Node node) { return chip_graph.name_of(node); }, node_of});
  for (size_t net = 0; net < design.nets.size(); ++net)
    routed.routes.push_back(route_of(chip_graph, design.nets[net], finder.tree(net)));
  return routed;
}

}  // namespace vta::router
