// SPDX-License-Identifier: Apache-2.0
//
// How critical the connections of a design are, by the delays of their routes.
#ifndef VTA_HW_FPGA_ROUTER_ROUTE_TIMING_H_
#define VTA_HW_FPGA_ROUTER_ROUTE_TIMING_H_

#include <functional>
#include <string>
#include <vector>

#include "hw/fpga/router/design_file.h"
#include "hw/fpga/router/path_finder.h"
#include "hw/fpga/router/timing_graph.h"

namespace vta::router {

class RouteTiming {
 public:
  // `nets`: PathFinder's, in the order of the design. Nets without loads have no timing.
  RouteTiming(const PlacedDesign& design, const std::vector<Net>& nets,
              const std::function<Node(const std::string& wire)>& node_of);
  RouteTiming(const RouteTiming&) = delete;
  RouteTiming& operator=(const RouteTiming&) = delete;

  // The longest path in ps for the delays of connections; writes the longest path through each of
  // them as a share of that to `criticalities`, which stays 0 where there is no timing.
  float update(const SinkValues& delays_ps, SinkValues& criticalities);

 private:
  // PathFinder's net for a net of the graph. Several sinks of the graph may share a pin.
  struct Route {
    size_t net;
    std::vector<size_t> sinks;
  };

  std::vector<TimedNet> nets_;
  std::vector<Route> routes_;  // by net of nets_
  TimingGraph graph_;
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_ROUTE_TIMING_H_
