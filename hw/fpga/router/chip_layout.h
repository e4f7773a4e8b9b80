// SPDX-License-Identifier: Apache-2.0
//
// How chipdb-PART.bin of nextpnr-himbaechel stores a chip, in version 6 of the format
// (himbaechel/chipdb.h of nextpnr): little-endian structures without padding; references are
// offsets in bytes from themselves.
#ifndef VTA_HW_FPGA_ROUTER_CHIP_LAYOUT_H_
#define VTA_HW_FPGA_ROUTER_CHIP_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace vta::router {

// Names are numbers of strings (ChipDatabase::name). Only fields that
// are used are named.
namespace chipdb {

#pragma pack(push, 1)

template <typename T>
struct Reference {
  int32_t offset;
  const T& operator*() const { return *get(); }
  const T* operator->() const { return get(); }
  const T* get() const {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + offset);
  }
};

template <typename T>
struct Slice {
  int32_t offset;
  uint32_t length;
  const T* begin() const {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + offset);
  }
  const T* end() const { return begin() + length; }
  size_t size() const { return length; }
  const T& operator[](size_t index) const { return begin()[index]; }
};

// A place for a cell. `site`: bits 7 to 0 the variant of its site, from bit 8 the site's index in
// the tile.
struct Bel {
  int32_t name, type;
  int16_t z, unused;
  uint32_t flags;
  int32_t site, checker;
  Slice<std::array<int32_t, 3>> pins;
  Reference<uint8_t> extra;
};

struct TileWire {
  int32_t name, type, tile_wire;
  int32_t constant;  // name of the constant that this wire has, or 0
  int32_t flags, timing;
  Slice<int32_t> pips_uphill, pips_downhill;  // that drive it; that it drives
  Slice<std::array<int32_t, 2>> bel_pins;
};

enum class PipKind : uint32_t {
  kTileRouting,
  kSiteEntry,
  kSiteExit,
  kSiteInternal,
  kLutPermutation,  // into a site, from a physical to a logical input of a LUT
  kLutThrough,      // through an unused LUT
  kConstantDriver,
};

// `setting` of a permutation: bits 11 to 8 the LUT (A to D, twice), 7 to 4 the physical and 3 to 0
// the logical input.
struct PipExtra {
  int32_t site, bel_name, setting;
};

struct Pip {
  int32_t source, target;  // wires of the same tile
  uint32_t type;
  PipKind kind;
  int32_t timing;  // index of SpeedGrade::pips, or -1
  Reference<PipExtra> extra;
};

// A node: wires of several tiles that are one conductor. Offsets in tiles from the tile of the
// root.
struct NodeWire {
  int16_t dx, dy, wire;
};

struct NodeShape {
  Slice<NodeWire> wires;
  int32_t timing;  // index of SpeedGrade::nodes, or -1
};

struct TileType {
  int32_t name;
  Slice<Bel> bels;
  Slice<TileWire> wires;
  Slice<Pip> pips;
  Slice<std::array<int32_t, 11>> groups;
  Reference<uint8_t> extra;
};

// Which node a wire of a tile belongs to: dx, dy and wire of its root, or a mode in place of dx.
struct NodeRoot {
  static constexpr int16_t kAlone = 0x7000;       // a node of one wire
  static constexpr int16_t kIsRoot = 0x7001;      // itself; dy and wire: the number of its shape
  static constexpr int16_t kRow = 0x7002;         // in the first tile of the row
  static constexpr int16_t kEverywhere = 0x7003;  // in the first tile
  int16_t dx, dy;
  uint16_t wire;
};

struct TileShape {
  Slice<NodeRoot> roots;  // by wire; wires beyond its end are alone
  int32_t timing;
};

struct Tile {
  int32_t name_prefix, type, shape;
  Reference<uint8_t> extra;
};

struct Package {
  int32_t name;
  Slice<std::array<int32_t, 7>> pads;
  Reference<uint8_t> extra;
};

// ps, fF or mOhm.
struct Corners {
  int32_t fast_min, fast_max, slow_min, slow_max;
};

struct PipTiming {
  Corners delay, input_capacitance, output_resistance;
  uint32_t flags;
};

struct NodeTiming {
  Corners capacitance, resistance, delay;
};

struct SpeedGrade {
  int32_t name;
  Slice<PipTiming> pips;
  Slice<NodeTiming> nodes;
  Slice<std::array<int32_t, 3>> cells;
  Reference<uint8_t> extra;
};

// Strings from number `first` on; those below are compiled into nextpnr. No wire that can be routed
// has one of those.
struct Strings {
  int32_t first;
  Slice<Reference<char>> texts;
};

struct Chip {
  int32_t magic, version, width, height;
  Reference<char> architecture, name, generator;
  Slice<TileType> tile_types;
  Slice<Tile> tiles;
  Slice<NodeShape> node_shapes;
  Slice<TileShape> tile_shapes;
  Slice<Package> packages;
  Slice<SpeedGrade> speed_grades;
  Reference<Strings> strings;
  Reference<uint8_t> extra;
};

#pragma pack(pop)

}  // namespace chipdb

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_CHIP_LAYOUT_H_
