// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/statistics.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace vta
