// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/host/host_operators.h"
#include "tests/support/random_tensor.h"
#include "tests/support/test_count.h"
#include "tests/unit/runtime/host/plain.h"
#include "tests/unit/runtime/host/random_window.h"

namespace vta {
namespace {

constexpr uint64_t kSeed = 7;

using test::expect_near;
using test::floats;

Tensor run(OpKind kind, const std::vector<Tensor>& inputs, const OpAttrs& attrs = {}) {
  return host::execute(kind, attrs, inputs);
}

// The reference, in double, one output at a time.
std::vector<double> plain_convolution(const OpAttrs& attrs, const std::vector<Tensor>& inputs,
                                      const std::vector<int64_t>& shape) {
  const Tensor &x = inputs[0], &w = inputs[1];
  std::vector<double> result;
  for (int64_t i = 0; i < shape[0] * shape[1] * shape[2] * shape[3]; ++i) {
    const int64_t z = i % shape[3], y = i / shape[3] % shape[2];
    const int64_t o = i / (shape[3] * shape[2]) % shape[1],
                  n = i / (shape[3] * shape[2] * shape[1]);
    double sum = inputs.size() == 3 ? inputs[2].data<float>()[o] : 0;
    for (int64_t j = 0; j < w.dim(1) * w.dim(2) * w.dim(3); ++j) {
      const int64_t c = j / (w.dim(2) * w.dim(3)), p = j / w.dim(3) % w.dim(2), q = j % w.dim(3);
      const int64_t row = y * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
      const int64_t column = z * attrs.stride[1] + q * attrs.dilation[1] - attrs.pad[1];
      if (row < 0 || row >= x.dim(2) || column < 0 || column >= x.dim(3)) continue;
      const int64_t channel = o / (shape[1] / attrs.groups) * w.dim(1) + c;
      sum +=
          double{x.data<float>()[((n * x.dim(1) + channel) * x.dim(2) + row) * x.dim(3) + column]} *
          w.data<float>()[o * w.dim(1) * w.dim(2) * w.dim(3) + j];
    }
    result.push_back(sum);
  }
  return result;
}

// Windows of any kind, also those that read nothing but padding, on some of which brgemm of oneDNN
// 3.7.2 crashes.
TEST(FloatConvolution, EqualsPlainLoopsForRandomShapes) {
  for (auto [seed, end] = support::test_seeds(kSeed, 1000); seed < end; ++seed) {
    Random random(seed);
    OpAttrs attrs;
    attrs.groups = random.chance(30) ? random.between(2, 4) : 1;
    int64_t most = random.chance(30) ? 40 : 9;
    if (random.chance(10)) attrs.groups = random.between(16, 64), most = 1;  // depthwise
    const int64_t ic = attrs.groups * (random.chance(20) ? 1 : random.between(1, most)),
                  oc = attrs.groups * random.between(1, most);
    test::set_random_window(random, attrs, 4, 4);
    const std::vector<int64_t> size = test::random_image_size(random, attrs, 8);
    std::vector<Tensor> inputs = {
        test::random_float(random, {random.between(1, 2), ic, size[0], size[1]}),
        test::random_float(random, {oc, ic / attrs.groups, attrs.kernel[0], attrs.kernel[1]})};
    if (random.chance(50)) inputs.push_back(test::random_float(random, {oc}));
    SCOPED_TRACE(fmt::format("seed {}: {} of {} and {}", seed, to_string(OpKind::kConv2d, attrs),
                             to_string(inputs[0].type()), to_string(inputs[1].type())));
    const Tensor result = run(OpKind::kConv2d, inputs, attrs);
    expect_near(result, plain_convolution(attrs, inputs, result.shape()), 1e-4);
    if (HasFatalFailure()) return;
  }
}

void expect_plain_convolution(Random& random, const std::vector<int64_t>& image, int64_t channels,
                              const std::string& text) {
  SCOPED_TRACE(text);
  const OpAttrs attrs = attrs_from_string(OpKind::kConv2d, text);
  const std::vector<Tensor> inputs = {
      test::random_float(random, image),
      test::random_float(random, {channels, image[1], attrs.kernel[0], attrs.kernel[1]})};
  const Tensor result = run(OpKind::kConv2d, inputs, attrs);
  expect_near(result, plain_convolution(attrs, inputs, result.shape()), 1e-4);
}

// oneDNN 3.7.2 with AVX-512 may crash on the first two, and gives the others wrong values, if its
// brgemm computes them; oneDNN 2 is right.
TEST(FloatConvolution, EqualsPlainLoopsWhereBrgemmIsWrong) {
  Random random(kSeed);
  expect_plain_convolution(random, {1, 25, 4, 2}, 26, "{stride = [3, 3], pad = [1, 1, 4, 4]}");
  expect_plain_convolution(random, {1, 1, 10, 1}, 1,
                           "{kernel = [3, 1], stride = [1, 2], pad = [0, 3, 0, 2]}");
  expect_plain_convolution(random, {2, 1, 8, 2}, 6,
                           "{kernel = [3, 3], stride = [1, 2], pad = [0, 0, 1, 2]}");
  expect_plain_convolution(random, {1, 1, 3, 1}, 35,
                           "{kernel = [2, 5], stride = [1, 3], pad = [0, 0, 0, 4]}");
}

// The reference, in double: each element of x adds its value times the kernel.
std::vector<double> plain_transposed(const OpAttrs& attrs, const std::vector<Tensor>& inputs,
                                     const std::vector<int64_t>& shape) {
  const Tensor &x = inputs[0], &w = inputs[1];
  const int64_t area = shape[2] * shape[3], taps = w.dim(2) * w.dim(3);
  std::vector<double> sums(static_cast<size_t>(shape[0] * shape[1] * area));
  for (size_t i = 0; i < sums.size() && inputs.size() == 3; ++i) {
    sums[i] =
        inputs[2].data<float>()[i / static_cast<size_t>(area) % static_cast<size_t>(shape[1])];
  }
  for (int64_t i = 0; i < x.num_elems(); ++i) {
    const int64_t column = i % x.dim(3), row = i / x.dim(3) % x.dim(2);
    const int64_t c = i / (x.dim(3) * x.dim(2)) % x.dim(1),
                  n = i / (x.dim(3) * x.dim(2) * x.dim(1));
    for (int64_t j = 0; j < w.dim(1) * taps; ++j) {
      const int64_t o = c / (x.dim(1) / attrs.groups) * w.dim(1) + j / taps;
      const int64_t y =
          row * attrs.stride[0] + j % taps / w.dim(3) * attrs.dilation[0] - attrs.pad[0];
      const int64_t z = column * attrs.stride[1] + j % w.dim(3) * attrs.dilation[1] - attrs.pad[1];
      if (y < 0 || y >= shape[2] || z < 0 || z >= shape[3]) continue;
      sums[static_cast<size_t>((n * shape[1] + o) * area + y * shape[3] + z)] +=
          double{x.data<float>()[i]} * w.data<float>()[c * w.dim(1) * taps + j];
    }
  }
  return sums;
}

TEST(FloatTransposedConvolution, EqualsPlainLoopsForRandomShapes) {
  for (auto [seed, end] = support::test_seeds(kSeed, 300); seed < end; ++seed) {
    Random random(seed);
    OpAttrs attrs;
    attrs.groups = random.chance(30) ? random.between(2, 4) : 1;
    const int64_t most = random.chance(30) ? 40 : 9;
    const int64_t ic = attrs.groups * random.between(1, most), oc = random.between(1, most);
    std::vector<int64_t> shape = {random.between(1, 2), ic};
    test::set_random_window(random, attrs, 4, 4);
    for (size_t axis = 0; axis < 2; ++axis) {
      attrs.output_pad[axis] = random.between(0, 2);
      const int64_t stride = attrs.stride[axis], pads = attrs.pad[axis] + attrs.pad[axis + 2];
      shape.push_back((pads + stride - 1) / stride + random.between(1, 8));  // pads reduce results
    }
    std::vector<Tensor> inputs = {
        test::random_float(random, shape),
        test::random_float(random, {ic, oc, attrs.kernel[0], attrs.kernel[1]})};
    if (random.chance(50)) inputs.push_back(test::random_float(random, {oc * attrs.groups}));
    SCOPED_TRACE(fmt::format("seed {}: {} of {} and {}", seed,
                             to_string(OpKind::kConv2dTranspose, attrs),
                             to_string(inputs[0].type()), to_string(inputs[1].type())));
    const Tensor result = run(OpKind::kConv2dTranspose, inputs, attrs);
    expect_near(result, plain_transposed(attrs, inputs, result.shape()), 1e-4);
    if (HasFatalFailure()) return;
  }
}

TEST(FloatMatmul, BroadcastsLeadingAxes) {
  const Tensor a = test::counted<float>({2, 1, 1, 2}), b = test::counted<float>({2, 2, 1});
  const Tensor y = run(OpKind::kMatmul, {a, b});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{2, 2, 1, 1}));
  // [0 1] and [2 3] times [0 1]' and [2 3]'
  expect_near(y, {1, 3, 3, 13});
  expect_near(run(OpKind::kMatmul, {test::counted<float>({2, 3}), test::counted<float>({3, 2})}),
              {10, 13, 28, 40});
}

