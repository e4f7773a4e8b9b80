// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/placement_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta::placer {
namespace {

const std::vector<Site> kSites = {
    {{1, 5}, 0, true}, {{1, 5}, 1, false}, {{1, 6}, 0, true}, {{1, 6}, 1, false}};

PlacementFile read(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder.path() / "placement.json", text);
  return read_placement(folder.path() / "placement.json", kSites);
}

std::string error_of(const std::string& text) {
  return error_in([&] { read(text); }, ErrorCode::kCorrupt);
}

constexpr const char* kText = R"({
    "cells": [{"bel": "X1Y6/SLICE_X1Y0.CARRY4", "is_memory": false, "launch_ps": 0},
              {"bel": "X1Y5/SLICE_X1Y0.CARRY4", "is_memory": false, "launch_ps": 0},
              {"bel": "X1Y6/SLICE_X1Y0.A6LUT", "is_memory": false, "launch_ps": 0},
              {"bel": "X1Y5/SLICE_X0Y0.A6LUT", "is_memory": true, "launch_ps": 1279},
              {"bel": "X9Y9/DSP48_X0Y1.DSP48E1", "is_memory": false, "is_fixed": true, "launch_ps": 0}],
    "nets": [{"driver": 2, "sinks": [[0, 100, false], [3, 124, false], [4, 362, true]]}],
    "carries": [[0, 1]]})";

TEST(PlacementFile, ReadsSlicesAndTheirNets) {
  const Placement placement = read(kText).placement;
  ASSERT_EQ(placement.units.size(), 4U);
  EXPECT_EQ(placement.units[0].site, 3);
  EXPECT_EQ(placement.cells[2].unit, 0) << "in the slice of the carry";
  EXPECT_TRUE(placement.units[2].needs_memory);
  EXPECT_EQ(placement.units[3].site, -1);
  EXPECT_EQ(placement.units[3].tile, (Point{9, 9}));
  EXPECT_EQ(placement.chains, (std::vector<std::vector<int32_t>>{{0, 1}}));
  EXPECT_TRUE(placement.cells[0].is_carry && placement.cells[1].is_carry);
  ASSERT_EQ(placement.nets.size(), 1U);
  EXPECT_EQ(placement.nets[0].driver, 2);
  ASSERT_EQ(placement.nets[0].sinks.size(), 3U);
  EXPECT_EQ(placement.cells[3].launch_ps, 1279);
  EXPECT_EQ(placement.nets[0].sinks[1].logic_ps, 124);
  EXPECT_FALSE(placement.nets[0].sinks[1].ends_paths);
  EXPECT_TRUE(placement.nets[0].sinks[2].ends_paths);
}

TEST(PlacementFile, KnowsWhatSharesTheOutputOfASlot) {
  const auto cell_at = [](const std::string& bel) {
    return read(R"({"cells": [{"bel": "X1Y5/SLICE_X1Y0.)" + bel +
                R"(", "is_memory": false, "launch_ps": 0}], "nets": [], "carries": []})")
        .placement.cells[0];
  };
  for (const char* bel : {"A6LUT", "AFF"}) EXPECT_FALSE(cell_at(bel).shares_output) << bel;
  for (const char* bel : {"A5LUT", "A5FF", "CARRY4", "F7BMUX", "F8MUX"})
    EXPECT_TRUE(cell_at(bel).shares_output) << bel;
  for (const char* bel : {"F7AMUX", "F7BMUX", "F8MUX"})
    EXPECT_TRUE(cell_at(bel).is_multiplexer) << bel;
  EXPECT_FALSE(cell_at("CARRY4").is_multiplexer);
}

TEST(PlacementFile, WritesThePlacesOfAllCells) {
  PlacementFile file = read(kText);
  file.placement.units[2].site = 2;
  const ScratchFolder folder;
  write_places(folder.path() / "places.json", file);
  const auto json = nlohmann::json::parse(read_file(folder.path() / "places.json"));
  EXPECT_EQ(json.at("bels"),
            (std::vector<std::string>{"X1Y6/SLICE_X1Y0.CARRY4", "X1Y5/SLICE_X1Y0.CARRY4",
                                      "X1Y6/SLICE_X1Y0.A6LUT", "X1Y6/SLICE_X0Y0.A6LUT",
                                      "X9Y9/DSP48_X0Y1.DSP48E1"}));
}

TEST(PlacementFile, MovesDspsAndBothHalvesOfABlockRam) {
  const std::string text = R"({"cells": [
      {"bel": "X19Y5/RAMB18_X0Y0.RAMB18E1", "is_memory": false, "launch_ps": 2454},
      {"bel": "X19Y5/RAMB18_X0Y1.RAMB18E1", "is_memory": false, "launch_ps": 2454},
      {"bel": "X28Y5/DSP48_X0Y1.DSP48E1", "is_memory": false, "launch_ps": 0}],
    "nets": [], "carries": []})";
  const ScratchFolder folder;
  write_file(folder.path() / "placement.json", text);
  PlacementFile file =
      read_placement(folder.path() / "placement.json", {{{19, 5}, 0, false, SiteKind::kBlockRam},
                                                        {{19, 10}, 0, false, SiteKind::kBlockRam},
                                                        {{28, 5}, 1, false, SiteKind::kDsp},
                                                        {{28, 10}, 0, false, SiteKind::kDsp}});
  ASSERT_EQ(file.placement.units.size(), 2U);
  file.placement.units[0].site = 1;
  file.placement.units[1].site = 3;
  write_places(folder.path() / "places.json", file);
  const auto json = nlohmann::json::parse(read_file(folder.path() / "places.json"));
  EXPECT_EQ(json.at("bels"),
            (std::vector<std::string>{"X19Y10/RAMB18_X0Y0.RAMB18E1", "X19Y10/RAMB18_X0Y1.RAMB18E1",
                                      "X28Y10/DSP48_X0Y0.DSP48E1"}));
}

TEST(PlacementFile, RefusesWhatTheChipDoesNotHave) {
  EXPECT_NE(
      error_of(
          R"({"cells": [{"bel": "X2Y5/SLICE_X0Y0.A6LUT", "is_memory": false, "launch_ps": 0}], "nets": [], "carries": []})")
          .find("the chip has no site for X2Y5/SLICE_X0Y0.A6LUT"),
      std::string::npos);
  EXPECT_NE(
      error_of(
          R"({"cells": [{"bel": "X1Y5/SLICE_X1Y0.A6LUT", "is_memory": true, "launch_ps": 1279}], "nets": [], "carries": []})")
          .find("a memory is at X1Y5/SLICE_X1Y0.A6LUT, a slice without"),
      std::string::npos);
  EXPECT_NE(error_of(R"({"cells": [], "nets": [{"driver": 1, "sinks": []}], "carries": []})")
                .find("there is no cell 1"),
            std::string::npos);
  EXPECT_NE(error_of("{}").find("not a placed netlist"), std::string::npos);
  EXPECT_NE(
      error_of(
          R"({"cells": [{"bel": "A6LUT", "is_memory": false, "launch_ps": 0}], "nets": [], "carries": []})")
          .find("A6LUT does not name the place of a cell"),
      std::string::npos);
}

}  // namespace
}  // namespace vta::placer
