// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"

namespace vta::quantize {
namespace {

TEST(Lattice, FindsTheLevelsOfQuantizedWeights) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const float unit = static_cast<float>(random.between(1, 100000)) * 1e-7f;
    std::vector<float> values(static_cast<size_t>(random.between(2, 600)));
    for (float& value : values) value = static_cast<float>(random.between(-128, 127)) * unit;
    const auto lattice = lattice_of(values);
    ASSERT_TRUE(lattice.has_value()) << "seed 1, case " << i;
    for (size_t k = 0; k < values.size(); ++k) {
      ASSERT_NEAR(lattice->levels[k] * lattice->unit, double{values[k]}, 1e-4 * unit);
    }
  }
}

TEST(Lattice, PrefersPowersOfTwoAndLargeUnits) {
  EXPECT_EQ(lattice_of(std::vector<float>{0.75f, -0.25f, 1.5f})->unit, 0.25);
  EXPECT_NEAR(lattice_of(std::vector<float>{0.6f, -0.2f, 0.4f})->unit, 0.2, 1e-6);
  EXPECT_EQ(lattice_of(std::vector<float>{0, 0})->levels, (std::vector<int16_t>{0, 0}));
}

TEST(Lattice, HoldsUint8WeightsLessTheirZeroPoint) {
  const std::vector<float> values = {-119 * 0.003f, 136 * 0.003f, 7 * 0.003f, 0};
  EXPECT_FALSE(int8_lattice_of(values).has_value());
  const auto lattice = lattice_of(values);
  ASSERT_TRUE(lattice.has_value());
  EXPECT_EQ(lattice->levels, (std::vector<int16_t>{-119, 136, 7, 0}));
}

TEST(Lattice, HasNoRoomForOtherWeights) {
  std::vector<float> values;
  for (int i = 0; i < 40; ++i) values.push_back(std::sqrt(static_cast<float>(i)));
  EXPECT_FALSE(lattice_of(values).has_value());
}

}  // namespace
}  // namespace vta::quantize
