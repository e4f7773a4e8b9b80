// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_graph.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <functional>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "hw/fpga/placer/chip_sites.h"
#include "hw/fpga/router/edge_delays.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"

namespace vta::router {
namespace {

constexpr size_t kWires = 3, kSwitches = 2, kNameBytes = 32;
constexpr const char* kNames[] = {
    "",  // number 0: none
    "BRAM_L",     "BRAM_ADDRARDADDRU0", "BRAM_CASCOUT_ADDRARDADDRU0", "BRAM_IMUX_ADDRARDADDRU0",
    "IOB33S.PAD", "IOB33.OUTBUF"};
constexpr int32_t kTileType = 1, kFirstWire = 2, kPad = 5, kBuffer = 6;
constexpr int32_t kPadVariant = 1, kBufferVariant = 2;  // of site 0

// A chip of one tile of block RAM, laid out as in a file.
struct SmallChip {
  int32_t chip_offset;
  chipdb::Chip chip;
  chipdb::TileType type;
  chipdb::TileWire wires[kWires];
  chipdb::Pip switches[kSwitches];
  int32_t of_address[1], of_imux[1];  // switches that a wire drives
  chipdb::PipExtra within_site;
  chipdb::Bel bels[2];
  chipdb::Tile tile;
  chipdb::TileShape shape;
  chipdb::SpeedGrade speed_grade;
  chipdb::Strings strings;
  chipdb::Reference<char> texts[std::size(kNames)];
  char names[std::size(kNames)][kNameBytes];
  char architecture[8];
};

template <typename Field, typename Target>
void refer(Field& field, const Target* target) {
  field.offset = static_cast<int32_t>(reinterpret_cast<const char*>(target) -
                                      reinterpret_cast<const char*>(&field));
}

template <typename T>
void refer(chipdb::Slice<T>& field, const T* first, size_t length) {
  refer(field, first);
  field.length = static_cast<uint32_t>(length);
}

void fill(SmallChip& file) {
  file.chip_offset = offsetof(SmallChip, chip);
  chipdb::Chip& chip = file.chip;
  chip.magic = 0x00ca7ca7;
  chip.version = 6;
  chip.width = chip.height = 1;
  std::strcpy(file.architecture, "xilinx");
  refer(chip.architecture, &file.architecture[0]);
  refer(chip.tile_types, &file.type, 1);
  refer(chip.tiles, &file.tile, 1);
  refer(chip.tile_shapes, &file.shape, 1);
  refer(chip.speed_grades, &file.speed_grade, 1);
  refer(chip.strings, &file.strings);
  refer(file.strings.texts, &file.texts[0], std::size(kNames));
  for (size_t i = 0; i < std::size(kNames); ++i) {
    std::strcpy(file.names[i], kNames[i]);
    refer(file.texts[i], &file.names[i][0]);
  }
  file.type.name = kTileType;
  refer(file.type.wires, &file.wires[0], kWires);
  refer(file.type.pips, &file.switches[0], kSwitches);
  for (size_t i = 0; i < kWires; ++i) {
    file.wires[i].name = kFirstWire + static_cast<int32_t>(i);
    file.wires[i].timing = -1;
  }
}

// A switch from the address to the cascade, and one from the interconnect's wire to the address.
void connect(SmallChip& file) {
  const int32_t ends[kSwitches][2] = {{0, 1}, {2, 0}};
  for (size_t i = 0; i < kSwitches; ++i) {
    file.switches[i].source = ends[i][0];
    file.switches[i].target = ends[i][1];
    file.switches[i].kind = chipdb::PipKind::kTileRouting;
    file.switches[i].timing = -1;
  }
  file.of_address[0] = 0;
  file.of_imux[0] = 1;
  refer(file.wires[0].pips_downhill, &file.of_address[0], 1);
  refer(file.wires[2].pips_downhill, &file.of_imux[0], 1);
}

// The second switch is within a site, of the buffer's variant.
void add_site(SmallChip& file) {
  file.bels[0].name = kPad;
  file.bels[0].site = kPadVariant;
  file.bels[1].name = kBuffer;
  file.bels[1].site = kBufferVariant;
  refer(file.type.bels, &file.bels[0], std::size(file.bels));
  file.within_site.site = kBufferVariant;
  file.switches[1].kind = chipdb::PipKind::kSiteInternal;
  refer(file.switches[1].extra, &file.within_site);
}

// Three tiles in a row. The address of the first is one conductor with that of the third, and
// nextpnr has no wire for what is between.
struct RowOfTiles {
  SmallChip chip;
  chipdb::Tile tiles[3];
  chipdb::TileShape shapes[3];
  chipdb::NodeRoot of_first[1], of_third[1];
  chipdb::NodeShape conductor;
  chipdb::NodeWire wires[2];
};

void fill(RowOfTiles& file) {
  fill(file.chip);
  connect(file.chip);
  chipdb::Chip& chip = file.chip.chip;
  chip.width = 3;
  refer(chip.name, &file.chip.architecture[0]);
  refer(chip.tiles, &file.tiles[0], std::size(file.tiles));
  refer(chip.tile_shapes, &file.shapes[0], std::size(file.shapes));
  refer(chip.node_shapes, &file.conductor, 1);
  for (int32_t i = 0; i < 3; ++i) file.tiles[i].shape = i;
  file.of_first[0] = {chipdb::NodeRoot::kIsRoot, 0, 0};
  file.of_third[0] = {-2, 0, 0};
  refer(file.shapes[0].roots, &file.of_first[0], 1);
  refer(file.shapes[2].roots, &file.of_third[0], 1);
  file.wires[0] = {0, 0, 0};
  file.wires[1] = {2, 0, 0};
  refer(file.conductor.wires, &file.wires[0], std::size(file.wires));
}

template <typename File>
void write(const std::filesystem::path& path, const File& file) {
  std::vector<uint8_t> bytes(sizeof file);
  std::memcpy(bytes.data(), &file, sizeof file);
  write_file(path, bytes);
}

ChipGraph::EdgeTiming no_delays(int /*tile*/, const chipdb::Pip& /*pip*/, Node /*target*/) {
  return {0, 0};
}

TEST(ChipGraph, UsesSwitchesOfEachVariantThatASiteHasCellsOf) {
  SmallChip file{};
  fill(file);
  connect(file);
  add_site(file);
  const ScratchFolder folder;
  write(folder.path() / "chip.bin", file);
  const ChipDatabase chip(folder.path() / "chip.bin");
  const PlacedCell pad{"X0Y0/IOB33S.PAD", false, 0}, buffer{"X0Y0/IOB33.OUTBUF", false, 0};
  const auto switches = [&](const std::vector<PlacedCell>& cells) {
    return ChipGraph(chip, cells).build(no_delays).edges.size();
  };
  EXPECT_EQ(switches({pad}), 0U);
  EXPECT_EQ(switches({buffer}), 1U);
  EXPECT_EQ(switches({pad, buffer}), 1U);
  EXPECT_EQ(switches({buffer, pad}), 1U);
}

TEST(ChipGraph, KnowsASwitchByItsName) {
  SmallChip file{};
  fill(file);
  connect(file);
  const ScratchFolder folder;
  write(folder.path() / "chip.bin", file);
  const ChipDatabase chip(folder.path() / "chip.bin");
  const ChipGraph graph(chip, {});
  const Switch found = graph.switch_named("X0Y0/BRAM_CASCOUT_ADDRARDADDRU0/BRAM_ADDRARDADDRU0");
  EXPECT_EQ(found.source, graph.node("X0Y0/BRAM_ADDRARDADDRU0"));
  EXPECT_EQ(found.target, graph.node("X0Y0/BRAM_CASCOUT_ADDRARDADDRU0"));
  EXPECT_EQ(found.kind, Switch::Kind::kOfTile);
  EXPECT_EQ(found.tile, (Point{0, 0}));
  EXPECT_EQ(found.source_wire, "BRAM_ADDRARDADDRU0");
  EXPECT_EQ(found.target_wire, "BRAM_CASCOUT_ADDRARDADDRU0");
  EXPECT_THROW(graph.switch_named("X0Y0/BRAM_IMUX_ADDRARDADDRU0/BRAM_ADDRARDADDRU0"), Error);
  EXPECT_THROW(graph.switch_named("X0Y0/BRAM_ADDRARDADDRU0"), Error);
}

TEST(ChipGraph, LeavesOutAddressCascadesOfBlockRams) {
  SmallChip file{};
  fill(file);
  connect(file);
  const ScratchFolder folder;
  write(folder.path() / "chip.bin", file);
  const ChipDatabase chip(folder.path() / "chip.bin");
  const ChipGraph graph(chip, {});
  const RoutingGraph routing = graph.build(no_delays);
  ASSERT_EQ(routing.edges.size(), 1U);
  EXPECT_EQ(routing.edges[0].target, graph.node("X0Y0/BRAM_ADDRARDADDRU0"));
  EXPECT_EQ(graph.name_of_switch(graph.node("X0Y0/BRAM_IMUX_ADDRARDADDRU0"),
                                 graph.node("X0Y0/BRAM_ADDRARDADDRU0")),
            "X0Y0/BRAM_ADDRARDADDRU0/BRAM_IMUX_ADDRARDADDRU0");
}

TEST(ChipGraph, EntersASiteByAPinOrByAPermutedInputOfALut) {
  EXPECT_EQ(kind_of(chipdb::PipKind::kTileRouting), Switch::Kind::kOfTile);
  EXPECT_EQ(kind_of(chipdb::PipKind::kSiteEntry), Switch::Kind::kIntoSite);
  EXPECT_EQ(kind_of(chipdb::PipKind::kLutPermutation), Switch::Kind::kIntoSite);
  EXPECT_EQ(kind_of(chipdb::PipKind::kSiteExit), Switch::Kind::kOutOfSite);
  EXPECT_EQ(kind_of(chipdb::PipKind::kSiteInternal), Switch::Kind::kInSite);
}

// Project X-Ray's files of "chip", in which block RAMs have one switch.
void write_database(const std::filesystem::path& folder, const std::string& tilegrid,
                    const std::string& tileconn) {
  std::filesystem::create_directory(folder / "chip");
  write_file(folder / "chip/tilegrid.json", tilegrid);
  write_file(folder / "chip/tileconn.json", tileconn);
  write_file(folder / "tile_type_BRAM_L.json", std::string(R"({"sites": [], "pips": {"p": {
      "src_wire": "BRAM_IMUX_ADDRARDADDRU0", "dst_wire": "BRAM_ADDRARDADDRU0",
      "is_directional": "1",
      "src_to_dst": {"delay": ["0.010", "0.020", "0.030", "0.040"], "res": "1000"}}},
      "wires": {"BRAM_ADDRARDADDRU0": {"res": "500", "cap": "8"}}})"));
}

