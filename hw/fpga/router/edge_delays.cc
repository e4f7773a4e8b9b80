// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/edge_delays.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "base/errors/error.h"

namespace vta::router {
namespace {

// Ways within a slice that depend on the route, at the slow corner: the cells' own times have the
// rest. By the SDF files (zynq7/timings/slicel.sdf): 0.17 to 0.25 ns through an output multiplexer,
// and 0.10 ns more into a flip-flop by the bypass pin than from the LUT.
float within_slice_ps(std::string_view source, std::string_view target) {
  constexpr float kOutputMultiplexerPs = 190, kBypassPs = 100;
  const auto pin_of = [](std::string_view wire) { return wire.substr(wire.find('.') + 1); };
  const std::string_view from = pin_of(source), to = pin_of(target);
  if (to.size() == 4 && to.ends_with("MUX")) return kOutputMultiplexerPs;  // AMUX
  if (from.size() == 2 && from.ends_with('X') && to.ends_with("FFMUX_OUT")) return kBypassPs;
  return 0;
}

}  // namespace

EdgeDelays::EdgeDelays(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays)
    : chip_(chip), types_(chip.chip().tile_types.size()), conductors_(graph.node_count()) {
  read_types(delays);
  for (const Node node : first_nodes(graph.node_count()))
    conductors_[node] = conductor_of(graph, delays, node);
}

// nextpnr's file leaves out the wires in tiles without switches, such as those between clock
// regions and the columns of the configuration logic: a conductor that passes any is looked up.
Loads::Conductor EdgeDelays::conductor_of(const ChipGraph& graph, SwitchDelays& delays,
                                          Node node) const {
  Loads::Conductor sum;
  std::optional<Box> box;
  std::optional<std::pair<Point, std::string_view>> first;
  const int width = chip_.chip().width;
  graph.for_each_wire_of(node, [&](int tile, int wire) {
    const auto type = static_cast<size_t>(chip_.chip().tiles[static_cast<size_t>(tile)].type);
    const Loads::Conductor& part = types_[type].wires[static_cast<size_t>(wire)];
    sum.ohm += part.ohm;
    sum.ff += part.ff;
    const Point at{tile % width, tile / width};
    if (!box) {
      box = Box::at(at);
      first = {at, chip_.name(chip_.chip().tile_types[type].wires[static_cast<size_t>(wire)].name)};
    }
    box->include(at);
  });
  if (!box || (box->x1 - box->x0 <= 1 && box->y1 - box->y0 <= 1)) return sum;
  const ConductorTiming whole = delays.whole(first->first, first->second);
  return {whole.ohm, whole.ff};
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
    for (const chipdb::TileWire& wire : read.wires) {
      const ConductorTiming part = delays.part(at, chip_.name(wire.name));
      type.wires.push_back({part.ohm, part.ff});
    }
    for (const chipdb::Pip& pip : read.pips) {
      const std::string_view source = name_of(pip.source), target = name_of(pip.target);
      const SwitchTiming timing = delays.timing(at, kind_of(pip.kind), source, target);
      const bool is_within = kind_of(pip.kind) == Switch::Kind::kInSite;
      type.switches.push_back(kind_of_switch(
          timing, is_within ? within_slice_ps(source, target) : timing.delays.slow_max));
    }
  }
}

uint8_t EdgeDelays::kind_of_switch(const SwitchTiming& timing, float own_ps) {
  const Loads::Switch kind{own_ps, timing.ohm, timing.input_ff, timing.is_buffer};
  const auto number = static_cast<size_t>(std::ranges::find(kinds_, kind) - kinds_.begin());
  if (number == kinds_.size()) kinds_.push_back(kind);
  VTA_ASSERT(number <= std::numeric_limits<uint8_t>::max(),
             "a chip has too many kinds of switches");
  return static_cast<uint8_t>(number);
}

ChipGraph::EdgeTiming EdgeDelays::slow(int tile, const chipdb::Pip& pip, Node target) const {
  const auto number = static_cast<size_t>(chip_.chip().tiles[static_cast<size_t>(tile)].type);
  const auto at = static_cast<size_t>(&pip - chip_.chip().tile_types[number].pips.begin());
  const uint8_t type = types_[number].switches[at];
  const Loads::Conductor& driven = conductors_[target];
  return {kinds_[type].own_ps + rc_ps(kinds_[type].ohm + driven.ohm / 2, driven.ff), type};
}

RoutingGraph timed_graph(const ChipDatabase& chip, const ChipGraph& graph, SwitchDelays& delays) {
  const EdgeDelays edges(chip, graph, delays);
  RoutingGraph timed = graph.build(
      [&](int tile, const chipdb::Pip& pip, Node target) { return edges.slow(tile, pip, target); });
  timed.loads = edges.loads();
  return timed;
}

}  // namespace vta::router
