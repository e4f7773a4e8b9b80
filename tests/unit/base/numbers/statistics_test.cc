// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/statistics.h"

#include <gtest/gtest.h>

#include <numeric>

namespace vta {
namespace {

TEST(StandardDeviation, IsThatOfThePopulation) {
  EXPECT_DOUBLE_EQ(mean({2, 4, 4, 4, 5, 5, 7, 9}), 5);
  EXPECT_DOUBLE_EQ(standard_deviation({2, 4, 4, 4, 5, 5, 7, 9}), 2);
  EXPECT_DOUBLE_EQ(standard_deviation({3}), 0);
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleSamples) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(Percentile, IsTheNearestRank) {
  const std::vector<double> samples = {50, 15, 40, 20, 35};
  EXPECT_DOUBLE_EQ(percentile(samples, 5), 15);
  EXPECT_DOUBLE_EQ(percentile(samples, 30), 20);
  EXPECT_DOUBLE_EQ(percentile(samples, 40), 20);
  EXPECT_DOUBLE_EQ(percentile(samples, 50), 35);
  EXPECT_DOUBLE_EQ(percentile(samples, 100), 50);
  EXPECT_DOUBLE_EQ(percentile({7}, 1), 7);
}

TEST(Percentile, IsNotARankTooHighWhereThePercentHasNoExactDouble) {
  for (const size_t thousands : {1, 2, 41, 82}) {
    std::vector<double> samples(1000 * thousands);
    std::iota(samples.begin(), samples.end(), 1);
    EXPECT_DOUBLE_EQ(percentile(samples, 99.9), 999.0 * static_cast<double>(thousands));
    EXPECT_DOUBLE_EQ(percentile(samples, 7), 70.0 * static_cast<double>(thousands));
  }
}

}  // namespace
}  // namespace vta
