// SPDX-License-Identifier: Apache-2.0
//
// The integer operators against the reference of tests/support.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/host/host_operators.h"
#include "tests/support/error_in.h"
#include "tests/support/integer_reference.h"
#include "tests/support/random_leak.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/runtime/host/random_window.h"

namespace vta {
namespace {

constexpr uint64_t kSeed = 20;
constexpr int kNumShapes = 400;

void randomize_requantization(Random& random, OpAttrs& attrs) {
  attrs.shift = random.between(-3, 14);
  attrs.relu = random.chance(40);
  attrs.lo = attrs.relu ? 0 : -127;
  attrs.hi = random.chance(20) ? static_cast<double>(random.between(1, 126)) : 127;
  if (random.chance(30)) test::draw_leak(random, attrs);
}

std::vector<Tensor> random_convolution(Random& random, OpAttrs& attrs) {
  attrs.groups = random.chance(30) ? random.between(2, 5) : 1;
  const int64_t ic = attrs.groups * random.between(1, random.chance(20) ? 40 : 7);
  const int64_t oc = attrs.groups * random.between(1, random.chance(20) ? 70 : 7);
  test::set_random_window(random, attrs, 5, 3);
  const std::vector<int64_t> size = test::random_image_size(random, attrs, 12);
  attrs.zero = random.chance(50) ? 0 : random.between(-128, 127);
  randomize_requantization(random, attrs);
  return {test::random_int8(random, {random.between(1, 3), ic, size[0], size[1]}),
          test::random_int8(random, {oc, ic / attrs.groups, attrs.kernel[0], attrs.kernel[1]}),
          test::random_tensor<int32_t>(random, {oc}, -100000, 100000)};
}

// Free scales: factors per channel, and shifts whose sums sometimes wrap.
void scale_freely(Random& random, OpAttrs& attrs, std::vector<Tensor>& inputs) {
  attrs.scaled = true;
  attrs.relu = false;
  attrs.pre_shift = random.chance(50) ? 0 : random.between(0, 6);
  attrs.shift = random.between(0, 24);
  attrs.lo = static_cast<double>(random.between(-128, 0));
  inputs.push_back(test::random_tensor<int32_t>(random, inputs[2].shape(), 0, 40000));
}

// Per-channel numbers: shifts, or factors.
void add_shifts(Random& random, OpAttrs& attrs, std::vector<Tensor>& inputs) {
  if (random.chance(50)) return scale_freely(random, attrs, inputs);
  attrs.shift = 0;
  inputs.push_back(
      test::random_tensor<int32_t>(random, inputs[2].shape(), 0, random.chance(10) ? 31 : 14));
}

void expect_same(const Tensor& expected, const Tensor& actual, const std::string& what) {
  ASSERT_EQ(expected.type(), actual.type()) << what;
  const auto a = expected.data<int8_t>(), b = actual.data<int8_t>();
  ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << what;
}

void expect_reference(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs,
                      int index) {
  std::string what =
      fmt::format("seed {}, case {}: {} {}", kSeed, index, to_string(kind), to_string(kind, attrs));
  for (const Tensor& input : inputs) what += " " + to_string(input.type());
  expect_same(test::reference_execute(kind, attrs, inputs), host::execute(kind, attrs, inputs),
              what);
}

TEST(IntegerConvolution, EqualsTheReferenceForRandomShapes) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    std::vector<Tensor> inputs = random_convolution(random, attrs);
    if (random.chance(30)) add_shifts(random, attrs, inputs);
    expect_reference(OpKind::kQConv2d, attrs, inputs, i);
  }
}

TEST(IntegerConvolution, EqualsTheReferenceForTheFirstLayerOfAResNet) {
  Random random(kSeed);
  OpAttrs attrs;
  attrs.kernel = {7, 7};
  attrs.stride = {2, 2};
  attrs.pad = {3, 3, 3, 3};
  attrs.shift = 9;
  attrs.relu = true;
  attrs.hi = 127;
  expect_reference(
      OpKind::kQConv2d, attrs,
      {test::random_int8(random, {1, 3, 61, 59}), test::random_int8(random, {64, 3, 7, 7}),
       test::random_tensor<int32_t>(random, {64}, -9000, 9000)},
      0);
}

