// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/core_space.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

TEST(ParseSizes, TakesKiloAndMega) {
  EXPECT_EQ(parse_sizes("16,32K,1M"), (std::vector<uint32_t>{16, 32768, 1 << 20}));
}

TEST(ParseSizes, NamesWhatIsNotANumber) {
  for (const std::string bad : {"", "16,", "x", "-1", "1.5K", "5000M", "K"})
    EXPECT_NE(error_in([&] { parse_sizes(bad); }).find("expected numbers"), std::string::npos)
        << bad;
}

TEST(ParseClocks, TakesFractionsInARange) {
  EXPECT_EQ(parse_clocks("100,133.5"), (std::vector<double>{100, 133.5}));
  for (const std::string bad : {"", "0", "501", "nan", "100MHz"})
    EXPECT_NE(error_in([&] { parse_clocks(bad); }).find("from 1 to 500 MHz"), std::string::npos)
        << bad;
}

TEST(CoreSpace, HasAllLegalCombinationsWithTheirNames) {
  const CoreConfig base = load_core_config("tiny_1x8");
  const CoreSpace space =
      make_core_space(base, {{"block_in", {8, 16}}, {"token_queue_depth", {7}}}, {100, 125});
  ASSERT_EQ(space.cores.size(), 4u);
  EXPECT_EQ(space.cores[0].core.name, "1x8x8_u1K_i256_w1K_a1K_c512_t7");
  EXPECT_EQ(space.cores[0].clock_mhz, 100);
  EXPECT_EQ(space.cores[1].clock_mhz, 125);
  EXPECT_EQ(space.cores[2].core.block_in, 16u);
  EXPECT_EQ(space.cores[2].core.block_out, 8u);
  EXPECT_EQ(space.num_illegal, 0u);
}

TEST(CoreSpace, FoldsTheAlu) {
  const CoreSpace space =
      make_core_space(load_core_config("tiny_1x8"), {{"alu_folding", {1, 4, 16}}}, {100});
  ASSERT_EQ(space.cores.size(), 2u);
  EXPECT_EQ(space.cores[0].core.name, "1x8x8_u1K_i256_w1K_a1K_c512_t1023");
  EXPECT_EQ(space.cores[1].core.name, "1x8x8_u1K_i256_w1K_a1K_c512_t1023_f4");
  EXPECT_EQ(space.cores[1].core.alu_lanes(), 2u);
  EXPECT_NE(space.first_illegal.find("alu_folding is 16, must be at most 8"), std::string::npos)
      << space.first_illegal;
}

TEST(CoreSpace, HasPixelPairs) {
  const CoreSpace space =
      make_core_space(load_core_config("tiny_1x8"), {{"pixels", {1, 2}}}, {100});
  ASSERT_EQ(space.cores.size(), 2u);
  EXPECT_EQ(space.cores[1].core.name, "1x8x8_u1K_i256_w1K_a1K_c512_t1023_p2");
  EXPECT_EQ(space.cores[1].core.pixels, 2u);
}

TEST(CoreSpace, CountsIllegalCombinationsAndSaysWhy) {
  const CoreConfig base = load_core_config("vta_1x16");
  const CoreSpace space = make_core_space(base, {{"inp_buffer_bytes", {32768, 65536}}}, {100});
  EXPECT_EQ(space.cores.size(), 1u);
  EXPECT_EQ(space.num_illegal, 1u);
  EXPECT_NE(space.first_illegal.find("i64K"), std::string::npos) << space.first_illegal;
}

TEST(CoreSpace, TakesBlocksOfBothKinds) {
  const CoreConfig base = load_core_config("tiny_1x8");
  const CoreSpace space = make_core_space(base, {{"block", {8, 16}}}, {100});
  ASSERT_EQ(space.cores.size(), 2u);
  EXPECT_EQ(space.cores[0].core.name, "1x8x8_u1K_i256_w1K_a1K_c512_t1023");
  EXPECT_EQ(space.cores[1].core.name, "1x16x16_u1K_i256_w1K_a1K_c512_t1023");
}

TEST(CoreSpace, DropsRepeatedValues) {
  const CoreConfig base = load_core_config("tiny_1x8");
  EXPECT_EQ(make_core_space(base, {{"block_in", {8, 8}}}, {100, 100}).cores.size(), 1u);
}

TEST(CoreSpace, RefusesWhatIsNotASpaceOfCores) {
  const CoreConfig base = load_core_config("vta_1x16");
  const auto error = [&](const std::map<std::string, std::vector<uint32_t>>& values) {
    return error_in([&] { make_core_space(base, values, {100}); });
  };
  EXPECT_EQ(error({{"lanes", {1}}}), "'lanes' is not a field of a core");
  EXPECT_EQ(error({{"block", {8}}, {"block_in", {8}}}), "block excludes block_in and block_out");
  EXPECT_EQ(error({{"block", {512}}}), "block 512: expected 1 to 256");
  EXPECT_EQ(error({{"block_in", {512}}}), "block_in 512: expected 1 to 256");
  EXPECT_NE(error({{"inp_buffer_bytes", {1 << 24}}}).find("no core is legal"), std::string::npos);
  std::vector<uint32_t> many;
  for (uint32_t i = 1; i <= 200; ++i) many.push_back(i);
  EXPECT_EQ(error({{"command_queue_depth", many}, {"token_queue_depth", many}}),
            "these are more than 10000 cores");
}

}  // namespace
}  // namespace vta::sim
