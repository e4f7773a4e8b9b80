// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/dot.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace hls {
namespace {

// Compares the intrinsics with the definition (this file is compiled for the host's instruction
// set).
template <uint32_t batch, uint32_t rows, uint32_t depth>
void expect_dot_products(vta::Random& random, bool extreme) {
  int8_t x[batch * depth], w[rows * depth];
  const auto draw = [&] {
    return static_cast<int8_t>(extreme ? (random.chance(50) ? -128 : 127)
                                       : random.between(-128, 127));
  };
  for (int8_t& value : x) value = draw();
  for (int8_t& value : w) value = draw();
  int32_t dot[batch * rows];
  dot_products<batch, rows, depth>::compute(x, w, dot);
  for (uint32_t b = 0; b < batch; ++b) {
    for (uint32_t o = 0; o < rows; ++o) {
      int32_t sum = 0;
      for (uint32_t k = 0; k < depth; ++k) sum += x[b * depth + k] * w[o * depth + k];
      ASSERT_EQ(dot[b * rows + o], sum) << "batch " << b << ", row " << o;
    }
  }
}

TEST(DotProducts, EqualTheirDefinitionForRandomAndExtremeValues) {
  vta::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    expect_dot_products<1, 16, 16>(random, i % 2 == 0);
    expect_dot_products<4, 8, 8>(random, i % 2 == 0);
    expect_dot_products<1, 8, 8>(random, i % 2 == 0);
  }
}

}  // namespace
}  // namespace hls
