// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/quantized.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/numbers/random.h"

namespace vta {
namespace {

int8_t by_definition(float x, int frac_bits) {
  if (std::isnan(x)) return 0;
  return static_cast<int8_t>(std::clamp(std::round(std::ldexp(x, frac_bits)), -127.0f, 127.0f));
}

// Tests every alignment with every number of elements after the last whole vector.
TEST(QuantizeElements, RoundsTiesAwayFromZeroAndClips) {
  constexpr float kMax = std::numeric_limits<float>::max();
  std::vector<float> values = {0.0f, -0.0f, NAN, INFINITY, -INFINITY, kMax, -kMax, 1e-40f, -1e-40f};
  for (int halves = -260; halves <= 260; ++halves) {
    const float tie = static_cast<float>(halves) / 2;
    values.insert(values.end(), {tie, std::nextafter(tie, kMax), std::nextafter(tie, -kMax)});
  }
  Random random(7);
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(100 * random.normal()));
  for (const int frac_bits : {-9, 0, 1, 5, 20}) {
    for (ptrdiff_t begin = 0; begin < 40; ++begin) {
      const std::vector<float> part(values.begin() + begin, values.end());
      std::vector<int8_t> got(part.size());
      quantize_elements(part.data(), static_cast<ptrdiff_t>(part.size()),
                        quantization_scale(frac_bits), got.data());
      for (size_t i = 0; i < part.size(); ++i)
        ASSERT_EQ(got[i], by_definition(part[i], frac_bits)) << part[i] << " * 2^" << frac_bits;
    }
  }
}

TEST(DequantizeElements, DividesByTheScaleAndTheDivisorOrMultipliesByTheUnit) {
  std::vector<float> numbers(3);
  OpAttrs attrs;
  attrs.frac_bits = 2;
  attrs.divisor = 5;
  dequantize_elements(Tensor({3}, std::vector<int32_t>{20, -40, 1 << 24}), attrs, numbers);
  EXPECT_EQ(numbers, (std::vector<float>{1, -2, (1 << 22) / 5.0f}));
  attrs = {};
  attrs.frac_bits = 3;
  dequantize_elements(Tensor({3}, std::vector<int8_t>{-128, 0, 127}), attrs, numbers);
  EXPECT_EQ(numbers, (std::vector<float>{-16, 0, 15.875f}));
  attrs.unit = 0.5;
  attrs.zero = -3;
  dequantize_elements(Tensor({3}, std::vector<int8_t>{-128, -3, 127}), attrs, numbers);
  EXPECT_EQ(numbers, (std::vector<float>{-62.5f, 0, 65}));
}

}  // namespace
}  // namespace vta
