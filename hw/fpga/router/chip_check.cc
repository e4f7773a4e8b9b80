// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_check.h"

#include <cstring>
#include <limits>

#include "base/errors/error.h"

namespace vta::router {
namespace {

// Reaches of nodes (RoutingGraph::Reach) have 8 bits for a side, so tiles fit in 16 bits. The
// xc7a200t has 265 columns.
constexpr int32_t kMaxSide = 256;
// The xc7z020 has 10.8 million wires.
constexpr uint64_t kMaxWires = uint64_t{1} << 28;

class ChipChecker {
 public:
  ChipChecker(const chipdb::Chip& chip, std::span<const char> file) : chip_(chip), file_(file) {}

  void check() {
    check_size();
    check_strings();
    check_elements("tile types", chip_.tile_types, [&](const auto& type) { check_type(type); });
    check_elements("shapes of nodes", chip_.node_shapes, [&](const chipdb::NodeShape& shape) {
      check_slice("wires", shape.wires);
      if (shape.wires.size() == 0) fail(ErrorCode::kCorrupt, "no wires");
    });
    check_elements("shapes of tiles", chip_.tile_shapes,
                   [&](const chipdb::TileShape& shape) { check_slice("roots", shape.roots); });
    check_elements("speed grades", chip_.speed_grades, [&](const chipdb::SpeedGrade& grade) {
      check_slice("switches", grade.pips);
      check_slice("nodes", grade.nodes);
    });
    if (chip_.speed_grades.size() == 0) fail(ErrorCode::kCorrupt, "no speed grades");
    check_tiles();
  }

 private:
  void check_size() const {
    const auto check_side = [](const char* side, int32_t tiles) {
      if (tiles >= 1 && tiles <= kMaxSide) return;
      fail(tiles < 1 ? ErrorCode::kCorrupt : ErrorCode::kUnsupported,
           "{} is {} tiles, must be from 1 to {}", side, tiles, kMaxSide);
    };
    check_side("width", chip_.width);
    check_side("height", chip_.height);
  }

  // Without a limit, many slices of the same bytes would take long to check.
  template <typename T>
  void check_slice(const char* what, const chipdb::Slice<T>& slice) {
    if (slice.length == 0) return;
    const int64_t first = reinterpret_cast<const char*>(&slice) - file_.data() + slice.offset;
    const int64_t end = first + int64_t{slice.length} * static_cast<int64_t>(sizeof(T));
    if (first < 0 || end > std::ssize(file_)) {
      fail(ErrorCode::kCorrupt, "{} are bytes {} to {}, the file has {}", what, first, end,
           file_.size());
    }
    count(slice.length);
  }

  template <typename T>
  void check_reference(const char* what, const chipdb::Reference<T>& reference) const {
    const int64_t first =
        reinterpret_cast<const char*>(&reference) - file_.data() + reference.offset;
    if (first >= 0 && first + static_cast<int64_t>(sizeof(T)) <= std::ssize(file_)) return;
    fail(ErrorCode::kCorrupt, "{} is at byte {}, the file has {}", what, first, file_.size());
  }

  template <typename T, typename Check>
  void check_elements(const char* what, const chipdb::Slice<T>& slice, Check&& check_element) {
    check_slice(what, slice);
    size_t index = 0;
    for (const T& element : slice) {
      with_context(fmt::format("{}: {}", what, index), [&] { check_element(element); });
      ++index;
    }
  }

  static void check_index(const char* what, int64_t index, size_t size) {
    if (index >= 0 && index < static_cast<int64_t>(size)) return;
    fail(ErrorCode::kCorrupt, "{} {}, there are {}", what, index, size);
  }

  void count(uint64_t elements) {
    counted_ += elements;
    if (counted_ > kMaxWires)
      fail(ErrorCode::kCorrupt, "more than {} wires, switches and names", kMaxWires);
  }

  void check_strings() {
    check_reference("the list of names", chip_.strings);
    const chipdb::Strings& strings = *chip_.strings;
    check_elements("names", strings.texts, [&](const auto& text) { checked_text(text, file_); });
    constexpr int64_t kMaxName = std::numeric_limits<int32_t>::max();
    if (strings.first < 0 || int64_t{strings.first} + strings.texts.length > kMaxName) {
      fail(ErrorCode::kCorrupt, "the first of {} names has number {}, must be from 0 to {}",
           strings.texts.size(), strings.first, kMaxName - strings.texts.length);
    }
    names_end_ = static_cast<size_t>(strings.first) + strings.texts.size();
  }

