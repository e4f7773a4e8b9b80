// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/route_timing.h"

#include <algorithm>
#include <unordered_map>

namespace vta::router {
namespace {

std::vector<TimedNet> timed_nets(const PlacedDesign& design) {
  std::vector<TimedNet> nets;
  for (const PlacedNet& net : design.nets)
    if (!net.loads.empty()) nets.push_back({net.driver, net.loads});
  return nets;
}

}  // namespace

RouteTiming::RouteTiming(const PlacedDesign& design, const std::vector<Net>& nets,
                         const std::function<Node(const std::string& wire)>& node_of)
    : nets_(timed_nets(design)), graph_(launches_ps(design.cells), nets_) {
  for (size_t number = 0; number < design.nets.size(); ++number) {
    const PlacedNet& net = design.nets[number];
    if (net.loads.empty()) continue;
    std::unordered_map<Node, size_t> sink_of;
    for (const Pin& sink : nets[number].sinks) sink_of.emplace(sink.node, sink_of.size());
    Route route{number, {}};
    for (const std::string& wire : net.sinks) route.sinks.push_back(sink_of.at(node_of(wire)));
    routes_.push_back(std::move(route));
  }
}

float RouteTiming::update(const SinkValues& delays_ps, SinkValues& criticalities) {
  const float longest = graph_.update([&](size_t net, size_t sink) {
    return delays_ps[routes_[net].net][routes_[net].sinks[sink]];
  });
  for (size_t net = 0; net < routes_.size(); ++net) {
    auto& found = criticalities[routes_[net].net];
    std::ranges::fill(found, 0.0F);
    for (size_t i = 0; i < routes_[net].sinks.size(); ++i)
      found[routes_[net].sinks[i]] = std::max(found[routes_[net].sinks[i]], graph_.shares(net)[i]);
  }
  return longest;
}

}  // namespace vta::router