TEST(IntegerConvolution, EqualsTheReferenceForEveryExtremeValue) {
  OpAttrs attrs;
  attrs.shift = 10;
  attrs.lo = -127;
  attrs.hi = 127;
  const std::vector<int8_t> lowest(40, -128);
  const std::vector<Tensor> inputs = {Tensor({1, 40, 1, 1}, lowest), Tensor({1, 40, 1, 1}, lowest),
                                      Tensor({1}, std::vector<int32_t>{0})};
  expect_reference(OpKind::kQConv2d, attrs, inputs, 0);
  attrs.shift = 14;
  const Tensor result = host::execute(OpKind::kQConv2d, attrs, inputs);
  EXPECT_EQ(result.data<int8_t>()[0], 40);  // 40 * 2^14 >> 14
}

TEST(IntegerConvolution, WrapsAroundAtThirtyTwoBits) {
  OpAttrs attrs;
  attrs.lo = -127;
  attrs.hi = 127;
  const std::vector<Tensor> inputs = {Tensor({1, 1, 1, 1}, std::vector<int8_t>{1}),
                                      Tensor({1, 1, 1, 1}, std::vector<int8_t>{1}),
                                      Tensor({1}, std::vector<int32_t>{INT32_MAX})};
  EXPECT_EQ(host::execute(OpKind::kQConv2d, attrs, inputs).data<int8_t>()[0], -127);
  // The rounding addend before the shift wraps around too.
  attrs.shift = 4;
  EXPECT_EQ(host::execute(OpKind::kQConv2d, attrs, inputs).data<int8_t>()[0], -127);
  expect_reference(OpKind::kQConv2d, attrs, inputs, 0);
}

TEST(IntegerConvolution, EqualsTheReferenceForGroupsOfOneChannel) {
  Random random(kSeed + 1);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    std::vector<Tensor> inputs = random_convolution(random, attrs);
    attrs.groups = inputs[0].dim(1);
    const int64_t oc = attrs.groups * random.between(1, 2);
    inputs[1] = test::random_int8(random, {oc, 1, attrs.kernel[0], attrs.kernel[1]});
    inputs[2] = test::random_tensor<int32_t>(random, {oc}, -100000, 100000);
    if (random.chance(30)) add_shifts(random, attrs, inputs);
    expect_reference(OpKind::kQConv2d, attrs, inputs, i);
  }
}

TEST(IntegerConvolution, RejectsAShiftOutsideInt32) {
  const Tensor one({1, 1, 1, 1}, std::vector<int8_t>{1}), bias({1}, std::vector<int32_t>{0});
  OpAttrs attrs;
  attrs.hi = 127;
  const Error error = expect_error([&] {
    host::execute(OpKind::kQConv2d, attrs, {one, one, bias, Tensor({1}, std::vector<int32_t>{32})});
  });
  EXPECT_STREQ(error.what(), "shift 32 of channel 0 is outside 0 to 31");
}

TEST(IntegerTransposedConvolution, EqualsTheReferenceForRandomShapes) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    attrs.groups = random.chance(30) ? random.between(2, 5) : 1;
    const int64_t ic = attrs.groups * random.between(1, 5), oc = random.between(1, 5);
    for (size_t axis = 0; axis < 2; ++axis) {
      attrs.kernel[axis] = random.between(1, 5);
      attrs.stride[axis] = random.between(1, 3);
      attrs.dilation[axis] = random.between(1, 3);
      attrs.output_pad[axis] = random.between(0, 2);
      const int64_t reach =
          (attrs.kernel[axis] - 1) * attrs.dilation[axis] + attrs.output_pad[axis];
      attrs.pad[axis] = random.between(0, reach);
      attrs.pad[axis + 2] = random.between(0, reach - attrs.pad[axis]);
    }
    randomize_requantization(random, attrs);
    std::vector<Tensor> inputs = {
        test::random_int8(random,
                          {random.between(1, 2), ic, random.between(1, 9), random.between(1, 9)}),
        test::random_int8(random, {ic, oc, attrs.kernel[0], attrs.kernel[1]}),
        test::random_tensor<int32_t>(random, {oc * attrs.groups}, -10000, 10000)};
    if (random.chance(30)) add_shifts(random, attrs, inputs);
    expect_reference(OpKind::kQConv2dTranspose, attrs, inputs, i);
  }
}

