// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/clock_estimate.h"

#include <gtest/gtest.h>

#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

constexpr const char* kReport =
    R"({"processes": [{"estimated_ns": 4}, {"estimated_ns": 12.5}, {"name": "idle"}]})";

std::string todays() { return "1f"; }

TEST(ClockEstimate, IsThatOfTheSlowestProcess) {
  const CoreClocks clocks = estimate_clocks(load_core_config("vta_1x16"), kReport, todays, {});
  EXPECT_EQ(clocks.estimated_mhz, 80);
}

TEST(ClockEstimate, HasTheRoutedClockOfACoreWithTheSameFields) {
  constexpr RoutedCore kRouted[] = {{"vta_1x16", 90, "0e"}, {"tiny_1x8", 75.5, "1f"}};
  CoreConfig core = load_core_config("tiny_1x8");
  core.name = "another";
  const CoreClocks clocks = estimate_clocks(core, kReport, todays, kRouted);
  EXPECT_EQ(clocks.routed_mhz, 75.5);
  EXPECT_EQ(clocks.not_routed, "");
  core.inp_buffer_bytes *= 2;
  const CoreClocks other = estimate_clocks(core, kReport, todays, kRouted);
  EXPECT_FALSE(other.routed_mhz.has_value());
  EXPECT_EQ(other.not_routed, "");
}

TEST(ClockEstimate, HasNoRoutedClockOfOtherVerilog) {
  for (const char* sha256 : {"", "2a"}) {
    const RoutedCore routed[] = {{"tiny_1x8", 75.5, sha256}};
    const CoreClocks clocks =
        estimate_clocks(load_core_config("tiny_1x8"), kReport, todays, routed);
    EXPECT_FALSE(clocks.routed_mhz.has_value()) << sha256;
    EXPECT_EQ(clocks.not_routed,
              "the 75.5 MHz of hw/fpga/boards/timing/tiny_1x8.json are of other Verilog; "
              "hw/fpga/build_bitstream --tools open --core tiny_1x8 --write routes it again");
  }
}

TEST(ClockEstimate, ReadsTheTablesOfTheProject) {
  EXPECT_FALSE(routed_cores().empty());
  for (const RoutedCore& routed : routed_cores()) EXPECT_GE(routed.mhz, 50) << routed.name;
}

std::string error_of(const std::string& report) {
  return error_in([&] { estimate_clocks(load_core_config("tiny_1x8"), report, todays); },
                  ErrorCode::kCorrupt);
}

TEST(ClockEstimate, RefusesAnotherText) {
  EXPECT_NE(error_of("{}").find("tiny_1x8: not a report of vta-hlsc"), std::string::npos);
  EXPECT_NE(error_of(R"({"processes": []})").find("without estimated_ns"), std::string::npos);
}

}  // namespace
}  // namespace vta::sim