TEST(FloatDense, MultipliesRowsAndAddsTheBias) {
  const Tensor x({2, 3}, std::vector<float>{1, 2, 3, -1, 0, 1});
  const Tensor w({2, 3}, std::vector<float>{1, 1, 1, 0, 2, -1});
  expect_near(run(OpKind::kDense, {x, w}), {6, 1, 0, -1});
  expect_near(run(OpKind::kDense, {x, w, Tensor({2}, std::vector<float>{10, 20})}),
              {16, 21, 10, 19});
}

TEST(FloatElementwise, FollowsTheDefinitions) {
  const Tensor x({1, 4}, std::vector<float>{-2, -0.5, 1, 7});
  expect_near(run(OpKind::kRelu, {x}), {0, 0, 1, 7});
  OpAttrs attrs;
  attrs.lo = -1;
  attrs.hi = 6;
  expect_near(run(OpKind::kClip, {x}, attrs), {-1, -0.5, 1, 6});
  expect_near(run(OpKind::kAdd, {x, x}), {-4, -1, 2, 14});
}

TEST(FloatElementwise, FollowsTheDefinitionsOfActivations) {
  const Tensor x({1, 4}, std::vector<float>{-4, -0.5, 1, 7});
  expect_near(test::run(OpKind::kLeakyRelu, "{alpha = 0.1}", {x}), {-0.4, -0.05, 1, 7});
  expect_near(run(OpKind::kPrelu, {x, floats({4}, {2, 3, 4, 5})}), {-8, -1.5, 1, 7});
  expect_near(test::run(OpKind::kHardSigmoid, "{alpha = 0.2, beta = 0.5}", {x}), {0, 0.4, 0.7, 1});
  expect_near(run(OpKind::kHardSwish, {x}), {0, -0.5 * (0.5 - 0.5 / 6), 4.0 / 6, 7});
  std::vector<double> sigmoid, silu, tanh;
  for (double value : {-4.0, -0.5, 1.0, 7.0}) {
    sigmoid.push_back(1 / (1 + std::exp(-value)));
    silu.push_back(value / (1 + std::exp(-value)));
    tanh.push_back(std::tanh(value));
  }
  expect_near(run(OpKind::kSigmoid, {x}), sigmoid);
  expect_near(run(OpKind::kSilu, {x}), silu);
  const auto each = [](double (*function)(double)) {
    std::vector<double> result;
    for (double value : {-4.0, -0.5, 1.0, 7.0}) result.push_back(function(value));
    return result;
  };
  expect_near(run(OpKind::kGelu, {x}),
              each([](double v) { return v * (1 + std::erf(v / std::sqrt(2.0))) / 2; }));
  expect_near(run(OpKind::kMish, {x}),
              each([](double v) { return v * std::tanh(std::log1p(std::exp(v))); }));
  expect_near(test::run(OpKind::kElu, "{alpha = 2}", {x}),
              each([](double v) { return v < 0 ? 2 * (std::exp(v) - 1) : v; }));
  expect_near(test::run(OpKind::kPower, "{alpha = 3}", {x}),
              each([](double v) { return v * v * v; }));
  expect_near(run(OpKind::kSoftplus, {Tensor({1, 2}, std::vector<float>{-200, 200})}), {0, 200});
  expect_near(run(OpKind::kTanh, {x}), tanh);
  // No intermediate infinity.
  expect_near(run(OpKind::kSigmoid, {floats({2}, {-1000, 1000})}), {0, 1});
}

