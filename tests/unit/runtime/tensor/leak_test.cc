// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/leak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"

namespace vta {
namespace {

TEST(LeakFactor, IsWithinA256thOfTheSlope) {
  Random random(31);
  for (int i = 0; i < 2000; ++i) {
    const double slope = std::exp2(static_cast<double>(random.between(-8000, 0)) / 1000);
    const LeakFactor factor = leak_factor(slope);
    EXPECT_LE(factor.shift, kMaxLeakShift);
    EXPECT_GE(factor.multiplier, min_leak(factor.shift));
    EXPECT_LE(factor.multiplier, max_leak(factor.shift));
    EXPECT_NEAR(std::ldexp(factor.multiplier, -factor.shift), slope, slope / 256);
  }
}

TEST(LeakFactor, HasNoFactorOfTwo) {
  EXPECT_EQ(leak_factor(0.25), (LeakFactor{1, 2}));
  EXPECT_EQ(leak_factor(0.375), (LeakFactor{3, 3}));
  EXPECT_EQ(leak_factor(0.1), (LeakFactor{205, 11}));
  EXPECT_EQ(leak_factor(kMinLeakSlope), (LeakFactor{1, 8}));
  EXPECT_EQ(leak_factor(1), (LeakFactor{1, 0}));
}

TEST(Leaky, MultipliesNegativeNumbersAndRoundsThem) {
  for (const double slope : {kMinLeakSlope, 0.01, 0.1, 0.3, 0.5, 0.999, 1.0}) {
    const LeakFactor factor = leak_factor(slope);
    for (int32_t x = -100000; x <= 127; ++x) {
      const double exact = x * std::ldexp(factor.multiplier, -factor.shift);
      const auto expected = x >= 0 ? x : static_cast<int32_t>(std::floor(exact + 0.5));
      ASSERT_EQ(std::max(leaky(x, factor), -128), std::max(expected, -128)) << x << " * " << slope;
    }
  }
}

TEST(Leaky, DoesNotWrap) {
  for (int64_t shift = 0; shift <= kMaxLeakShift; ++shift) {
    for (const int64_t leak : {min_leak(shift), max_leak(shift)}) {
      const LeakFactor factor{static_cast<int32_t>(leak), static_cast<int32_t>(shift)};
      for (const int32_t x : {INT32_MIN, INT32_MIN / 2, -(1 << 24), kMinLeaky - 1, kMinLeaky})
        EXPECT_LE(leaky(x, factor), -128) << leak << " / 2^" << shift << " of " << x;
    }
  }
}

LeakFactor about(int64_t zero, double slope) {
  const LeakFactor factor = leak_factor(slope);
  OpAttrs attrs;
  attrs.leak = factor.multiplier;
  attrs.leak_shift = factor.shift;
  attrs.result_zero = zero;
  return leak_factor_of(attrs);
}

// Within rounding and what the offset is off, half of the slope.
TEST(Leaky, HasItsSlopeAboutEveryZeroPoint) {
  for (const double slope : {kMinLeakSlope, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999}) {
    for (int32_t zero = -128; zero <= 127; ++zero) {
      const LeakFactor factor = about(zero, slope);
      EXPECT_LE(std::abs(factor.offset), 32767);
      const double exact_slope = std::ldexp(factor.multiplier, -factor.shift);
      for (int32_t x = -2000; x <= 127; ++x) {
        if (x >= zero) {
          ASSERT_EQ(leaky(x, factor), x) << slope << " about " << zero;
          continue;
        }
        const double exact = std::max(zero + (x - zero) * exact_slope, -128.0);
        const int32_t result = std::max(leaky(x, factor), -128);
        ASSERT_NEAR(result, exact, 0.5 + exact_slope / 2) << slope << " about " << zero;
      }
      for (const int32_t x : {INT32_MIN, INT32_MIN / 2, -(1 << 24), -100000})
        ASSERT_LE(leaky(x, factor), -128) << slope << " about " << zero;
    }
  }
}

TEST(Leaky, ChangesNothingByDefault) {
  for (const int32_t x : {INT32_MIN, -1000, -128, 0, 127})
    EXPECT_EQ(std::max(leaky(x, LeakFactor{}), -128), std::max(x, -128));
}

}  // namespace
}  // namespace vta
