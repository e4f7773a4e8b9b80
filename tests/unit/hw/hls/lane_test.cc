// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/lane.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hls {
namespace {

// The sanitizer watches: words are structs of bytes, which may lie anywhere.
TEST(Beat, GoesInAndOutOfAWordAtAnOddAddress) {
  struct Word {
    int8_t v[16];
  };
  struct {
    int8_t before;
    Word word;
  } odd = {};
  set_beat(odd.word, 1, 0x8877665544332211u);
  EXPECT_EQ(odd.word.v[7], 0);
  EXPECT_EQ(odd.word.v[8], 0x11);
  EXPECT_EQ(get_beat(odd.word, 1), 0x8877665544332211u);
}

TEST(Shift, IsArithmeticToTheRightAndLogicalToTheLeft) {
  EXPECT_EQ(shift(-5, 1, false), -3);
  EXPECT_EQ(shift(INT32_MIN, 31, false), -1);
  EXPECT_EQ(shift(3, 31, true), INT32_MIN);
  EXPECT_EQ(shift(-1, 0, true), -1);
}

TEST(Distance, IsTheMagnitudeUpToWhatAWordCanBeShifted) {
  for (int32_t y = -31; y <= 31; ++y) EXPECT_EQ(distance(y), static_cast<uint32_t>(y < 0 ? -y : y));
  for (int32_t y : {32, -32, 33, -33, 64, -64, INT32_MAX, INT32_MIN}) EXPECT_EQ(distance(y), 31u);
}

}  // namespace
}  // namespace hls