TEST(FloatElementwise, CombinesOperandsThatBroadcast) {
  const Tensor a = floats({2, 1, 2}, {1, 2, 3, 4}), b = floats({3, 1}, {10, 2, 4});
  expect_near(run(OpKind::kAdd, {a, b}), {11, 12, 3, 4, 5, 6, 13, 14, 5, 6, 7, 8});
  expect_near(run(OpKind::kSub, {b, a}), {9, 8, 1, 0, 3, 2, 7, 6, -1, -2, 1, 0});
  const Tensor one = floats({1}, {2}), row = floats({2, 2}, {1, 2, 3, 4});
  expect_near(run(OpKind::kMul, {one, row}), {2, 4, 6, 8});
  expect_near(run(OpKind::kDiv, {row, one}), {0.5, 1, 1.5, 2});
  expect_near(run(OpKind::kMin, {row, one}), {1, 2, 2, 2});
  expect_near(run(OpKind::kMax, {row, floats({2}, {2, 3})}), {2, 3, 3, 4});
}

TEST(FloatAxes, SoftmaxGoesAlongAnyAxis) {
  const Tensor x = floats({2, 1, 2}, {0, 0, std::log(3.0f), 0});
  expect_near(test::run(OpKind::kSoftmax, "{axis = 0}", {x}), {0.25, 0.5, 0.75, 0.5});
  expect_near(test::run(OpKind::kSoftmax, "{axis = 1}", {x}), {1, 1, 1, 1});
}

