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
  // on the route, and is left out. Of switches within slices those have a delay that a route may
  // avoid.
  ChipGraph::EdgeTiming slow(int tile, const chipdb::Pip& pip, Node target) const;
  // At the slow corner, too.
  Loads loads() const { return {kinds_, conductors_}; }

 private:
  struct TileType {
    std::vector<uint8_t> switches;  // by pip: index of kinds_
    std::vector<Loads::Conductor> wires;
  };
  void read_types(SwitchDelays& delays);
  Loads::Conductor conductor_of(const ChipGraph& graph, SwitchDelays& delays, Node node) const;
  uint8_t kind_of_switch(const SwitchTiming& timing, float own_ps);

  const ChipDatabase& chip_;
  std::vector<TileType> types_;  // by number of the tile's type
  ByNode<Loads::Conductor> conductors_;
  std::vector<Loads::Switch> kinds_;  // that differ: 244 in zynq7
};

// The graph with these delays. Errors: as SwitchDelays.
RoutingGraph timed_graph(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_EDGE_DELAYS_H_
