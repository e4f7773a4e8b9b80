// SPDX-License-Identifier: Apache-2.0
//
// The routing graph of a chip, for one placement: switches inside sites depend on what is placed
// there. A node is a conductor; its number is that of its root's wire, counted through all tiles
// (10.8 million for the xc7z020, with 37 million switches).
#ifndef VTA_HW_FPGA_ROUTER_CHIP_GRAPH_H_
#define VTA_HW_FPGA_ROUTER_CHIP_GRAPH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/fpga/router/chip_database.h"
#include "hw/fpga/router/path_finder.h"
#include "hw/fpga/router/routing_graph.h"

namespace vta::router {

// A switch by its name, whether or not build() uses it. Wires of a pin of a site: that of the site
// and that of its tile.
struct Switch {
  enum class Kind : uint8_t { kOfTile, kIntoSite, kOutOfSite, kInSite };
  Node source, target;
  Kind kind;
  Point tile;
  std::string_view source_wire, target_wire;
};

Switch::Kind kind_of(chipdb::PipKind kind);

// `bel`: "X12Y34/BEL". `is_memory`: a LUT used as RAM, whose inputs cannot be permuted.
// `launch_ps`: from the clock to the cell's outputs; 0 for logic.
struct PlacedCell {
  std::string bel;
  bool is_memory = false;
  float launch_ps = 0;
};

class ChipGraph {
 public:
  // Errors: kNotFound for a bel that the chip does not have.
  ChipGraph(const ChipDatabase& chip, const std::vector<PlacedCell>& cells);

  // As long as this object lives. Without switches through LUTs and tristate buffers, constants of
  // sites, and address cascades of block RAMs. These have no delays in the database, and a RAM that
  // passes an address on must be configured for it. `delay_ps`: of a switch of a tile with the node
  // that it drives (edge_delays.h). The delays of nextpnr's file are not used: it leaves out most
  // resistances and capacitances, and the pins of sites.
  struct EdgeTiming {
    float ps;
    uint8_t type;  // of Loads::switches
  };
  using DelayOf = std::function<EdgeTiming(int tile, const chipdb::Pip& pip, Node target)>;
  RoutingGraph build(const DelayOf& delay_ps) const;
  size_t node_count() const { return static_cast<size_t>(first_node_.back()); }

  // visit(tile, wire) for each wire of a node.
  void for_each_wire_of(Node node, const std::function<void(int tile, int wire)>& visit) const;

  // The node of the wire "X12Y34/WIRE". Errors: kNotFound.
  Node node(std::string_view name) const;
  // A pin by the name of its wire. Errors: kNotFound.
  Pin source(std::string_view name) const {
    return {node(name), interconnect_of(node(name), true)};
  }
  Pin sink(std::string_view name) const { return {node(name), interconnect_of(node(name), false)}; }
  // The nodes of wires that every tile of the interconnect has, by the beginning of their names:
  // constants (VCC_WIRE, GND_WIRE), and those of global buffers (GCLK). Errors: kNotFound.
  std::vector<Pin> everywhere(std::string_view wires) const;

  // The switch "X12Y34/TARGET/SOURCE". Errors: kNotFound.
  Switch switch_named(std::string_view name) const;

  std::string name_of(Node node) const;                        // "X12Y34/WIRE"
  std::string name_of_switch(Node source, Node target) const;  // "X12Y34/TARGET/SOURCE"

 private:
  template <typename Visit>
  void for_each_wire(Node node, Visit&& visit) const;  // visit(tile, wire)
  const chipdb::TileWire& wire_of(Node node) const;
  const chipdb::NodeShape* shape_of(Node node) const;
  Node node_at(int tile, int wire) const;
  int wire_in_tile(Node node) const;  // of tile_of_
  int tile_at(int tile, int dx, int dy) const;
  Point point_of(int tile) const { return {tile % chip_.chip().width, tile / chip_.chip().width}; }
  Point interconnect_of(Node pin, bool is_source) const;
  std::optional<int> tile_named(std::string_view name) const;
  void place(const PlacedCell& cell);
  bool is_usable(int tile, const chipdb::Pip& pip) const;
  bool is_interconnect(int tile) const { return is_interconnect_[static_cast<size_t>(tile)] != 0; }
  bool drives_interconnect(Node node) const;
  RoutingGraph::Reach reach_of(Node node) const;
  Edge::Kind kind_of(int tile, const chipdb::Pip& pip, Node target,
                     const ByNode<uint8_t>& drives_interconnect) const;

  const ChipDatabase& chip_;
  std::vector<int32_t> first_node_;  // by tile, and the number of nodes
  ByNode<uint16_t> tile_of_;
  std::vector<uint8_t> is_interconnect_;             // by tile
  std::vector<std::vector<int32_t>> site_variants_;  // by tile: keys of the cells placed there
  std::vector<uint16_t> memory_luts_;                // by tile: a bit for each LUT
  int32_t tristate_buffer_ = 0;
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_CHIP_GRAPH_H_