TEST(FloatAxes, LrnDividesByItsNeighbours) {
  const Tensor x = floats({1, 4, 1, 1}, {1, 2, 3, 4});
  // Two channels: this one and the next.
  const double a = 0.5 / 2;
  expect_near(test::run(OpKind::kLrn, "{size = 2, alpha = 0.5, beta = 2, bias = 3}", {x}),
              {1 / std::pow(3 + a * 5, 2), 2 / std::pow(3 + a * 13, 2), 3 / std::pow(3 + a * 25, 2),
               4 / std::pow(3 + a * 16, 2)});
}

TEST(FloatAxes, MeanAndLargestIndex) {
  const Tensor x = floats({2, 2, 2}, {1, 5, 3, 5, 7, 0, 7, 2});
  expect_near(test::run(OpKind::kReduceMean, "{axes = [0, -1]}", {x}), {13.0 / 4, 17.0 / 4});
  expect_near(test::run(OpKind::kReduceMean, "{axes = [1]}", {x}), {2, 5, 7, 1});
  EXPECT_EQ(test::values<int32_t>(test::run(OpKind::kArgMax, "{axis = 1}", {x})),
            (std::vector<int32_t>{1, 0, 0, 1}));
  EXPECT_EQ(
      test::values<int32_t>(test::run(OpKind::kArgMax, "{axis = 1, select_last = true}", {x})),
      (std::vector<int32_t>{1, 1, 1, 1}));
  EXPECT_EQ(test::values<int32_t>(test::run(OpKind::kArgMax, "", {x})),
            (std::vector<int32_t>{1, 1, 0, 0}));
}

TEST(FloatElementwise, BatchNormNormalizesEachChannel) {
  const Tensor x({1, 2, 1, 2}, std::vector<float>{1, 3, 10, 20});
  const auto vec = [](float a, float b) { return Tensor({2}, std::vector<float>{a, b}); };
  OpAttrs attrs;
  attrs.epsilon = 1;
  // (x - mean) / sqrt(variance + 1) * gamma + beta
  expect_near(run(OpKind::kBatchNorm, {x, vec(2, 1), vec(0, 5), vec(1, 10), vec(3, 24)}, attrs),
              {0, 2, 5, 7});
}

TEST(FloatElementwise, SoftmaxSumsToOneAndDoesNotOverflow) {
  const Tensor x({2, 2}, std::vector<float>{1000, 1000, 0, std::log(3.0f)});
  expect_near(run(OpKind::kSoftmax, {x}), {0.5, 0.5, 0.25, 0.75});
}

TEST(Pooling, MaximumIgnoresThePadding) {
  OpAttrs attrs;
  attrs.kernel = {3, 3};
  attrs.stride = {2, 2};
  attrs.pad = {1, 1, 1, 1};
  const Tensor x({1, 1, 3, 3}, std::vector<int8_t>{-5, -6, -7, -8, -9, -3, -2, -100, -128});
  const Tensor y = run(OpKind::kMaxPool2d, {x}, attrs);
  EXPECT_EQ(std::vector<int8_t>(y.data<int8_t>().begin(), y.data<int8_t>().end()),
            (std::vector<int8_t>{-5, -3, -2, -3}));
  const Tensor f({1, 1, 3, 3}, std::vector<float>{-5, -6, -7, -8, -9, -3, -2, -100, -128});
  expect_near(run(OpKind::kMaxPool2d, {f}, attrs), {-5, -3, -2, -3});
}

TEST(Pooling, CeilModeAddsAPartialWindow) {
  OpAttrs attrs;
  attrs.kernel = {1, 2};
  attrs.stride = {1, 2};
  const Tensor x({1, 1, 1, 5}, std::vector<float>{1, 2, 3, 4, 5});
  expect_near(run(OpKind::kMaxPool2d, {x}, attrs), {2, 4});
  attrs.ceil_mode = true;
  expect_near(run(OpKind::kMaxPool2d, {x}, attrs), {2, 4, 5});
  expect_near(run(OpKind::kAvgPool2d, {x}, attrs), {1.5, 3.5, 5});
}

