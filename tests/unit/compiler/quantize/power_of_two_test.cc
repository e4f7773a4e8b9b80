// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/power_of_two.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/numbers/random.h"
#include "compiler/quantize/histogram.h"

namespace vta::quantize {
namespace {

TEST(PowerOfTwo, CeilingOfTheLogarithmIsExactAtPowers) {
  EXPECT_EQ(ceil_log2(1.0), 0);
  EXPECT_EQ(ceil_log2(std::nextafter(1.0, 2.0)), 1);
  EXPECT_EQ(ceil_log2(0.25), -2);
  EXPECT_EQ(ceil_log2(0.26), -1);
}

TEST(PowerOfTwo, WeightScaleIsOneHundredTwentyEighthOfTheNextPower) {
  EXPECT_EQ(weight_frac_bits_by_max(std::vector<float>{0.3f, -0.2f}), 8);  // 0.5 / 128 = 2^-8
  EXPECT_EQ(weight_frac_bits_by_max(std::vector<float>{-0.5f}), 8);
  EXPECT_EQ(weight_frac_bits_by_max(std::vector<float>{0.51f}), 7);
  EXPECT_EQ(weight_frac_bits_by_max(std::vector<float>{300.0f}), -2);
  EXPECT_EQ(weight_frac_bits_by_max(std::vector<float>{0, 0}), 7);
}

TEST(PowerOfTwo, WeightErrorTradesClippingForResolution) {
  std::vector<float> weights(1000, 0.1003f);
  weights.push_back(0.26f);  // one outlier would cost the others a bit of resolution
  EXPECT_EQ(weight_frac_bits_by_max(weights), 8);
  EXPECT_GE(weight_frac_bits_by_error(weights), 9);
}

TEST(PowerOfTwo, LargestActivationIsNotClipped) {
  for (double largest : {0.01, 0.99, 0.9921875, 1.0, 3.97, 6.0, 7.99, 127.0, 1000.0}) {
    const int frac_bits = frac_bits_without_clipping(largest);
    EXPECT_LT(std::ldexp(largest, frac_bits), 127.5) << largest;
    EXPECT_GE(std::ldexp(largest, frac_bits + 1), 127.3) << largest;
  }
  EXPECT_EQ(frac_bits_without_clipping(1.0), 6);
  EXPECT_EQ(frac_bits_without_clipping(127.0 / 128), 7);
}

TEST(PowerOfTwo, RoundNumbersKeepTheirScaleInSpiteOfTheLastBits) {
  for (double largest : {0.5, 1.0, 2.0, 6.0, 127.0}) {
    EXPECT_EQ(frac_bits_without_clipping(largest * (1 + 1e-6)),
              frac_bits_without_clipping(largest * (1 - 1e-6)))
        << largest;
  }
}

TEST(PowerOfTwo, ValuesRoundHalfAwayFromZeroAndClip) {
  EXPECT_EQ(quantized(0.5, 0), 1);
  EXPECT_EQ(quantized(-0.5, 0), -1);
  EXPECT_EQ(quantized(0.49, 0), 0);
  EXPECT_EQ(quantized(200, 0), 127);
  EXPECT_EQ(quantized(-200, 0), -127);
  EXPECT_EQ(quantized_bias(0.75, 2), 3);
  EXPECT_EQ(quantized_bias(-1.125, 2), -5);
  EXPECT_EQ(quantized_bias(1e20, 2), 1 << 30);
}

std::vector<float> normal_values(size_t count, double scale) {
  Random random(3);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.normal() * scale));
  return values;
}

TEST(HistogramTest, ErrorIsCloseToTheOneOfTheValues) {
  const std::vector<float> values = normal_values(20000, 1.0);
  Histogram histogram;
  ASSERT_TRUE(histogram.add(values));
  for (int frac_bits : {3, 4, 5, 6}) {
    double exact = 0;
    for (float x : values)
      exact += std::pow(x - std::ldexp(quantized(x, frac_bits), -frac_bits), 2);
    EXPECT_NEAR(histogram.squared_error(frac_bits), exact, 0.02 * exact) << frac_bits;
  }
}

TEST(HistogramTest, ChoiceIsTheLeastErrorAndIgnoresTinyChanges) {
  std::vector<float> values = normal_values(20000, 1.0);
  Histogram histogram;
  ASSERT_TRUE(histogram.add(values));
  const int best = histogram.best_frac_bits();
  EXPECT_EQ(best, 5);  // clipping at 4 sigma beats both 2 and 8
  for (float& x : values) x = std::nextafter(x, 100.0f);
  Histogram changed;
  ASSERT_TRUE(changed.add(values));
  EXPECT_EQ(changed.best_frac_bits(), best);
}

TEST(HistogramTest, ReportsNumbersThatAreNotFinite) {
  Histogram histogram;
  EXPECT_FALSE(histogram.add(std::vector<float>{1, std::numeric_limits<float>::infinity()}));
  EXPECT_FALSE(histogram.add(std::vector<float>{std::numeric_limits<float>::quiet_NaN()}));
}

TEST(HistogramTest, TakesZerosAndExtremes) {
  Histogram histogram;
  ASSERT_TRUE(histogram.add(std::vector<float>{0, -0.0f}));
  EXPECT_EQ(histogram.best_frac_bits(), 7);
  ASSERT_TRUE(histogram.add(std::vector<float>{1e-40f, 3e38f}));
  EXPECT_EQ(histogram.best_frac_bits(), kMinFracBits);
}

}  // namespace
}  // namespace vta::quantize
