// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/pareto.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace vta::sim {
namespace {

using Points = std::vector<std::pair<double, double>>;

TEST(ParetoFront, HasWhatNoPointBeatsTheFirstCoordinateAscending) {
  EXPECT_EQ(pareto_front({{3, 1}, {1, 3}, {2, 2}, {2, 3}, {4, 1}}), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(pareto_front({}), std::vector<size_t>());
}

TEST(ParetoFront, HasEqualPointsOnce) {
  EXPECT_EQ(pareto_front({{1, 1}, {1, 1}, {1, 2}}), (std::vector<size_t>{0}));
}

TEST(ParetoFront, EqualsComparingAllPairs) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    Points points(static_cast<size_t>(random.between(1, 30)));
    for (auto& [a, b] : points) {
      a = static_cast<double>(random.between(0, 7));
      b = static_cast<double>(random.between(0, 7));
    }
    std::vector<bool> on_front(points.size());
    for (const size_t i : pareto_front(points)) on_front[i] = true;
    for (size_t i = 0; i < points.size(); ++i) {
      bool beaten = false;
      for (size_t j = 0; j < points.size(); ++j) {
        const bool is_before = points[j] != points[i] || j < i;
        beaten |= is_before && j != i && points[j].first <= points[i].first &&
                  points[j].second <= points[i].second;
      }
      EXPECT_EQ(on_front[i], !beaten) << "round " << round << ", point " << i;
    }
  }
}

}  // namespace
}  // namespace vta::sim
