// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/switch_delays.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta::router {
namespace {

// B is one conductor with W of the tile to its right.
constexpr const char* kLeft = R"({"pips": {
    "INT_L.A->>B": {"src_wire": "A", "dst_wire": "B", "is_directional": "1",
                    "src_to_dst": {"delay": ["0.010", "0.020", "0.030", "0.040"], "res": "1000.0", "in_cap": "7.5"},
                    "dst_to_src": {"delay": ["9", "9", "9", "9"], "res": null}},
    "INT_L.A<<->>C": {"src_wire": "A", "dst_wire": "C", "is_directional": "0",
                      "src_to_dst": {"delay": ["0.001", "0.002", "0.003", "0.004"], "res": null},
                      "dst_to_src": {"delay": ["0.005", "0.006", "0.007", "0.008"], "res": "0.0"}},
    "INT_L.C->>D": {"src_wire": "C", "dst_wire": "D", "is_directional": "1",
                    "src_to_dst": {"delay": null, "res": "500.0"}},
    "INT_L.B->>D": {"src_wire": "B", "dst_wire": "D", "is_directional": "1",
                    "is_pass_transistor": 1, "src_to_dst": {"delay": null, "res": "0.000"}}},
  "sites": [{"site_pins": {
    "A1": {"wire": "A", "cap": "0.5", "delay": ["0.172", "0.214", "0.416", "0.516"]},
    "AQ": {"wire": "B", "res": "1400", "delay": ["0.000", "0.000", "0.000", "0.000"]},
    "X": null}}],
  "wires": {"A": null, "B": {"cap": "3.000", "res": "100.000"}, "C": null, "D": {"cap": "2.000"}}})";
constexpr const char* kRight =
    R"({"pips": {}, "sites": [], "wires": {"W": {"cap": "1.000", "res": "300.000"}, "V": null}})";
constexpr const char* kTiles = R"({"INT_L_X2Y3": {"grid_x": 2, "grid_y": 3, "type": "INT_L"},
    "INT_R_X3Y3": {"grid_x": 3, "grid_y": 3, "type": "INT_R"},
    "INT_L_X8Y3": {"grid_x": 8, "grid_y": 3, "type": "INT_L"}})";
constexpr const char* kLinks = R"([{"grid_deltas": [1, 0], "tile_types": ["INT_L", "INT_R"],
                                    "wire_pairs": [["B", "W"], ["C", "V"]]}])";

class SwitchDelaysTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.path() / "chip");
    write("tile_type_INT_L.json", kLeft);
    write("tile_type_INT_R.json", kRight);
    write("chip/tilegrid.json", kTiles);
    write("chip/tileconn.json", kLinks);
  }
  void write(const char* name, const char* text) {
    write_file(folder_.path() / name, std::string(text));
  }
  CornerDelays of(const char* source, const char* target, int x = 2) {
    SwitchDelays delays(folder_.path(), "chip");
    return delays.of({Node{0}, Node{1}, Switch::Kind::kOfTile, {x, 3}, source, target});
  }
  SwitchTiming timing(Switch::Kind kind, const char* source, const char* target) {
    SwitchDelays delays(folder_.path(), "chip");
    return delays.timing({Node{0}, Node{1}, kind, {2, 3}, source, target});
  }
  ScratchFolder folder_;
};

void expect_near(const CornerDelays& found, const CornerDelays& wanted) {
  EXPECT_NEAR(found.fast_min, wanted.fast_min, 1e-3);
  EXPECT_NEAR(found.fast_max, wanted.fast_max, 1e-3);
  EXPECT_NEAR(found.slow_min, wanted.slow_min, 1e-3);
  EXPECT_NEAR(found.slow_max, wanted.slow_max, 1e-3);
}

TEST_F(SwitchDelaysTest, HaveBothCornersAndTheConductorInAllItsTiles) {
  // (1000 + (100 + 300) / 2) ohm * (3 + 1) fF
  expect_near(of("A", "B"), {10 + 4.8F, 20 + 4.8F, 30 + 4.8F, 40 + 4.8F});
}

TEST_F(SwitchDelaysTest, HaveOnlyTheTilesThatAreThere) {
  // (1000 + 100 / 2) ohm * 3 fF
  expect_near(of("A", "B", 8), {10 + 3.15F, 20 + 3.15F, 30 + 3.15F, 40 + 3.15F});
}

TEST_F(SwitchDelaysTest, OfASwitchOfBothDirectionsAreThoseOfEach) {
  expect_near(of("A", "C"), {1, 2, 3, 4});
  expect_near(of("C", "A"), {5, 6, 7, 8});
}

TEST_F(SwitchDelaysTest, WithoutAnEntryAreFrom0To100Ps) {
  expect_near(of("C", "D"), {1, 101, 1, 101});
  expect_near(of("A", "D"), {0, 100, 0, 100});
}

TEST_F(SwitchDelaysTest, OfAPassTransistorAreNone) { expect_near(of("B", "D"), {0, 0, 0, 0}); }

TEST_F(SwitchDelaysTest, OfASwitchHaveItsInputCapacitance) {
  const SwitchTiming found = timing(Switch::Kind::kOfTile, "A", "B");
  EXPECT_TRUE(found.is_buffer);
  EXPECT_FLOAT_EQ(found.input_ff, 7.5F);
  EXPECT_FALSE(timing(Switch::Kind::kOfTile, "B", "D").is_buffer);
}

TEST_F(SwitchDelaysTest, OfASiteAreThoseOfItsPins) {
  const SwitchTiming input = timing(Switch::Kind::kIntoSite, "A", "SLICE.A1");
  expect_near(input.delays, {172, 214, 416, 516});
  EXPECT_FLOAT_EQ(input.input_ff, 0.5F);
  const SwitchTiming output = timing(Switch::Kind::kOutOfSite, "SLICE.AQ", "B");
  expect_near(output.delays, {0, 0, 0, 0});
  EXPECT_FLOAT_EQ(output.ohm, 1400);
  expect_near(timing(Switch::Kind::kInSite, "A", "B").delays, {0, 0, 0, 0});
}

TEST_F(SwitchDelaysTest, OfAMissingOrWrongFileAreAnErrorWithItsName) {
  EXPECT_THROW(of("A", "B", 9), Error);
  write("tile_type_INT_L.json", "{}");
  EXPECT_NE(error_in([&] { of("A", "B"); }).find("tile_type_INT_L.json"), std::string::npos);
}

}  // namespace
}  // namespace vta::router
