// SPDX-License-Identifier: Apache-2.0
//
// The delays of all edges of a chip's graph by Project X-Ray's database, in tables.
#ifndef VTA_HW_FPGA_ROUTER_EDGE_DELAYS_H_
#define VTA_HW_FPGA_ROUTER_EDGE_DELAYS_H_

#include <vector>

#include "hw/fpga/router/chip_database.h"
#include "hw/fpga/router/chip_graph.h"
#include "hw/fpga/router/switch_delays.h"

namespace vta::router {

class EdgeDelays {
 public:
  // Errors: as SwitchDelays.
  EdgeDelays(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays);

  // At the slow corner, of a switch with the node that it drives. What else loads that node depends
  // on the route, and is left out.
  float slow_ps(int tile, const chipdb::Pip& pip, Node target) const;

 private:
  struct TileType {
    std::vector<SwitchTiming> switches;  // by pip
    std::vector<ConductorTiming> wires;
  };
  void read_types(SwitchDelays& delays);

  const ChipDatabase& chip_;
  std::vector<TileType> types_;              // by number of the tile's type
  std::vector<ConductorTiming> conductors_;  // by node
};

// The graph with these delays. Errors: as SwitchDelays.
RoutingGraph timed_graph(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_EDGE_DELAYS_H_