// The sums of a layer, requantized here, are its result.
void expect_sums(Random& random, OpKind kind, OpAttrs attrs, std::vector<Tensor> inputs,
                 int index) {
  attrs.leak = 0;
  attrs.shift = random.between(1, 14);
  attrs.lo = attrs.relu ? 0 : -127;
  const Tensor sums = host::sums_of_layer(kind, attrs, inputs);
  Tensor result(TensorType{DType::kInt8, sums.shape()});
  const int64_t channels = inputs[2].num_elems();
  const int64_t plane = sums.num_elems() / sums.dim(0) / channels;
  for (int64_t i = 0; i < sums.num_elems(); ++i) {
    const int64_t sum = sums.data<int32_t>()[i] + inputs[2].data<int32_t>()[i / plane % channels];
    const int64_t level = (sum + (int64_t{1} << (attrs.shift - 1))) >> attrs.shift;
    result.mutable_data<int8_t>()[i] = static_cast<int8_t>(
        std::clamp(level, static_cast<int64_t>(attrs.lo), static_cast<int64_t>(attrs.hi)));
  }
  expect_same(host::execute(kind, attrs, inputs), result,
              fmt::format("seed {}, case {}: {}", kSeed, index, to_string(kind)));
}

TEST(SumsOfALayer, RequantizedAreItsResult) {
  Random random(kSeed);
  for (int i = 0; i < 100 && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    std::vector<Tensor> inputs = random_convolution(random, attrs);
    expect_sums(random, OpKind::kQConv2d, attrs, inputs, i);
    const int64_t oc = attrs.groups = inputs[0].dim(1);
    inputs[1] = test::random_int8(random, {oc, 1, attrs.kernel[0], attrs.kernel[1]});
    inputs[2] = test::random_tensor<int32_t>(random, {oc}, -100000, 100000);
    expect_sums(random, OpKind::kQConv2d, attrs, inputs, i);
    OpAttrs transposed;
    transposed.kernel = {3, 2};
    transposed.stride = {2, 1};
    transposed.hi = 127;
    expect_sums(random, OpKind::kQConv2dTranspose, transposed,
                {test::random_int8(random, {2, 3, 4, 5}), test::random_int8(random, {3, 4, 3, 2}),
                 test::random_tensor<int32_t>(random, {4}, -100000, 100000)},
                i);
    OpAttrs dense;
    dense.hi = 127;
    expect_sums(random, OpKind::kQDense, dense,
                {test::random_int8(random, {2, 9}), test::random_int8(random, {5, 9}),
                 test::random_tensor<int32_t>(random, {5}, -100000, 100000)},
                i);
  }
}

TEST(IntegerAverage, EqualsTheReferenceForRandomWindows) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    std::vector<int64_t> size(2);
    for (size_t axis = 0; axis < 2; ++axis) {
      attrs.kernel[axis] = random.between(1, 5);
      attrs.stride[axis] = random.between(1, 3);
      attrs.dilation[axis] = random.between(1, 2);
      const int64_t reach = (attrs.kernel[axis] - 1) * attrs.dilation[axis];
      attrs.pad[axis] = random.between(0, reach);
      attrs.pad[axis + 2] = random.between(0, reach);
      size[axis] = random.between(reach + 1, reach + 9);
    }
    attrs.ceil_mode = random.chance(40);
    attrs.count_include_pad = random.chance(40);
    if (random.chance(50)) {
      attrs.shift = random.between(-4, 4);
    } else {
      attrs.ratio = random.between(1, 4000) / 1000.0;
      attrs.zero = random.between(-128, 127);
      attrs.result_zero = random.between(-128, 127);
    }
    expect_reference(
        OpKind::kQAvgPool2d, attrs,
        {test::random_int8(random, {random.between(1, 2), random.between(1, 3), size[0], size[1]})},
        i);
  }
}