TEST(ChipGraph, HasTheDelaysOfTheDatabaseAtTheSlowCorner) {
  SmallChip file{};
  fill(file);
  connect(file);
  refer(file.chip.name, &file.architecture[0]);
  const ScratchFolder folder;
  write(folder.path() / "chip.bin", file);
  write_database(folder.path(), R"({"T": {"grid_x": 0, "grid_y": 0, "type": "BRAM_L"}})", "[]");
  const ChipDatabase chip(folder.path() / "chip.bin");
  const ChipGraph graph(chip, {});
  SwitchDelays delays(folder.path(), "chip");
  const RoutingGraph routing = timed_graph(chip, graph, delays);
  ASSERT_EQ(routing.edges.size(), 1U);
  EXPECT_EQ(routing.edges[0].delay_ps, 40 + (1000 + 500 / 2) * 8 / 1000);
}

TEST(ChipGraph, ChargesAConductorAlsoWhereNextpnrHasNoWireOfIt) {
  RowOfTiles file{};
  fill(file);
  const ScratchFolder folder;
  write(folder.path() / "chip.bin", file);
  write_database(folder.path(), R"({"A": {"grid_x": 0, "grid_y": 0, "type": "BRAM_L"},
      "B": {"grid_x": 1, "grid_y": 0, "type": "VBRK"},
      "C": {"grid_x": 2, "grid_y": 0, "type": "BRAM_L"}})",
                 R"([
      {"grid_deltas": [1, 0], "tile_types": ["BRAM_L", "VBRK"],
       "wire_pairs": [["BRAM_ADDRARDADDRU0", "BREAK"]]},
      {"grid_deltas": [1, 0], "tile_types": ["VBRK", "BRAM_L"],
       "wire_pairs": [["BREAK", "BRAM_ADDRARDADDRU0"]]}])");
  write_file(
      folder.path() / "tile_type_VBRK.json",
      std::string(R"({"sites": [], "pips": {}, "wires": {"BREAK": {"res": "300", "cap": "4"}}})"));
  const ChipDatabase chip(folder.path() / "chip.bin");
  const ChipGraph graph(chip, {});
  SwitchDelays delays(folder.path(), "chip");
  const RoutingGraph routing = timed_graph(chip, graph, delays);
  const Node node = graph.node("X0Y0/BRAM_ADDRARDADDRU0");
  EXPECT_FLOAT_EQ(routing.loads.conductors[node].ohm, 500 + 300 + 500);
  EXPECT_FLOAT_EQ(routing.loads.conductors[node].ff, 8 + 4 + 8);
  const Node switched = graph.node("X0Y0/BRAM_IMUX_ADDRARDADDRU0");
  ASSERT_EQ(routing.edges_of(switched).size(), 1U);
  EXPECT_EQ(routing.edges_of(switched)[0].delay_ps, 40 + (1000 + 1300 / 2) * 20 / 1000);
}

