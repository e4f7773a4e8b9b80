// SPDX-License-Identifier: Apache-2.0
//
// resize2d against values computed by hand from the definitions of coordinates.
#include <gtest/gtest.h>

#include "tests/unit/runtime/host/plain.h"

namespace vta {
namespace {

using test::counted;
using test::floats;
using test::run;
using test::values;

Tensor resized(const std::string& attrs, const Tensor& x) {
  return run(OpKind::kResize2d, attrs, {x});
}

TEST(Resize, TakesTheNearestPixel) {
  const Tensor x = counted<int8_t>({1, 1, 2, 2});
  EXPECT_EQ(
      values<int8_t>(resized("{out = [4, 3], coordinates = asymmetric, rounding = floor}", x)),
      (std::vector<int8_t>{0, 0, 1, 0, 0, 1, 2, 2, 3, 2, 2, 3}));
  const Tensor line = counted<float>({1, 1, 1, 4});
  // Centres of 3 pixels over 4: 1/6, 1.5, 17/6.
  test::expect_near(resized("{out = [1, 3]}", line), {0, 1, 3});
  test::expect_near(resized("{out = [1, 3], rounding = round_prefer_ceil}", line), {0, 2, 3});
  test::expect_near(resized("{out = [1, 3], rounding = floor}", line), {0, 1, 2});
  test::expect_near(resized("{out = [1, 3], rounding = ceil}", line), {1, 2, 3});
}

TEST(Resize, InterpolatesLinearly) {
  const Tensor line = floats({1, 1, 1, 2}, {0, 8});
  const std::string linear = "{out = [1, 4], resize_mode = linear";
  test::expect_near(resized(linear + "}", line), {0, 2, 6, 8});
  test::expect_near(resized(linear + ", coordinates = asymmetric}", line), {0, 4, 8, 8});
  test::expect_near(resized(linear + ", coordinates = align_corners}", line),
                    {0, 8.0 / 3, 16.0 / 3, 8});
  const Tensor square = floats({1, 1, 2, 2}, {0, 8, 16, 24});
  test::expect_near(
      resized("{out = [3, 3], resize_mode = linear, coordinates = align_corners}", square),
      {0, 4, 8, 8, 12, 16, 16, 20, 24});
}

TEST(Resize, UsesTheGivenScale) {
  const Tensor line = floats({1, 1, 1, 4}, {0, 10, 20, 30});
  // 4 * 0.6 = 2.4 pixels, truncated to 2.
  const std::string attrs = "{out = [1, 2], scale = [1, 0.6], resize_mode = linear";
  test::expect_near(resized(attrs + "}", line), {1.0 / 3 * 10, 20});
  test::expect_near(resized(attrs + ", coordinates = asymmetric}", line), {0, 10 / 0.6});
  // Moved by in / 2 * (1 - 2 / 2.4).
  test::expect_near(resized(attrs + ", coordinates = half_pixel_symmetric}", line),
                    {2.0 / 3 * 10, 30 - 2.0 / 3 * 10});
}

TEST(Resize, GivesTheFirstPixelIfTheResultHasOnlyOne) {
  const Tensor line = floats({1, 1, 1, 4}, {5, 10, 20, 30});
  const std::string linear = "{out = [1, 1], resize_mode = linear, coordinates = ";
  test::expect_near(resized(linear + "align_corners}", line), {5});
  test::expect_near(resized(linear + "pytorch_half_pixel}", line), {5});
  test::expect_near(resized(linear + "half_pixel}", line), {15});
}

TEST(Resize, InterpolatesCubically) {
  // A cubic through points of a line is the line, away from the edges.
  const Tensor line = counted<float>({1, 1, 1, 8});
  const Tensor y = resized("{out = [1, 16], resize_mode = cubic, cubic_a = -0.5}", line);
  for (size_t i = 4; i < 12; ++i) {
    EXPECT_NEAR(y.data<float>()[i], (static_cast<double>(i) + 0.5) / 2 - 0.5, 1e-5) << i;
  }
  // At 0.5: weights a/8, 0.5 - a/8, 0.5 - a/8, a/8 with a = -0.75.
  const Tensor step = floats({1, 1, 1, 4}, {0, 0, 1, 1});
  test::expect_near(resized("{out = [1, 1], scale = [1, 0.25], resize_mode = cubic}", step), {0.5});
  const Tensor bump = floats({1, 1, 1, 4}, {1, 0, 0, 0});
  test::expect_near(resized("{out = [1, 1], scale = [1, 0.25], resize_mode = cubic}", bump),
                    {-0.09375});
}

TEST(Resize, ExcludesPixelsOutside) {
  // The first and the last of 4 pixels are at -0.25 and 1.25, with two taps before and two after.
  const double w[] = {-0.03515625, 0.26171875, 0.87890625, -0.10546875};
  const Tensor line = floats({1, 1, 1, 2}, {0, 1});
  const std::string cubic = "{out = [1, 4], resize_mode = cubic";
  const Tensor repeated = resized(cubic + "}", line);
  EXPECT_NEAR(repeated.data<float>()[0], w[3], 1e-6);
  EXPECT_NEAR(repeated.data<float>()[3], w[0] + w[1] + w[2], 1e-6);
  const Tensor inside = resized(cubic + ", exclude_outside = true}", line);
  EXPECT_NEAR(inside.data<float>()[0], w[3] / (w[2] + w[3]), 1e-6);
}

}  // namespace
}  // namespace vta
