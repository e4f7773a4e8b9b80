// SPDX-License-Identifier: Apache-2.0
//
// Operators with functions of functions.def, and operators on indices, against results by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/error_in.h"
#include "tests/unit/runtime/host/plain.h"

namespace vta {
namespace {

using test::run;
using test::values;
using Ints = std::vector<int32_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor ints(std::vector<int64_t> shape, const Ints& elements) { return {shape, elements}; }
Tensor reals(std::vector<int64_t> shape, const std::vector<float>& elements) {
  return {shape, elements};
}

std::string error_of(OpKind kind, const std::string& attrs, const std::vector<Tensor>& inputs) {
  return error_in([&] { run(kind, attrs, inputs); }, ErrorCode::kInvalidArgument);
}

TEST(Unary, ComputesItsFunction) {
  const Tensor x = reals({4}, {-1.5f, -0.5f, 0.5f, 2.5f});
  test::expect_near(run(OpKind::kUnary, "{function = round}", {x}), {-2, -0.0f, 0, 2});
  test::expect_near(run(OpKind::kUnary, "{function = floor}", {x}), {-2, -1, 0, 2});
  test::expect_near(run(OpKind::kUnary, "{function = ceil}", {x}), {-1, -0.0f, 1, 3});
  test::expect_near(run(OpKind::kUnary, "{function = sign}", {x}), {-1, -1, 1, 1});
  test::expect_near(run(OpKind::kUnary, "{function = cos}", {x}),
                    {std::cos(-1.5f), std::cos(-0.5f), std::cos(0.5f), std::cos(2.5f)});
  EXPECT_EQ(values<int32_t>(run(OpKind::kUnary, "{function = negative}", {ints({2}, {3, -7})})),
            (Ints{-3, 7}));
}

TEST(Unary, RefusesAnIntegerResultOutsideInt32) {
  const Tensor lowest = ints({1}, {std::numeric_limits<int32_t>::min()});
  EXPECT_EQ(error_of(OpKind::kUnary, "{function = negative}", {lowest}),
            "an integer result is 2147483648, outside int32");
}

TEST(Binary, ComputesInInt32) {
  const Tensor a = ints({2, 2}, {7, -7, 100000, 12}), b = ints({2}, {3, -3});
  const auto result = [&](const char* operation) {
    return values<int32_t>(
        run(OpKind::kBinary, fmt::format("{{operation = {}}}", operation), {a, b}));
  };
  EXPECT_EQ(result("div"), (Ints{2, 2, 33333, -4}));
  EXPECT_EQ(result("modulo"), (Ints{1, -1, 1, 0}));
  EXPECT_EQ(result("remainder"), (Ints{1, -1, 1, 0}));
  EXPECT_EQ(result("bit_xor"), (Ints{4, 4, 100003, -15}));
  EXPECT_EQ(result("shift"), (Ints{56, -1, 800000, 1}));
}

TEST(Binary, RefusesADivisionByZeroAndProductsOutsideInt32) {
  EXPECT_NE(error_of(OpKind::kBinary, "{operation = div}", {ints({1}, {1}), ints({1}, {0})}), "");
  EXPECT_EQ(
      error_of(OpKind::kBinary, "{operation = mul}", {ints({1}, {65536}), ints({1}, {32768})}),
      "an integer result is 2147483648, outside int32");
}

TEST(Binary, ComparesToOneOrZero) {
  const Tensor a = reals({3}, {1, 2, 3}), b = reals({1}, {2});
  test::expect_near(run(OpKind::kBinary, "{operation = greater}", {a, b}), {0, 0, 1});
  test::expect_near(run(OpKind::kBinary, "{operation = less_or_equal}", {a, b}), {1, 1, 0});
  test::expect_near(
      run(OpKind::kBinary, "{operation = equal}", {ints({2}, {5, 6}), ints({1}, {6})}), {0, 1});
}

TEST(Cast, RoundsToTheFormat) {
  const Tensor x = reals({3}, {-1.9f, 300.5f, 1.00390625f});
  test::expect_near(run(OpKind::kCast, "{format = bfloat16}", {x}), {-1.8984375f, 300, 1}, 1e-7);
  const Tensor small = reals({3}, {-1.9f, 300.5f, 255});
  test::expect_near(run(OpKind::kCast, "{format = uint8}", {small}), {255, 44, 255});
  test::expect_near(run(OpKind::kCast, "{format = int8}", {small}), {-1, 44, -1});
  test::expect_near(run(OpKind::kCast, "{format = bool}", {reals({3}, {0, 0.5f, -2})}), {0, 1, 1});
  EXPECT_EQ(values<float>(run(OpKind::kCast, "{format = float16}", {reals({2}, {1e6f, 1e-8f})})),
            (std::vector<float>{kInfinity, 0}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kCast, "{format = int32}", {small})), (Ints{-1, 300, 255}));
  EXPECT_EQ(error_of(OpKind::kCast, "{format = uint31}", {small}),
            "-1.899999976158142 is outside 0 to 2147483647");
}

TEST(Reduce, CombinesTheElementsOfAxes) {
  const Tensor x = reals({2, 3}, {1, -2, 3, 4, 5, -6});
  const auto reduced = [&](const char* reduction) {
    return run(OpKind::kReduce, fmt::format("{{axes = [1], reduction = {}}}", reduction), {x});
  };
  test::expect_near(reduced("sum"), {2, 3});
  test::expect_near(reduced("product"), {-6, -120});
  test::expect_near(reduced("min"), {-2, -6});
  test::expect_near(reduced("max"), {3, 5});
  test::expect_near(reduced("l1"), {6, 15});
  test::expect_near(reduced("l2"), {std::sqrt(14.0f), std::sqrt(77.0f)});
  test::expect_near(reduced("sum_square"), {14, 77});
  test::expect_near(reduced("log_sum"), {std::log(2.0f), std::log(3.0f)});
  const Tensor all = run(OpKind::kReduce, "{axes = [0, 1], keep_dims = false, reduction = sum}",
                         {ints({2, 2}, {1, 2, 3, 4})});
  EXPECT_EQ(values<int32_t>(all), Ints{10});
}

TEST(Cumulative, SumsUpToEachElement) {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto result = [&](const char* attrs) {
    return values<int32_t>(run(OpKind::kCumulative, attrs, {x}));
  };
  EXPECT_EQ(result("{axis = 1, reduction = sum}"), (Ints{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(result("{axis = 0, reduction = product}"), (Ints{1, 2, 3, 4, 10, 18}));
  EXPECT_EQ(result("{axis = 1, reduction = sum, exclusive = true, reverse = true}"),
            (Ints{5, 3, 0, 11, 6, 0}));
}

TEST(TopK, PrefersTheFirstOfEqualElements) {
  const Tensor x = reals({2, 4}, {1, 3, 3, 2, 9, 8, 7, 8});
  EXPECT_EQ(values<int32_t>(run(OpKind::kTopK, "{axis = 1, size = 3}", {x})),
            (Ints{1, 2, 3, 0, 1, 3}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kTopK, "{axis = 0, size = 1, smallest = true}", {x})),
            (Ints{0, 0, 0, 0}));
}

TEST(Where, SelectsWithBroadcasting) {
  const Tensor condition = reals({2, 1}, {1, 0}), a = reals({3}, {1, 2, 3}), b = reals({1}, {-1});
  test::expect_near(run(OpKind::kWhere, "", {condition, a, b}), {1, 2, 3, -1, -1, -1});
  const Tensor x({3}, std::vector<int8_t>{1, 2, 3}), y({1}, std::vector<int8_t>{-128});
  EXPECT_EQ(values<int8_t>(run(OpKind::kWhere, "", {condition, x, y})),
            (std::vector<int8_t>{1, 2, 3, -128, -128, -128}));
}

TEST(Tile, Repeats) {
  EXPECT_EQ(values<int32_t>(run(OpKind::kTile, "{repeats = [2, 2]}", {ints({1, 2}, {1, 2})})),
            (Ints{1, 2, 1, 2, 1, 2, 1, 2}));
}

TEST(Gather, TakesElementsByIndex) {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values<int32_t>(run(OpKind::kGather, "{axis = 1}", {x, ints({2}, {-1, 0})})),
            (Ints{3, 1, 6, 4}));
  EXPECT_EQ(
      values<int32_t>(run(OpKind::kGatherElements, "{axis = 0}", {x, ints({1, 3}, {1, 0, -1})})),
      (Ints{4, 2, 6}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kGatherNd, "", {x, ints({2, 2}, {0, 1, 1, 2})})),
            (Ints{2, 6}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kGatherNd, "{batch_axes = 1}", {x, ints({2, 1}, {2, 0})})),
            (Ints{3, 4}));
  EXPECT_EQ(error_of(OpKind::kGather, "{axis = 1}", {x, ints({1}, {3})}),
            "index 3 is outside an axis of 3 elements");
}

TEST(Scatter, UpdatesElementsByIndex) {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values<int32_t>(run(OpKind::kScatterElements, "{axis = 1}",
                                {x, ints({1, 2}, {2, 0}), ints({1, 2}, {30, 10})})),
            (Ints{10, 2, 30, 4, 5, 6}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kScatterElements, "{axis = 1, reduction = sum}",
                                {x, ints({1, 2}, {2, 2}), ints({1, 2}, {30, 10})})),
            (Ints{1, 2, 43, 4, 5, 6}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kScatterNd, "{reduction = max}",
                                {x, ints({1, 1}, {1}), ints({1, 3}, {0, 9, 0})})),
            (Ints{1, 2, 3, 4, 9, 6}));
  EXPECT_NE(error_of(OpKind::kScatterNd, "{reduction = l2}",
                     {x, ints({1, 1}, {1}), ints({1, 3}, {0, 9, 0})}),
            "");
}

}  // namespace
}  // namespace vta