// Everything that the router and the placer do with a chip.
void use(const std::vector<uint8_t>& bytes) {
  const ScratchFolder folder;
  write_file(folder.path() / "chip.bin", bytes);
  const ChipDatabase chip(folder.path() / "chip.bin");
  placer::sites_of(chip);
  const ChipGraph graph(chip, {{"X0Y0/IOB33S.PAD", true, 0}, {"X0Y0/IOB33.OUTBUF", false, 0}});
  const RoutingGraph routing = graph.build(no_delays);
  const Node source = graph.node("X0Y0/BRAM_ADDRARDADDRU0");
  graph.name_of(source);
  graph.source("X0Y0/BRAM_IMUX_ADDRARDADDRU0");
  graph.switch_named("X0Y0/BRAM_CASCOUT_ADDRARDADDRU0/BRAM_ADDRARDADDRU0");
  for (const Edge& edge : routing.edges)
    ASSERT_LT(static_cast<size_t>(edge.target), routing.tiles.size());
}

std::vector<uint8_t> bytes_of(const SmallChip& file) {
  const auto* first = reinterpret_cast<const uint8_t*>(&file);
  return {first, first + sizeof file};
}

void make(SmallChip& file) {
  fill(file);
  connect(file);
  add_site(file);
}

// The error of a chip with one damage, "" for none.
std::string error_after(const std::function<void(SmallChip&)>& damage) {
  SmallChip file{};
  make(file);
  damage(file);
  return error_in([&] { use(bytes_of(file)); });
}

