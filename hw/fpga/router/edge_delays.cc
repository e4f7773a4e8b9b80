// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/edge_delays.h"

namespace vta::router {

EdgeDelays::EdgeDelays(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays)
    : chip_(chip),
      types_(chip.chip().tile_types.size()),
      conductors_(static_cast<size_t>(graph.node_count())) {
  read_types(delays);
  for (Node node = 0; node < graph.node_count(); ++node) {
    ConductorTiming& sum = conductors_[static_cast<size_t>(node)];
    graph.for_each_wire_of(node, [&](int tile, int wire) {
      const int32_t type = chip_.chip().tiles[static_cast<size_t>(tile)].type;
      const ConductorTiming& part =
          types_[static_cast<size_t>(type)].wires[static_cast<size_t>(wire)];
      sum.ohm += part.ohm;
      sum.ff += part.ff;
    });
  }
}

void EdgeDelays::read_types(SwitchDelays& delays) {
  const int width = chip_.chip().width;
  for (size_t tile = 0; tile < chip_.chip().tiles.size(); ++tile) {
    const auto number = static_cast<size_t>(chip_.chip().tiles[tile].type);
    TileType& type = types_[number];
    if (!type.wires.empty()) continue;
    const Point at{static_cast<int>(tile) % width, static_cast<int>(tile) / width};
    const chipdb::TileType& read = chip_.chip().tile_types[number];
    const auto name_of = [&](int32_t wire) {
      return chip_.name(read.wires[static_cast<size_t>(wire)].name);
    };
    for (const chipdb::TileWire& wire : read.wires)
      type.wires.push_back(delays.part(at, chip_.name(wire.name)));
    for (const chipdb::Pip& pip : read.pips)
      type.switches.push_back(
          delays.timing(at, kind_of(pip.kind), name_of(pip.source), name_of(pip.target)));
  }
}

float EdgeDelays::slow_ps(int tile, const chipdb::Pip& pip, Node target) const {
  const auto number = static_cast<size_t>(chip_.chip().tiles[static_cast<size_t>(tile)].type);
  const auto at = static_cast<size_t>(&pip - chip_.chip().tile_types[number].pips.begin());
  return with_conductor(types_[number].switches[at], conductors_[static_cast<size_t>(target)])
      .slow_max;
}

RoutingGraph timed_graph(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays) {
  const EdgeDelays edges(chip, graph, delays);
  return graph.build([&](int tile, const chipdb::Pip& pip, Node target) {
    return edges.slow_ps(tile, pip, target);
  });
}

}  // namespace vta::router
