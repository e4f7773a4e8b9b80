// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "hw/fpga/router/chip_check.h"

namespace vta::router {
namespace {

constexpr size_t kMaxPinNodes = 600;    // between a pin and the interconnect
constexpr int kBelsPerLut = 16;         // z of a LUT's bels: 16 for each LUT of a tile
constexpr int kMaxLuts = 16;            // of a tile: bits of memory_luts_
constexpr int32_t kVariantMask = 0xff;  // of a site's key; its index is above, 0: of any variant
// Wires that lead the address of a block RAM to those above and below it.
constexpr std::string_view kAddressCascade = "BRAM_CASCOUT_ADDR";

void include(std::optional<Box>& box, Point point) {
  if (!box) box = Box::at(point);
  box->include(point);
}

}  // namespace

Switch::Kind kind_of(chipdb::PipKind kind) {
  switch (kind) {
    case chipdb::PipKind::kTileRouting:
      return Switch::Kind::kOfTile;
    case chipdb::PipKind::kSiteEntry:
    case chipdb::PipKind::kLutPermutation:
      return Switch::Kind::kIntoSite;
    case chipdb::PipKind::kSiteExit:
      return Switch::Kind::kOutOfSite;
    case chipdb::PipKind::kSiteInternal:
    case chipdb::PipKind::kLutThrough:
    case chipdb::PipKind::kConstantDriver:
      break;
  }
  return Switch::Kind::kInSite;
}

ChipGraph::ChipGraph(const ChipDatabase& chip, const std::vector<PlacedCell>& cells)
    : chip_(chip), tristate_buffer_(chip.number_of("TRIBUF")) {
  const size_t tiles = chip.chip().tiles.size();
  site_variants_.resize(tiles);
  memory_luts_.resize(tiles);
  first_node_.push_back(0);
  for (size_t tile = 0; tile < tiles; ++tile) {
    const chipdb::TileType& type = chip.type_of(static_cast<int>(tile));
    const std::string_view name = chip.name(type.name);
    is_interconnect_.push_back(name == "INT_L" || name == "INT_R" ? 1 : 0);
    tile_of_.insert(tile_of_.end(), type.wires.size(), static_cast<uint16_t>(tile));
    first_node_.push_back(static_cast<int32_t>(tile_of_.size()));
  }
  for (const PlacedCell& cell : cells) place(cell);
}

std::optional<int> ChipGraph::tile_named(std::string_view name) const {
  const size_t y_at = name.find('Y');
  if (name.empty() || name[0] != 'X' || y_at == std::string_view::npos) return std::nullopt;
  const auto x = parse_number<int>(name.substr(1, y_at - 1)),
             y = parse_number<int>(name.substr(y_at + 1));
  if (!x || !y || *x < 0 || *x >= chip_.chip().width || *y < 0 || *y >= chip_.chip().height)
    return std::nullopt;
  return *y * chip_.chip().width + *x;
}

void ChipGraph::place(const PlacedCell& cell) {
  const size_t slash = cell.bel.find('/');
  const auto tile = tile_named(std::string_view(cell.bel).substr(0, slash));
  const int32_t name = slash == std::string::npos
                           ? -1
                           : chip_.number_of(std::string_view(cell.bel).substr(slash + 1));
  if (tile && name >= 0) {
    for (const chipdb::Bel& bel : chip_.type_of(*tile).bels) {
      if (bel.name != name) continue;
      site_variants_[static_cast<size_t>(*tile)].push_back(bel.site);
      if (cell.is_memory && (bel.z < 0 || bel.z >= kBelsPerLut * kMaxLuts))
        fail(ErrorCode::kCorrupt, "bel {} is not a LUT, but is_memory is true", cell.bel);
      if (cell.is_memory)
        memory_luts_[static_cast<size_t>(*tile)] |=
            static_cast<uint16_t>(1U << (bel.z / kBelsPerLut));
      return;
    }
  }
  fail(ErrorCode::kNotFound, "the chip has no bel {}", cell.bel);
}

Node ChipGraph::node(std::string_view name) const {
  const size_t slash = name.find('/');
  const auto tile = tile_named(name.substr(0, slash));
  const int32_t wire_name =
      slash == std::string_view::npos ? -1 : chip_.number_of(name.substr(slash + 1));
  if (tile && wire_name >= 0) {
    int wire = 0;
    for (const chipdb::TileWire& candidate : chip_.type_of(*tile).wires) {
      if (candidate.name == wire_name) return node_at(*tile, wire);
      ++wire;
    }
  }
  fail(ErrorCode::kNotFound, "the chip has no wire {}", name);
}

template <typename Visit>
void ChipGraph::for_each_wire(Node node, Visit&& visit) const {
  const int tile = tile_of_[node];
  const chipdb::NodeShape* shape = shape_of(node);
  if (shape == nullptr) {
    visit(tile, wire_in_tile(node));
    return;
  }
  for (const chipdb::NodeWire& wire : shape->wires)
    visit(tile_at(tile, wire.dx, wire.dy), int{wire.wire});
}

std::vector<Pin> ChipGraph::everywhere(std::string_view wires) const {
  std::vector<Pin> pins;
  for (size_t tile = 0; tile < is_interconnect_.size(); ++tile) {
    if (is_interconnect_[tile] == 0) continue;
    const int number = static_cast<int>(tile);
    int wire = 0;
    for (const chipdb::TileWire& candidate : chip_.type_of(number).wires) {
      if (chip_.name(candidate.name).starts_with(wires))
        pins.push_back({node_at(number, wire), point_of(number)});
      ++wire;
    }
  }
  if (pins.empty()) fail(ErrorCode::kNotFound, "the interconnect has no wires {}", wires);
  return pins;
}

std::string ChipGraph::name_of(Node node) const {
  const Point at = point_of(tile_of_[node]);
  return fmt::format("X{}Y{}/{}", at.x, at.y, chip_.name(wire_of(node).name));
}

std::string ChipGraph::name_of_switch(Node source, Node target) const {
  std::string name;
  for_each_wire(source, [&](int tile, int wire) {
    const chipdb::TileType& type = chip_.type_of(tile);
    for (const int32_t index : type.wires[static_cast<size_t>(wire)].pips_downhill) {
      const chipdb::Pip& pip = type.pips[static_cast<size_t>(index)];
      if (!name.empty() || node_at(tile, pip.target) != target || !is_usable(tile, pip)) continue;
      const Point at = point_of(tile);
      name = fmt::format("X{}Y{}/{}/{}", at.x, at.y,
                         chip_.name(type.wires[static_cast<size_t>(pip.target)].name),
                         chip_.name(type.wires[static_cast<size_t>(pip.source)].name));
    }
  });
  VTA_ASSERT(!name.empty(), "a path takes a switch that the chip does not have");
  return name;
}

const chipdb::TileWire& ChipGraph::wire_of(Node node) const {
  return chip_.type_of(tile_of_[node]).wires[static_cast<size_t>(wire_in_tile(node))];
}

int ChipGraph::wire_in_tile(Node node) const {
  return static_cast<int32_t>(node) - first_node_[tile_of_[node]];
}

int ChipGraph::tile_at(int tile, int dx, int dy) const {
  return static_cast<int>(router::tile_at(chip_.chip(), tile, dx, dy));
}

Node ChipGraph::node_at(int tile, int wire) const {
  const chipdb::Chip& chip = chip_.chip();
  const auto& roots =
      chip.tile_shapes[static_cast<size_t>(chip.tiles[static_cast<size_t>(tile)].shape)].roots;
  if (static_cast<size_t>(wire) < roots.size()) {
    const chipdb::NodeRoot& root = roots[static_cast<size_t>(wire)];
    if (root.dx != chipdb::NodeRoot::kAlone && root.dx != chipdb::NodeRoot::kIsRoot)
      return Node{first_node_[static_cast<size_t>(tile_at(tile, root.dx, root.dy))] + root.wire};
  }
  return Node{first_node_[static_cast<size_t>(tile)] + wire};
}

const chipdb::NodeShape* ChipGraph::shape_of(Node node) const {
  const chipdb::Chip& chip = chip_.chip();
  const size_t tile = tile_of_[node];
  const auto wire = static_cast<size_t>(wire_in_tile(node));
  const auto& roots = chip.tile_shapes[static_cast<size_t>(chip.tiles[tile].shape)].roots;
  if (wire >= roots.size() || roots[wire].dx != chipdb::NodeRoot::kIsRoot) return nullptr;
  return &chip.node_shapes[shape_index(roots[wire])];
}

Switch ChipGraph::switch_named(std::string_view name) const {
  const size_t first = name.find('/');
  const size_t second = first == std::string_view::npos ? first : name.find('/', first + 1);
  const auto tile = tile_named(name.substr(0, first));
  if (tile && second != std::string_view::npos) {
    const int32_t target = chip_.number_of(name.substr(first + 1, second - first - 1));
    const int32_t source = chip_.number_of(name.substr(second + 1));
    const chipdb::TileType& type = chip_.type_of(*tile);
    const auto wire_name = [&](int32_t wire) { return type.wires[static_cast<size_t>(wire)].name; };
    for (const chipdb::Pip& pip : type.pips) {
      if (target < 0 || wire_name(pip.target) != target || wire_name(pip.source) != source)
        continue;
      const Node to = node_at(*tile, pip.target);
      return {.source = node_at(*tile, pip.source),
              .target = to,
              .kind = vta::router::kind_of(pip.kind),
              .tile = point_of(*tile),
              .source_wire = chip_.name(source),
              .target_wire = chip_.name(target)};
    }
  }
  fail(ErrorCode::kNotFound, "the chip has no switch {}", name);
}

bool ChipGraph::is_usable(int tile, const chipdb::Pip& pip) const {
  switch (pip.kind) {
    case chipdb::PipKind::kTileRouting: {
      const chipdb::TileType& type = chip_.type_of(tile);
      return !chip_.name(type.wires[static_cast<size_t>(pip.target)].name)
                  .starts_with(kAddressCascade);
    }
    case chipdb::PipKind::kSiteEntry:
    case chipdb::PipKind::kSiteExit:
      return true;
    case chipdb::PipKind::kSiteInternal: {
      if (pip.extra->bel_name == tristate_buffer_) return false;
      // A site may have cells of two variants: an I/O site its pad (IOB33S) and its buffer (IOB33).
      const int32_t site = pip.extra->site;
      const auto& variants = site_variants_[static_cast<size_t>(tile)];
      return (site & kVariantMask) == 0 || std::ranges::find(variants, site) != variants.end();
    }
    case chipdb::PipKind::kLutPermutation: {
      const int32_t setting = pip.extra->setting;
      const bool is_identity = (setting >> 4 & 15) == (setting & 15);
      return is_identity ||
             (memory_luts_[static_cast<size_t>(tile)] >> (setting >> 8 & (kMaxLuts - 1)) & 1) == 0;
    }
    case chipdb::PipKind::kLutThrough:  // not needed: the packer makes LUTs where a net must pass
                                        // one
    case chipdb::PipKind::kConstantDriver:  // the interconnect has constants everywhere
      return false;
  }
  return false;
}

bool ChipGraph::drives_interconnect(Node node) const {
  bool drives = false;
  for_each_wire(node, [&](int tile, int wire) {
    drives |= is_interconnect(tile) &&
              chip_.type_of(tile).wires[static_cast<size_t>(wire)].pips_downhill.size() > 0;
  });
  return drives;
}

RoutingGraph::Reach ChipGraph::reach_of(Node node) const {
  std::optional<Box> interconnect, all;
  for_each_wire(node, [&](int tile, int wire) {
    const Point at = point_of(tile);
    include(all, at);
    if (is_interconnect(tile) &&
        chip_.type_of(tile).wires[static_cast<size_t>(wire)].pips_downhill.size() > 0)
      include(interconnect, at);
  });
  const Box box = interconnect ? *interconnect : *all;
  const auto byte = [](int value) { return static_cast<uint8_t>(value); };
  return {byte(box.x0), byte(box.y0), byte(box.x1), byte(box.y1)};
}

Edge::Kind ChipGraph::kind_of(int tile, const chipdb::Pip& pip, Node target,
                              const ByNode<uint8_t>& drives_interconnect) const {
  if (pip.kind == chipdb::PipKind::kSiteEntry || pip.kind == chipdb::PipKind::kLutPermutation)
    return Edge::Kind::kEntersSite;
  if (drives_interconnect[target] != 0) return Edge::Kind::kInterconnect;
  return is_interconnect(tile) ? Edge::Kind::kLeavesInterconnect : Edge::Kind::kWithinTile;
}

void ChipGraph::for_each_wire_of(Node node,
                                 const std::function<void(int tile, int wire)>& visit) const {
  for_each_wire(node, visit);
}

RoutingGraph ChipGraph::build(const DelayOf& delay_ps) const {
  const size_t nodes = node_count();
  RoutingGraph graph;
  graph.tiles = tile_of_;
  graph.first_edge.assign(nodes + 1, 0);
  ByNode<uint8_t> interconnect;
  const auto for_each_switch = [&](auto&& visit) {
    for (size_t tile = 0; tile < is_interconnect_.size(); ++tile) {
      const int number = static_cast<int>(tile);
      for (const chipdb::Pip& pip : chip_.type_of(number).pips) {
        if (is_usable(number, pip))
          visit(number, pip, static_cast<size_t>(node_at(number, pip.source)));
      }
    }
  };
  for_each_switch([&](int, const chipdb::Pip&, size_t source) { ++graph.first_edge[source + 1]; });
  std::partial_sum(graph.first_edge.begin(), graph.first_edge.end(), graph.first_edge.begin());
  for (const Node node : first_nodes(nodes)) {
    graph.reaches.push_back(reach_of(node));
    interconnect.push_back(drives_interconnect(node) ? 1 : 0);
  }
  graph.edges.resize(graph.first_edge[nodes]);
  std::vector<uint32_t> next(graph.first_edge.begin(), graph.first_edge.end() - 1);
  for_each_switch([&](int tile, const chipdb::Pip& pip, size_t source) {
    const Node target = node_at(tile, pip.target);
    const EdgeTiming timing = delay_ps(tile, pip, target);
    graph.edges[next[source]++] = {target, static_cast<uint16_t>(std::lround(timing.ps)),
                                   kind_of(tile, pip, target, interconnect), timing.type};
  });
  return graph;
}

Point ChipGraph::interconnect_of(Node pin, bool is_source) const {
  std::vector<Node> queue{pin};
  std::unordered_set<Node> seen{pin};
  for (size_t at = 0; at < queue.size() && at < kMaxPinNodes; ++at) {
    std::optional<int> found;
    std::vector<Node> next;
    for_each_wire(queue[at], [&](int tile, int wire) {
      if (!found && is_interconnect(tile)) found = tile;
      const chipdb::TileType& type = chip_.type_of(tile);
      const chipdb::TileWire& here = type.wires[static_cast<size_t>(wire)];
      for (const int32_t index : is_source ? here.pips_downhill : here.pips_uphill) {
        const chipdb::Pip& pip = type.pips[static_cast<size_t>(index)];
        if (is_usable(tile, pip))
          next.push_back(node_at(tile, is_source ? pip.target : pip.source));
      }
    });
    if (found) return point_of(*found);
    for (const Node node : next) {
      if (seen.insert(node).second) queue.push_back(node);
    }
  }
  return point_of(tile_of_[pin]);
}

}  // namespace vta::router
