// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/resource_estimate.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

constexpr const char* kReport = R"({
  "processes": [{"name": "gemm", "dsp48e1": 131}, {"name": "alu", "dsp48e1": 35}],
  "memories": [{"name": "inp", "ramb36": 8}, {"name": "load_queue", "ramb36": 2.5}]})";

TEST(ResourceEstimate, AddsUpWhatTheReportCounts) {
  const FpgaResources used = estimate_resources(load_core_config("vta_1x16"), kReport);
  EXPECT_EQ(used.dsp48e1, 166);
  EXPECT_EQ(used.ramb36, 12.5);  // 2 of the AXI adaptors
}

// What yosys maps them to (README.md).
TEST(ResourceEstimate, IsCloseToSynthesisOfTheShippedCores) {
  const FpgaResources large = estimate_resources(load_core_config("vta_1x16"), kReport);
  EXPECT_NEAR(large.lut, 25849, 0.05 * 25849);
  EXPECT_NEAR(large.ff, 14588, 0.05 * 14588);
  const FpgaResources tiny = estimate_resources(load_core_config("tiny_1x8"), kReport);
  EXPECT_NEAR(tiny.lut, 16280, 0.05 * 16280);
  EXPECT_NEAR(tiny.ff, 10697, 0.05 * 10697);
}

TEST(ResourceEstimate, KnowsFoldedAlus) {
  const FpgaResources large = estimate_resources(load_core_config("vta_1x16_folded"), kReport);
  EXPECT_NEAR(large.lut, 19766, 0.05 * 19766);
  CoreConfig halved = load_core_config("tiny_1x8");
  halved.alu_folding = 2;
  const FpgaResources tiny = estimate_resources(halved, kReport);
  EXPECT_NEAR(tiny.lut, 13640, 0.05 * 13640);
  EXPECT_NEAR(tiny.ff, 10789, 0.05 * 10789);
}

TEST(ResourceEstimate, RefusesAnotherText) {
  for (const char* bad : {"", "{}", "[1", R"({"processes": [{}], "memories": []})"})
    EXPECT_THROW(estimate_resources(load_core_config("tiny_1x8"), bad), Error) << bad;
}

TEST(PartShare, IsTheLargestOfAllResources) {
  const FpgaPart part = find_fpga_part("xc7z020");
  const PartShare share = share_of(part, {.lut = 5320, .ff = 0, .dsp48e1 = 110, .ramb36 = 1});
  EXPECT_DOUBLE_EQ(share.share, 0.5);
  EXPECT_STREQ(share.resource, "DSP48E1");
}

TEST(FpgaParts, AreFoundByNameOrListed) {
  EXPECT_EQ(find_fpga_part("xc7z010").has.ramb36, 60);
  const Error error = expect_error([&] { find_fpga_part("xc7"); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(std::string(error.what()).find("xc7z020"), std::string::npos);
}

}  // namespace
}  // namespace vta::sim
