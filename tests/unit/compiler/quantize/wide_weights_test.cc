// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/wide_weights.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace vta::quantize {
namespace {

// Index in a row.
size_t index(const RowShape& shape, int64_t row, int64_t channel, int64_t tap) {
  return static_cast<size_t>(row * shape.row_elems + channel * shape.taps + tap);
}

std::vector<int64_t> copies_of(const WidenedLayer& layer) {
  std::vector<int64_t> copies;
  for (const graph::CopiedChannel& channel : layer.channels) copies.push_back(*channel.from);
  return copies;
}

// A layer of one group and its weights, of which some may be beyond int8.
struct RandomRows {
  RowShape shape;
  int64_t channels = 0;
  std::vector<int16_t> levels;

  explicit RandomRows(Random& random) {
    shape.num_rows = random.between(1, 5);
    shape.taps = random.between(1, 4);
    channels = random.between(1, 6);
    shape.row_elems = channels * shape.taps;
    const int64_t limit = random.between(100, 255);
    for (int64_t i = 0; i < shape.num_rows * shape.row_elems; ++i)
      levels.push_back(static_cast<int16_t>(random.between(-limit, limit)));
  }
};

// The sum of the widened layer's products of a tap, whose input has these levels.
int64_t product(const WidenedLayer& layer, int64_t row, int64_t tap,
                const std::vector<int64_t>& x) {
  int64_t sum = 0;
  const int64_t own = std::ssize(x);
  for (int64_t channel = 0; channel < layer.shape.channels_per_group(); ++channel) {
    int64_t level = 0;
    if (channel < own) {
      level = x[static_cast<size_t>(channel)];
    } else {
      const graph::CopiedChannel& added = layer.channels[static_cast<size_t>(channel - own)];
      level = added.from ? x[static_cast<size_t>(*added.from)] : added.level;
    }
    sum += level * layer.rows[index(layer.shape, row, channel, tap)];
  }
  return sum;
}

TEST(WideWeights, OfCopiesAndConstantsGiveTheProductsOfTheLayer) {
  constexpr uint64_t kSeed = 1;
  Random random(kSeed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", case " << i);
    const RandomRows rows(random);
    const int64_t zero = random.between(0, 1) == 0 ? 0 : random.between(-128, 127);
    const WidenedLayer layer = widened(rows.shape, rows.levels, zero, /*copies_all=*/i % 3 == 0);
    ASSERT_EQ(layer.shape.channels_per_group(), rows.channels + std::ssize(layer.channels));
    std::vector<int64_t> x;
    for (int64_t c = 0; c < rows.channels; ++c) x.push_back(random.between(-128, 127));
    for (int64_t row = 0; row < rows.shape.num_rows; ++row) {
      for (int64_t tap = 0; tap < rows.shape.taps; ++tap) {
        int64_t sum = 0;
        for (int64_t c = 0; c < rows.channels; ++c)
          sum += rows.levels[index(rows.shape, row, c, tap)] * (x[static_cast<size_t>(c)] - zero);
        ASSERT_EQ(product(layer, row, tap, x), sum);
      }
    }
  }
}

TEST(WideWeights, CopyOnlyChannelsBeyondInt8) {
  RowShape shape;
  shape.num_rows = 2;
  shape.row_elems = 4;
  const auto copies = [&](const std::vector<int16_t>& rows) {
    return copies_of(widened(shape, rows, /*zero=*/0, /*copies_all=*/false));
  };
  EXPECT_EQ(copies({127, -128, 0, 1, 0, 5, 127, -7}), std::vector<int64_t>{});
  EXPECT_EQ(copies({127, -129, 0, 1, 0, 5, 128, -7}), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(copies({0, 0, 0, 255, 0, 0, 0, 0}), (std::vector<int64_t>{3, 3})) << "127 + 127 + 1";
  EXPECT_EQ(copies({200, 200, 200, 0, 0, 0, 0, 0}), (std::vector<int64_t>{0, 1, 2, 3})) << "many";
}

}  // namespace
}  // namespace vta::quantize
