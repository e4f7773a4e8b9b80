// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/average.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/numbers/random.h"

namespace vta {
namespace {

constexpr int64_t kMaxScaleShift = 16;

// floor(sum / (count * 2^scale_shift) + 1/2) within +-127, and its distance to the nearest half.
struct Exact {
  int64_t average;
  double to_half;
};
Exact exact_average(int64_t sum, int64_t count, int64_t scale_shift) {
  const int64_t numerator = sum << std::max<int64_t>(-scale_shift, 0);
  const int64_t divisor = count << std::max<int64_t>(scale_shift, 0);
  const int64_t twice = 2 * numerator + divisor;
  int64_t quotient = twice / (2 * divisor);
  if (twice % (2 * divisor) < 0) --quotient;
  const double real = static_cast<double>(numerator) / static_cast<double>(divisor);
  return {std::clamp<int64_t>(quotient, -127, 127), std::abs(real - std::floor(real) - 0.5)};
}

void expect_close(int64_t sum, int64_t count, int64_t scale_shift) {
  const AverageFactor factor = average_factor(count, scale_shift);
  const Exact exact = exact_average(sum, count, scale_shift);
  const int64_t average = average_of(static_cast<int32_t>(sum), factor);
  ASSERT_LE(std::abs(average - exact.average), 1) << sum << " / " << count << " >> " << scale_shift;
  if (count <= 512 && exact.to_half > 1.0 / 128) {
    ASSERT_EQ(average, exact.average) << sum << " / " << count << " >> " << scale_shift;
  }
}

// Sums at which the quotient is near a half, the extremes and random ones.
void check_sums(Random& random, int64_t count, int64_t scale_shift) {
  const int64_t largest = 127 * count;
  for (int64_t sum : {int64_t{0}, int64_t{1}, int64_t{-1}, largest, -128 * count})
    expect_close(sum, count, scale_shift);
  for (int i = 0; i < 4; ++i) {
    const double half = (static_cast<double>(random.between(-127, 127)) + 0.5) *
                        static_cast<double>(count) * std::ldexp(1.0, static_cast<int>(scale_shift));
    for (int64_t step = -1; step <= 1; ++step) {
      const double sum = std::floor(half) + static_cast<double>(step);
      if (std::abs(sum) <= static_cast<double>(largest))
        expect_close(static_cast<int64_t>(sum), count, scale_shift);
    }
    expect_close(random.between(-128 * count, largest), count, scale_shift);
  }
}

TEST(Average, IsCloseToTheQuotientForAllWindowSizes) {
  Random random(1);
  for (int64_t count = 1; count <= kMaxAverageElems && !HasFatalFailure(); ++count) {
    const bool all_scales = count <= 1024 || count % 997 == 0 || count == kMaxAverageElems;
    const int64_t limit = all_scales ? kMaxScaleShift : 0;
    for (int64_t shift = -limit; shift <= limit; ++shift) check_sums(random, count, shift);
  }
}

TEST(Average, IsExactForWindowsOfAPowerOfTwo) {
  for (int64_t count = 1; count <= 64; count *= 2) {
    const AverageFactor factor = average_factor(count, 0);
    for (int64_t sum = -128 * count; sum <= 127 * count; ++sum) {
      ASSERT_EQ(average_of(static_cast<int32_t>(sum), factor), exact_average(sum, count, 0).average)
          << sum << " / " << count;
    }
  }
}

TEST(Average, FitsTheImmediateAndTheProduct) {
  for (int64_t count = 1; count <= kMaxAverageElems; ++count) {
    for (int64_t shift : {-kMaxScaleShift, int64_t{-3}, int64_t{0}, int64_t{3}, kMaxScaleShift}) {
      const AverageFactor factor = average_factor(count, shift);
      ASSERT_GE(factor.multiplier, 0);
      ASSERT_LE(factor.multiplier, 32767);
      ASSERT_GE(factor.shift, 0);
      ASSERT_LE(factor.shift, 30);
      ASSERT_LE(128 * count * factor.multiplier + (int64_t{1} << factor.shift) / 2,
                std::numeric_limits<int32_t>::max());
    }
  }
}

TEST(Average, OfSevenBySevenHasFifteenBits) {
  EXPECT_EQ(average_factor(49, 0), (AverageFactor{21400, 20}));
  EXPECT_EQ(average_factor(49, -2), (AverageFactor{21400, 18}));
}

}  // namespace
}  // namespace vta
