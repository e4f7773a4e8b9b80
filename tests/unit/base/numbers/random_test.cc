// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/random.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

TEST(Random, GivesTheNumbersOfSplitMix64) {
  Random random(1234567);  // the reference implementation's first outputs for this seed
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
}

TEST(Random, StaysWithinItsRange) {
  Random random(1);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = random.between(-3, 3);
    EXPECT_GE(value, -3);
    EXPECT_LE(value, 3);
    low |= value == -3;
    high |= value == 3;
  }
  EXPECT_TRUE(low && high);
}

TEST(Random, DrawsNormalsOfMeanZeroAndDeviationOne) {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.02);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
}

}  // namespace
}  // namespace vta