TEST(Pooling, AverageCountsThePaddingOnlyWithCountIncludePad) {
  OpAttrs attrs;
  attrs.kernel = {1, 3};
  attrs.stride = {1, 2};
  attrs.pad = {0, 1, 0, 1};
  const Tensor x({1, 1, 1, 3}, std::vector<float>{3, 6, 12});
  expect_near(run(OpKind::kAvgPool2d, {x}, attrs), {4.5, 9});
  attrs.count_include_pad = true;
  expect_near(run(OpKind::kAvgPool2d, {x}, attrs), {3, 6});
}

TEST(Pooling, DilatedWindowsSkipPixels) {
  const Tensor x = floats({1, 1, 1, 5}, {5, 1, 2, 8, 4});
  expect_near(test::run(OpKind::kMaxPool2d, "{kernel = [1, 2], dilation = [1, 2]}", {x}),
              {5, 8, 4});
  const std::string padded = "{kernel = [1, 2], dilation = [1, 3], pad = [0, 2, 0, 1]";
  // Taps -2 and 1, -1 and 2, 0 and 3, 1 and 4, 2 and 5
  expect_near(test::run(OpKind::kAvgPool2d, padded + "}", {x}), {1, 2, 6.5, 2.5, 2});
  expect_near(test::run(OpKind::kAvgPool2d, padded + ", count_include_pad = true}", {x}),
              {0.5, 1, 6.5, 2.5, 1});
}

TEST(Pooling, GlobalMaximum) {
  expect_near(run(OpKind::kGlobalMaxPool2d, {floats({1, 2, 1, 2}, {-3, -4, 1, 2})}), {-3, 2});
  EXPECT_EQ(test::values<int8_t>(
                run(OpKind::kGlobalMaxPool2d, {test::bytes({1, 1, 2, 2}, {-3, -4, -1, -128})})),
            (std::vector<int8_t>{-1}));
}

TEST(Pooling, GlobalPoolsTruncateOrSum) {
  const Tensor x({1, 2, 1, 3}, std::vector<int8_t>{-3, -4, -1, 127, 127, 126});
  const Tensor average = run(OpKind::kGlobalAvgPool2d, {x});
  EXPECT_EQ(average.data<int32_t>()[0], -2);  // -8 / 3 towards zero
  EXPECT_EQ(average.data<int32_t>()[1], 126);
  const Tensor sum = run(OpKind::kGlobalSumPool2d, {x});
  EXPECT_EQ(sum.data<int32_t>()[0], -8);
  EXPECT_EQ(sum.data<int32_t>()[1], 380);
  expect_near(run(OpKind::kGlobalAvgPool2d, {Tensor({1, 1, 1, 2}, std::vector<float>{1, 2})}),
              {1.5});
}

TEST(DataMovement, FlattenKeepsTheFirstAxis) {
  Random random(kSeed);
  const Tensor y = run(OpKind::kFlatten, {test::random_float(random, {2, 3, 4})});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{2, 12}));
}

TEST(Quantization, RoundsTiesAwayFromZeroAndClips) {
  const float below_half = std::nextafter(0.5f, 0.0f);
  const Tensor x(
      {1, 9}, std::vector<float>{0.5f, -0.5f, 1.5f, -2.5f, below_half, 1e30f, -1e30f, NAN, 126.6f});
  const Tensor y = run(OpKind::kQuantize, {x});
  EXPECT_EQ(std::vector<int8_t>(y.data<int8_t>().begin(), y.data<int8_t>().end()),
            (std::vector<int8_t>{1, -1, 2, -3, 0, 127, -127, 0, 127}));
}

TEST(Quantization, UsesFractionalBitsAndTheDivisor) {
  OpAttrs attrs;
  attrs.frac_bits = 4;
  const Tensor q = run(OpKind::kQuantize, {Tensor({1, 2}, std::vector<float>{1, -0.3f})}, attrs);
  EXPECT_EQ(q.data<int8_t>()[0], 16);
  EXPECT_EQ(q.data<int8_t>()[1], -5);
  attrs.divisor = 2;
  expect_near(run(OpKind::kDequantize, {q}, attrs), {0.5, -0.15625});
  expect_near(run(OpKind::kDequantize, {Tensor({1}, std::vector<int32_t>{1 << 20})}, attrs),
              {32768});
}

}  // namespace
}  // namespace vta