TEST(IntegerAverage, RoundsHalvesUp) {
  OpAttrs attrs;
  attrs.kernel = {1, 2};
  attrs.stride = {1, 2};
  const Tensor x({1, 1, 1, 8}, std::vector<int8_t>{1, 2, -1, -2, -128, -128, 0, 1});
  const Tensor y = host::execute(OpKind::kQAvgPool2d, attrs, {x});
  EXPECT_EQ(std::vector<int8_t>(y.data<int8_t>().begin(), y.data<int8_t>().end()),
            (std::vector<int8_t>{2, -1, -127, 1}));
}

TEST(IntegerProduct, EqualsTheReferenceForOperandsThatBroadcast) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    randomize_requantization(random, attrs);
    std::vector<int64_t> a, b;
    for (int64_t rank = random.between(1, 4); rank > 0; --rank) {
      const int64_t dim = random.between(1, 6);
      a.push_back(random.chance(30) ? 1 : dim);
      b.push_back(random.chance(30) ? 1 : dim);
    }
    if (random.chance(30) && b.size() > 1) b.erase(b.begin());
    expect_reference(OpKind::kQMul, attrs,
                     {test::random_int8(random, a), test::random_int8(random, b)}, i);
  }
}

TEST(IntegerProduct, EqualsTheReferenceWithAGate) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    randomize_requantization(random, attrs);
    attrs.gate = random.between(1, 32767);
    attrs.addend = random.between(-32767, 32767);
    attrs.factor_a = random.between(1, std::min<int64_t>(32767, (1 << 23) / attrs.gate - 1));
    attrs.shift = random.between(0, 31);
    const std::vector<int64_t> shape = {random.between(1, 3), random.between(1, 20)};
    expect_reference(OpKind::kQMul, attrs,
                     {test::random_int8(random, shape), test::random_int8(random, shape)}, i);
  }
}

TEST(IntegerProduct, RefusesAGateWhoseProductExceedsAnInt32) {
  OpAttrs attrs;
  attrs.gate = 6 << 4;
  attrs.hi = 127;
  attrs.factor_a = 32767;
  const TensorType bytes{DType::kInt8, {1, 4}};
  EXPECT_EQ(infer_type(OpKind::kQMul, attrs, {bytes, bytes}), bytes);
  attrs.gate = 32767;
  EXPECT_THROW(infer_type(OpKind::kQMul, attrs, {bytes, bytes}), Error);
  attrs.gate = 0;  // a factor without a gate
  EXPECT_THROW(infer_type(OpKind::kQMul, attrs, {bytes, bytes}), Error);
}

TEST(IntegerMatrixProduct, EqualsTheReference) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    attrs.lo = static_cast<double>(random.between(-128, 0));
    attrs.hi = static_cast<double>(random.between(1, 127));
    attrs.scaled = random.chance(50);
    attrs.shift = random.between(attrs.scaled ? 0 : -3, 20);
    if (attrs.scaled) {
      attrs.pre_shift = random.between(0, 6);
      attrs.factor_a = random.between(1, 40000);
      attrs.addend = random.between(-1000000, 1000000);
    }
    std::vector<int64_t> a;
    for (int64_t rank = random.between(0, 2); rank > 0; --rank) a.push_back(random.between(1, 4));
    std::vector<int64_t> b = a;
    for (int64_t& axis : random.chance(50) ? a : b) axis = random.chance(30) ? 1 : axis;
    if (random.chance(20)) (random.chance(50) ? a : b).clear();
    const int64_t inner = random.between(1, 40);
    a.insert(a.end(), {random.between(1, 9), inner});
    b.insert(b.end(), {inner, random.between(1, 20)});
    expect_reference(OpKind::kQMatmul, attrs,
                     {test::random_int8(random, a), test::random_int8(random, b)}, i);
  }
}

TEST(Lookup, TakesTheTablesEntryOfEveryValue) {
  std::vector<int8_t> all, reversed;
  for (int i = -128; i < 128; ++i) {
    all.push_back(static_cast<int8_t>(i));
    reversed.push_back(static_cast<int8_t>(-1 - i));
  }
  const Tensor table({256}, reversed);
  const Tensor y = host::execute(OpKind::kLookup, {}, {Tensor({2, 128}, all), table});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{2, 128}));
  EXPECT_EQ(std::vector<int8_t>(y.data<int8_t>().begin(), y.data<int8_t>().end()), reversed);
}