  void check_type(const chipdb::TileType& type) {
    check_index("name", type.name, names_end_);
    check_slice("bels", type.bels);
    check_slice("wires", type.wires);
    check_slice("switches", type.pips);
    for (const chipdb::TileWire& wire : type.wires) {
      check_index("name", wire.name, names_end_);
      for (const auto* list : {&wire.pips_uphill, &wire.pips_downhill}) {
        check_slice("switches of a wire", *list);
        for (const int32_t pip : *list) check_index("switch", pip, type.pips.size());
      }
    }
    for (const chipdb::Pip& pip : type.pips) {
      check_index("wire", pip.source, type.wires.size());
      check_index("wire", pip.target, type.wires.size());
      if (pip.kind == chipdb::PipKind::kSiteInternal ||
          pip.kind == chipdb::PipKind::kLutPermutation)
        check_reference("the site of a switch", pip.extra);
    }
  }

  void check_tiles() {
    check_slice("tiles", chip_.tiles);
    const auto tiles = static_cast<size_t>(chip_.width) * static_cast<size_t>(chip_.height);
    if (chip_.tiles.size() != tiles) {
      fail(ErrorCode::kCorrupt, "{} tiles, expected {} x {}", chip_.tiles.size(), chip_.width,
           chip_.height);
    }
    for (const chipdb::Tile& tile : chip_.tiles) {
      check_index("a tile has type", tile.type, chip_.tile_types.size());
      check_index("a tile has shape", tile.shape, chip_.tile_shapes.size());
    }
    for (int64_t tile = 0; tile < std::ssize(chip_.tiles); ++tile) {
      with_context(fmt::format("tile X{}Y{}", tile % chip_.width, tile / chip_.width),
                   [&] { check_nodes(tile); });
    }
  }

  size_t num_wires(int64_t tile) const {
    const chipdb::Tile& of = chip_.tiles[static_cast<size_t>(tile)];
    return chip_.tile_types[static_cast<size_t>(of.type)].wires.size();
  }

  void check_wire(int64_t tile, int64_t wire) const {
    check_index("a wire belongs to tile", tile, chip_.tiles.size());
    check_index("a wire belongs to wire", wire, num_wires(tile));
  }

  void check_nodes(int64_t tile) {
    count(num_wires(tile));
    const chipdb::Tile& of = chip_.tiles[static_cast<size_t>(tile)];
    for (const chipdb::NodeRoot& root : chip_.tile_shapes[static_cast<size_t>(of.shape)].roots) {
      if (root.dx == chipdb::NodeRoot::kAlone) continue;
      if (root.dx != chipdb::NodeRoot::kIsRoot) {
        check_wire(tile_at(chip_, tile, root.dx, root.dy), root.wire);
        continue;
      }
      check_index("a node has shape", shape_index(root), chip_.node_shapes.size());
      const auto& wires = chip_.node_shapes[shape_index(root)].wires;
      count(wires.size());
      for (const chipdb::NodeWire& wire : wires)
        check_wire(tile_at(chip_, tile, wire.dx, wire.dy), wire.wire);
    }
  }

  const chipdb::Chip& chip_;
  const std::span<const char> file_;
  size_t names_end_ = 0;
  uint64_t counted_ = 0;
};

}  // namespace

std::string_view checked_text(const chipdb::Reference<char>& text, std::span<const char> file) {
  const int64_t first = reinterpret_cast<const char*>(&text) - file.data() + text.offset;
  if (first >= 0 && first < std::ssize(file)) {
    const std::span<const char> rest = file.subspan(static_cast<size_t>(first));
    const void* const end = std::memchr(rest.data(), '\0', rest.size());
    if (end != nullptr)
      return {rest.data(), static_cast<size_t>(static_cast<const char*>(end) - rest.data())};
  }
  fail(ErrorCode::kCorrupt, "a text starts at byte {} and has no end in the file of {} bytes",
       first, file.size());
}

void check_contents(const chipdb::Chip& chip, std::span<const char> file) {
  ChipChecker(chip, file).check();
}

}  // namespace vta::router
