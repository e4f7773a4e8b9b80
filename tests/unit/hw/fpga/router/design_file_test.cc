// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/design_file.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta::router {
namespace {

std::string error_of(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder.path() / "placed.json", text);
  return error_in([&] { read_placed_design(folder.path() / "placed.json"); }, ErrorCode::kCorrupt);
}

TEST(DesignFile, ReadsCellsAndNets) {
  const ScratchFolder folder;
  write_file(folder.path() / "placed.json", std::string(R"({
      "cells": [{"bel": "X1Y2/A6LUT", "is_memory": true, "launch_ps": 1279}, {"bel": "X3Y4/AFF", "is_memory": false}],
      "nets": [{"name": "n", "source": "X1Y2/Q", "sinks": ["X3Y4/D", "X3Y4/CE"],
                "pins": [["ff", "D"], ["ff", "CE"]], "driver": 0, "loads": [[1, -52, true], [1, 182, true]]},
               {"name": "one", "everywhere": "VCC_WIRE", "sinks": ["X3Y4/SR"]}]})"));
  const PlacedDesign design = read_placed_design(folder.path() / "placed.json");
  ASSERT_EQ(design.cells.size(), 2U);
  EXPECT_EQ(design.cells[0].launch_ps, 1279);
  EXPECT_EQ(design.cells[1].launch_ps, 0);
  EXPECT_EQ(design.cells[0].bel, "X1Y2/A6LUT");
  EXPECT_TRUE(design.cells[0].is_memory);
  ASSERT_EQ(design.nets.size(), 2U);
  EXPECT_FALSE(design.nets[0].is_everywhere);
  EXPECT_EQ(design.nets[0].sinks, (std::vector<std::string>{"X3Y4/D", "X3Y4/CE"}));
  EXPECT_EQ(design.nets[0].pins, (std::vector<std::string>{"ff.D", "ff.CE"}));
  EXPECT_EQ(design.nets[0].driver, 0);
  ASSERT_EQ(design.nets[0].loads.size(), 2U);
  EXPECT_EQ(design.nets[0].loads[0].cell, 1);
  EXPECT_EQ(design.nets[0].loads[0].logic_ps, -52);
  EXPECT_TRUE(design.nets[0].loads[0].ends_paths);
  EXPECT_TRUE(design.nets[1].pins.empty());
  EXPECT_TRUE(design.nets[1].loads.empty());
  EXPECT_TRUE(design.nets[1].is_everywhere);
  EXPECT_EQ(design.nets[1].source, "VCC_WIRE");
}

TEST(DesignFile, NamesWhatIsWrong) {
  EXPECT_NE(error_of("{").find("not a placed design"), std::string::npos);
  EXPECT_NE(error_of(R"({"cells": []})").find("nets"), std::string::npos);
  EXPECT_NE(error_of(R"({"cells": [], "nets": [{"name": "n", "source": "X1Y2/Q", "sinks": []}]})")
                .find("net n has no sinks"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"cells": [], "nets": [{"name": "n", "source": "X1Y2/Q",
                         "sinks": ["X1Y2/D"], "pins": [["a", "D"], ["b", "D"]]}]})")
                .find("net n has 1 sinks and 2 pins"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"cells": [{"bel": "X1Y2/A6LUT", "is_memory": false}],
                         "nets": [{"name": "n", "source": "X1Y2/Q", "sinks": ["X1Y2/D"],
                                   "driver": 0, "loads": [[0, 1, true], [0, 1, true]]}]})")
                .find("net n has 1 sinks and 2 loads"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"cells": [{"bel": "X1Y2/A6LUT", "is_memory": false}],
                         "nets": [{"name": "n", "source": "X1Y2/Q", "sinks": ["X1Y2/D"],
                                   "driver": 0, "loads": [[1, 1, true]]}]})")
                .find("net n has cell 1 of 1"),
            std::string::npos);
}

TEST(DesignFile, WritesTheSwitchesAndDelaysOfANet) {
  const ScratchFolder folder;
  write_routes(folder.path() / "routes.json",
               {{"n", {"X1Y2/Q"}, {"X1Y2/OUT/Q", "X1Y3/D/OUT"}, {{"X1Y3/D", 843}}}});
  const auto bytes = read_file(folder.path() / "routes.json");
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
            R"({"nets":[{"delays":[["X1Y3/D",843]],"name":"n","sources":["X1Y2/Q"],)"
            R"("switches":["X1Y2/OUT/Q","X1Y3/D/OUT"]}]})");
}

TEST(DesignFile, ReadsTheRoutesThatItHasWritten) {
  const ScratchFolder folder;
  const auto path = folder.path() / "routes.json";
  write_routes(path, {{"n", {"X1Y2/Q"}, {"X1Y2/OUT/Q"}, {{"X1Y3/D", 843}}}});
  const auto routes = read_routes(path);
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].name, "n");
  EXPECT_EQ(routes[0].sources, (std::vector<std::string>{"X1Y2/Q"}));
  EXPECT_EQ(routes[0].switches, (std::vector<std::string>{"X1Y2/OUT/Q"}));
  ASSERT_EQ(routes[0].delays.size(), 1U);
  EXPECT_EQ(routes[0].delays[0].ps, 843);
  write_file(path, std::string(R"({"nets": [{"name": "n"}]})"));
  EXPECT_THROW(read_routes(path), Error);
}

TEST(DesignFile, ReadsSinksThatNeedLongerWays) {
  const ScratchFolder folder;
  write_file(folder.path() / "longer.json", std::string(R"({"sinks": [["n", "X1Y2/D", 120]]})"));
  const auto sinks = read_longer_sinks(folder.path() / "longer.json");
  ASSERT_EQ(sinks.size(), 1U);
  EXPECT_EQ(sinks[0].net, "n");
  EXPECT_EQ(sinks[0].wire, "X1Y2/D");
  EXPECT_EQ(sinks[0].fast_ps, 120);
}

TEST(DesignFile, WritesDelaysAtEachCorner) {
  const ScratchFolder folder;
  write_delays(folder.path() / "delays.json",
               {{"n", {{-1, {100.4F, 120.6F, 300, 330}}}, {{"X1Y2/D", 0}, {"X1Y2/Q", -1}}}});
  const auto bytes = read_file(folder.path() / "delays.json");
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
            R"({"nets":[{"branches":[[-1,100,121,300,330]],"name":"n",)"
            R"("sinks":[["X1Y2/D",0],["X1Y2/Q",-1]]}]})");
}

}  // namespace
}  // namespace vta::router
