// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace vta {
namespace {

TEST(ParseNumber, TakesATextThatIsOneNumber) {
  EXPECT_EQ(parse_number<uint8_t>("255"), 255);
  EXPECT_EQ(parse_number<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_number<uint32_t>("ffFFffff", 16), UINT32_MAX);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500);
  EXPECT_EQ(parse_number<float>("-.25"), -0.25f);
}

TEST(ParseNumber, TakesNothingElse) {
  for (const char* text : {"", " 5", "5 ", "+5", "-5", "0x10", "5K", "5.0", "256", "1e400"})
    EXPECT_EQ(parse_number<uint8_t>(text), std::nullopt) << text;
  for (const char* text : {"", " 5", "5 ", "+5", "5dB", "inf", "-infinity", "nan", "1e400", "1,5"})
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace vta
