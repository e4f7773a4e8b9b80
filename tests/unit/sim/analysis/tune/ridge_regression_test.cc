// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/ridge_regression.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/numbers/random.h"

namespace vta::sim {
namespace {

using Features = RidgeRegression::Features;

Features random_features(Random& random) {
  Features x;
  for (double& value : x) value = static_cast<double>(random.between(-100, 100));
  return x;
}

TEST(RidgeRegression, FindsALinearFunction) {
  Random random(1);
  const auto target = [](const Features& x) { return 7 + 0.5 * x[0] - 3 * x[17]; };
  std::vector<Features> rows;
  std::vector<double> targets;
  for (int i = 0; i < 200; ++i) {
    rows.push_back(random_features(random));
    rows.back()[5] = 4;  // constant
    targets.push_back(target(rows.back()));
  }
  const RidgeRegression model(rows, targets);
  for (int i = 0; i < 20; ++i) {
    const Features x = random_features(random);
    EXPECT_NEAR(model.predict(x), target(x), 3);
  }
}

TEST(RidgeRegression, PredictsTheMeanOfOneRow) {
  EXPECT_DOUBLE_EQ(RidgeRegression({Features{}}, {5}).predict(Features{}), 5);
}

}  // namespace
}  // namespace vta::sim
