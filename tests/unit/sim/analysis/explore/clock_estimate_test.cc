// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/clock_estimate.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"

namespace vta::sim {
namespace {

constexpr const char* kReport =
    R"({"processes": [{"estimated_ns": 4}, {"estimated_ns": 12.5}, {"name": "idle"}]})";

TEST(ClockEstimate, IsThatOfTheSlowestProcess) {
  const CoreClocks clocks = estimate_clocks(load_core_config("vta_1x16"), kReport);
  EXPECT_EQ(clocks.estimated_mhz, 80);
}

TEST(ClockEstimate, HasTheRoutedClockOfACoreWithTheSameFields) {
  CoreConfig core = load_core_config("tiny_1x8");
  core.name = "another";
  const CoreClocks clocks = estimate_clocks(core, kReport);
  ASSERT_TRUE(clocks.routed_mhz.has_value());
  EXPECT_GE(*clocks.routed_mhz, 50);
  core.inp_buffer_bytes *= 2;
  EXPECT_FALSE(estimate_clocks(core, kReport).routed_mhz.has_value());
}

std::string error_of(const std::string& report) {
  try {
    estimate_clocks(load_core_config("tiny_1x8"), report);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kCorrupt ? error.what() : "another code";
  }
  return "none";
}

TEST(ClockEstimate, RefusesAnotherText) {
  EXPECT_NE(error_of("{}").find("tiny_1x8: not a report of vta-hlsc"), std::string::npos);
  EXPECT_NE(error_of(R"({"processes": []})").find("without estimated_ns"), std::string::npos);
}

}  // namespace
}  // namespace vta::sim