TEST(DamagedChip, IsRefusedByTheNameOfItsPart) {
  const auto expect = [](const char* part, const std::function<void(SmallChip&)>& damage) {
    EXPECT_NE(error_after(damage).find(part), std::string::npos) << error_after(damage);
  };
  EXPECT_EQ(error_after([](SmallChip&) {}), "");
  expect("width is 0 tiles", [](SmallChip& file) { file.chip.width = 0; });
  expect("height is 257 tiles", [](SmallChip& file) { file.chip.height = 257; });
  expect("1 tiles, expected 2 x 1", [](SmallChip& file) { file.chip.width = 2; });
  expect("a tile has type 1, there are 1", [](SmallChip& file) { file.tile.type = 1; });
  expect("a tile has shape -1, there are 1", [](SmallChip& file) { file.tile.shape = -1; });
  expect("tile types: 0: wire 3, there are 3",
         [](SmallChip& file) { file.switches[1].source = 3; });
  expect("switch 2, there are 2", [](SmallChip& file) { file.of_imux[0] = 2; });
  expect("tile types: 0: name 7, there are 7", [](SmallChip& file) { file.wires[1].name = 7; });
  expect("switches are bytes", [](SmallChip& file) { file.type.pips.length = 1 << 30; });
  expect("the site of a switch is at byte",
         [](SmallChip& file) { file.switches[1].extra.offset = -(1 << 30); });
  expect("names: 6: a text starts at byte",
         [](SmallChip& file) { file.texts[6].offset = 1 << 30; });
  expect("no speed grades", [](SmallChip& file) { file.chip.speed_grades.length = 0; });
}

TEST(DamagedChip, DoesNotLeadOutOfItsFile) {
  const support::Seeds seeds = support::test_seeds(1, 3'000);
  std::printf("seeds %" PRIu64 " to %" PRIu64 "\n", seeds.begin, seeds.end - 1);
  constexpr int32_t kValues[] = {-1, 0, 1, 2, 3, 255, 0x7000, 0x7001, 0x7002, 0x7fff'ffff};
  uint64_t refused = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    Random random(seed);
    SmallChip file{};
    make(file);
    std::vector<uint8_t> bytes = bytes_of(file);
    for (uint64_t left = 1 + random.between(0, 2); left > 0; --left) {
      const int32_t value = random.chance(50) ? kValues[random.between(0, std::size(kValues) - 1)]
                                              : static_cast<int32_t>(random.next());
      std::memcpy(&bytes[static_cast<size_t>(random.between(0, std::ssize(bytes) - 4))], &value,
                  sizeof value);
    }
    if (random.chance(12))
      bytes.resize(static_cast<size_t>(random.between(0, std::ssize(bytes) - 1)));
    refused += error_in([&] { use(bytes); }).empty() ? 0 : 1;
  }
  if (seeds.end - seeds.begin > 100) EXPECT_GT(refused, (seeds.end - seeds.begin) / 2);
}

}  // namespace
}  // namespace vta::router
