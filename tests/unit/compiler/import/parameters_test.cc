// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/files/checksum.h"

namespace vta::import {
namespace {

using Role = Parameter::Role;

TEST(SyntheticParameters, AreHeScaled) {
  const Tensor weights = synthetic_parameter({"conv.weight", Role::kWeight, {64, 32, 3, 3}}, 1);
  double squares = 0;
  for (float value : weights.data<float>()) squares += double{value} * value;
  const double variance = squares / static_cast<double>(weights.num_elems());
  EXPECT_NEAR(variance, 2.0 / (32 * 9), 0.05 * 2.0 / (32 * 9));
}

TEST(SyntheticParameters, DependOnSeedAndNameAlone) {
  const Parameter parameter = {"conv.weight", Role::kWeight, {4, 4, 3, 3}};
  const auto checksum = [](const Parameter& p, uint64_t seed) {
    return crc32(synthetic_parameter(p, seed).bytes());
  };
  EXPECT_EQ(checksum(parameter, 1), checksum(parameter, 1));
  EXPECT_NE(checksum(parameter, 1), checksum(parameter, 2));
  EXPECT_NE(checksum(parameter, 1), checksum({"other.weight", Role::kWeight, {4, 4, 3, 3}}, 1));
  // The same on every machine and in every version.
  EXPECT_EQ(checksum(parameter, 1), 3850272411u);
}

TEST(SyntheticParameters, LeaveBatchNormsNeutralUntilTheyAreMeasured) {
  EXPECT_EQ(synthetic_parameter({"bn.weight", Role::kGamma, {3}}, 1).data<float>()[2], 1);
  EXPECT_EQ(synthetic_parameter({"bn.running_mean", Role::kMean, {3}}, 1).data<float>()[2], 0);
  EXPECT_EQ(synthetic_parameter({"bn.running_var", Role::kVariance, {3}}, 1).data<float>()[2], 1);
}

}  // namespace
}  // namespace vta::import