TEST(IntegerDense, EqualsTheReferenceForRandomShapes) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    const int64_t n = random.between(1, 4), ic = random.between(1, 150), oc = random.between(1, 50);
    OpAttrs attrs;
    randomize_requantization(random, attrs);
    std::vector<Tensor> inputs = {test::random_int8(random, {n, ic}),
                                  test::random_int8(random, {oc, ic}),
                                  test::random_tensor<int32_t>(random, {oc}, -100000, 100000)};
    if (random.chance(30)) add_shifts(random, attrs, inputs);
    expect_reference(OpKind::kQDense, attrs, inputs, i);
  }
}

TEST(IntegerAdd, EqualsTheReferenceForRandomShifts) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    randomize_requantization(random, attrs);
    attrs.shift_a = random.chance(50) ? random.between(0, 31) : 0;
    attrs.shift_b = random.chance(50) ? random.between(0, 6) : 0;
    const std::vector<int64_t> shape = {1, random.between(1, 20), random.between(1, 9),
                                        random.between(1, 9)};
    expect_reference(OpKind::kQAdd, attrs,
                     {test::random_int8(random, shape), test::random_int8(random, shape)}, i);
  }
}

TEST(IntegerAdd, EqualsTheReferenceForRandomFactors) {
  Random random(kSeed);
  for (int i = 0; i < kNumShapes && !HasFatalFailure(); ++i) {
    OpAttrs attrs;
    attrs.scaled = true;
    attrs.factor_a = random.between(0, 32767);
    attrs.factor_b = random.between(0, 32767);
    attrs.addend = random.between(-8000000, 8000000);
    attrs.shift = random.between(0, 22);
    attrs.lo = static_cast<double>(random.between(-128, 0));
    attrs.hi = 127;
    const std::vector<int64_t> shape = {1, random.between(1, 20), random.between(1, 9)};
    expect_reference(OpKind::kQAdd, attrs,
                     {test::random_int8(random, shape), test::random_int8(random, shape)}, i);
  }
}

TEST(FreeScales, QuantizeAndDequantizeAsONNX) {
  OpAttrs attrs;
  attrs.unit = 0.5;
  attrs.zero = -3;
  const Tensor x({6}, std::vector<float>{0, 0.25f, 0.75f, -0.25f, 1000, -1000});
  const Tensor y = host::execute(OpKind::kQuantize, attrs, {x});
  EXPECT_EQ(std::vector<int8_t>(y.data<int8_t>().begin(), y.data<int8_t>().end()),
            (std::vector<int8_t>{-3, -3, -1, -3, 127, -128}));  // ties to even
  const Tensor z = host::execute(OpKind::kDequantize, attrs, {y});
  EXPECT_EQ(std::vector<float>(z.data<float>().begin(), z.data<float>().end()),
            (std::vector<float>{0, 0, 1, 0, 65, -62.5f}));
}

TEST(Requantization, RoundsHalvesUpAndClips) {
  OpAttrs attrs;
  attrs.lo = -127;
  attrs.hi = 127;
  attrs.shift = 1;
  const auto add_zero = [&](std::vector<int8_t> a) {
    const std::vector<int64_t> shape = {1, static_cast<int64_t>(a.size())};
    const Tensor zero(TensorType{DType::kInt8, shape});
    const Tensor sum = host::execute(OpKind::kQAdd, attrs, {Tensor(shape, a), zero});
    return std::vector<int8_t>(sum.data<int8_t>().begin(), sum.data<int8_t>().end());
  };
  EXPECT_EQ(add_zero({3, -3, 5, -5, -128}), (std::vector<int8_t>{2, -1, 3, -2, -64}));
  attrs.shift = -1;
  EXPECT_EQ(add_zero({3, -3, 100, -100}), (std::vector<int8_t>{6, -6, 127, -127}));
  attrs.shift = 0;
  EXPECT_EQ(add_zero({-128, -1, 127}), (std::vector<int8_t>{-127, -1, 127}));
}

}  // namespace
}  // namespace vta
