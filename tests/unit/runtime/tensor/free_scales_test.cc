// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/free_scales.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "runtime/tensor/average.h"

namespace vta {
namespace {

constexpr uint64_t kSeed = 7;

double real(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.between(0, 1000000)) / 1e6;
}

// A layer of `taps` products a sum, whose sums reach a part of their bound as trained weights do.
std::vector<ScaledChannel> random_channels(Random& random, int64_t taps) {
  std::vector<ScaledChannel> channels(static_cast<size_t>(random.between(1, 8)));
  for (ScaledChannel& c : channels) {
    const int64_t magnitude = random.between(10, 60) * taps;  // sum of |w|
    c.weight_sum = random.between(-magnitude / 4, magnitude / 4);
    c.low = -255 * (magnitude - c.weight_sum) / 2;
    c.high = 255 * (magnitude + c.weight_sum) / 2;
    const double usual = std::sqrt(static_cast<double>(taps)) * 40 * 60 * real(random, 1, 6);
    c.ratio = 255 / usual * std::pow(2.0, -real(random, 0, 8));
    c.bias = real(random, -100, 100);
  }
  return channels;
}

// The core's arithmetic; fails if it wraps.
int64_t level(const ScaledLayer& layer, size_t channel, int64_t sum) {
  const int64_t x = (sum >> layer.pre_shift) * layer.factors[channel] + layer.biases[channel];
  EXPECT_EQ(x, static_cast<int32_t>(x)) << "sum " << sum;
  return x >> layer.shift;
}

TEST(ScaledLayer, IsWithinAThirdOfALevelOfTheRealResultAndNeverWraps) {
  Random random(kSeed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(fmt::format("seed {}, case {}", kSeed, i));
    const int64_t taps = int64_t{1} << random.between(0, 13);
    const std::vector<ScaledChannel> channels = random_channels(random, taps);
    const int64_t zero = random.between(-128, 127), result_zero = random.between(-128, 127);
    const auto layer = scaled_layer(channels, zero, result_zero);
    ASSERT_TRUE(layer.has_value());
    for (size_t c = 0; c < channels.size(); ++c) {
      const ScaledChannel& channel = channels[c];
      level(*layer, c, channel.low + zero * channel.weight_sum);
      level(*layer, c, channel.high + zero * channel.weight_sum);
      for (int k = 0; k < 100; ++k) {
        const auto in_range = static_cast<int64_t>(real(random, -255, 255) / channel.ratio);
        const int64_t sum = std::clamp(in_range, channel.low, channel.high);
        const double exact = static_cast<double>(sum) * channel.ratio + channel.bias +
                             static_cast<double>(result_zero);
        const int64_t got = level(*layer, c, sum + zero * channel.weight_sum);
        // floor(exact + 1/2 + error)
        ASSERT_LE(std::abs(static_cast<double>(got) - exact), 0.5 + 1.0 / 3) << "sum " << sum;
      }
    }
  }
}

// A channel whose ratio is far from the others' spends the bits of all; a large bias needs those of
// large sums.
TEST(ScaledLayer, OfRatiosFarApartAndLargeBiasesIsRefusedOrWithinALevel) {
  Random random(kSeed);
  int taken = 0;
  constexpr int kCases = 1000;
  for (int i = 0; i < kCases; ++i) {
    SCOPED_TRACE(fmt::format("seed {}, case {}", kSeed, i));
    std::vector<ScaledChannel> channels =
        random_channels(random, int64_t{1} << random.between(0, 13));
    ScaledChannel& odd = channels[0];
    odd.ratio *= std::pow(10.0, real(random, -5, 5));
    odd.bias = std::pow(10.0, real(random, 0, 6)) * (random.between(0, 1) == 0 ? 1 : -1);
    const int64_t zero = random.between(-128, 127), result_zero = random.between(-128, 127);
    const auto layer = scaled_layer(channels, zero, result_zero);
    if (!layer) continue;
    ++taken;
    for (size_t c = 0; c < channels.size(); ++c) {
      const ScaledChannel& channel = channels[c];
      for (int k = 0; k < 100; ++k) {
        const double result = real(random, -255, 255);
        const double wanted = (result - channel.bias) / channel.ratio;
        if (!(wanted >= channel.low && wanted <= channel.high)) continue;
        const auto sum = static_cast<int64_t>(wanted);
        const double exact = static_cast<double>(sum) * channel.ratio + channel.bias +
                             static_cast<double>(result_zero);
        const int64_t got = level(*layer, c, sum + zero * channel.weight_sum);
        ASSERT_LE(std::abs(static_cast<double>(got) - exact), 1.5) << "sum " << sum;
      }
    }
  }
  EXPECT_GT(taken, kCases / 10);
  EXPECT_LT(taken, kCases);
}

// A shift of 1 rounds a bias by a quarter of a level.
TEST(ScaledLayer, TheErrorHasTheRoundingOfBiases) {
  EXPECT_FALSE(scaled_layer({{.ratio = 1e6, .low = -700, .high = 700},
                             {.ratio = 20.2501, .bias = 0.2501, .low = -4, .high = 4}},
                            0, 0));
}

TEST(ScaledLayer, ShiftsFirstOnlyIfSumsAreLarge) {
  ScaledChannel small{.ratio = 1.0 / 300, .low = -100000, .high = 100000};
  EXPECT_EQ(scaled_layer({small}, 0, 0)->pre_shift, 0);
  ScaledChannel large{.ratio = 1.0 / 4000, .low = -18000000, .high = 18000000};
  EXPECT_GT(scaled_layer({large}, 0, 0)->pre_shift, 0);
}

TEST(ScaledLayer, RoundsHalvesUp) {
  const auto layer = scaled_layer({{.ratio = 0.5, .low = -1000, .high = 1000}}, 0, 0);
  EXPECT_EQ(level(*layer, 0, 1), 1);
  EXPECT_EQ(level(*layer, 0, -1), 0);
  EXPECT_EQ(level(*layer, 0, -3), -1);
}

TEST(ScaledLayer, IsRefusedIfResultsExceedThirtyTwoBits) {
  EXPECT_FALSE(scaled_layer({{.ratio = 1e6, .low = -100000, .high = 100000}}, 0, 0));
  EXPECT_FALSE(scaled_layer({{.ratio = 1, .bias = 1e10, .low = -1, .high = 1}}, 0, 0));
}

TEST(ScaledSum, IsWithinAHundredthOfTheRealSum) {
  Random random(kSeed);
  for (int i = 0; i < 3000; ++i) {
    const double a = std::pow(2.0, real(random, -6, 1)), b = std::pow(2.0, real(random, -6, 1));
    const int64_t za = random.between(-128, 127), zb = random.between(-128, 127);
    const int64_t z = random.between(-128, 127);
    const ScaledSum sum = *scaled_sum(a, za, b, zb, z);
    ASSERT_LE(std::max(sum.factor_a, sum.factor_b), 32767);
    const int64_t x = random.between(-128, 127), y = random.between(-128, 127);
    const int64_t total = x * sum.factor_a + y * sum.factor_b + sum.addend;
    ASSERT_EQ(total, static_cast<int32_t>(total));
    const double exact =
        static_cast<double>(x - za) * a + static_cast<double>(y - zb) * b + static_cast<double>(z);
    ASSERT_LE(std::abs(static_cast<double>(total >> sum.shift) - exact), 0.55)
        << "seed " << kSeed << ", case " << i;
  }
}

TEST(ScaledSum, OfRatiosFarApartIsRefusedOrWithinALevel) {
  Random random(kSeed);
  int taken = 0;
  constexpr int kCases = 3000;
  for (int i = 0; i < kCases; ++i) {
    const double a = std::pow(10.0, real(random, -4, 4.4)),
                 b = std::pow(10.0, real(random, -4, 4.4));
    const int64_t za = random.between(-128, 127), zb = random.between(-128, 127);
    const auto sum = scaled_sum(a, za, b, zb, 0);
    if (!sum) continue;
    ++taken;
    for (int k = 0; k < 100; ++k) {
      const int64_t x = za + random.between(-3, 3), y = random.between(-128, 127);
      const double exact = static_cast<double>(x - za) * a + static_cast<double>(y - zb) * b;
      if (std::abs(exact) > 255) continue;
      const int64_t total = x * sum->factor_a + y * sum->factor_b + sum->addend;
      ASSERT_LE(std::abs(static_cast<double>(total >> sum->shift) - exact), 1.5)
          << "seed " << kSeed << ", case " << i << ": " << a << ", " << b;
    }
  }
  EXPECT_GT(taken, kCases / 2);
  EXPECT_FALSE(scaled_sum(5000, 0, 0.6, 0, 0));
}

TEST(ScaledSum, IsRefusedForARatioBeyondTheImmediate) {
  EXPECT_FALSE(scaled_sum(40000, 0, 1, 0, 0));
}

TEST(ScaledAverage, IsWithinAHundredthOfTheRealAverage) {
  Random random(kSeed);
  for (int i = 0; i < 3000; ++i) {
    const int64_t count = random.between(1, 400);
    const double ratio = std::pow(2.0, real(random, -3, 2));
    const auto sum = static_cast<int32_t>(random.between(-255 * count, 255 * count));
    const int64_t zero = random.between(-128, 127);
    const double exact =
        static_cast<double>(sum) * ratio / static_cast<double>(count) + static_cast<double>(zero);
    const int8_t got = scaled_average_of(sum, scaled_average_factor(count, ratio), zero);
    ASSERT_LE(std::abs(std::clamp(exact, -128.0, 127.0) - got), 0.56)
        << "seed " << kSeed << ", case " << i;
  }
}

}  // namespace
}  // namespace vta
