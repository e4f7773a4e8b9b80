// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "runtime/base/random.h"
#include "runtime/tensor/op.h"

namespace vta {
namespace {

using Types = std::vector<TensorType>;

TensorType f32(std::vector<int64_t> shape) { return {DType::kFloat32, std::move(shape)}; }
TensorType i8(std::vector<int64_t> shape) { return {DType::kInt8, std::move(shape)}; }
TensorType i32(std::vector<int64_t> shape) { return {DType::kInt32, std::move(shape)}; }

TensorType infer(OpKind kind, const std::string& attrs, const Types& inputs) {
  return infer_type(kind, attrs_from_string(kind, attrs), inputs);
}

std::string error_of(OpKind kind, const std::string& attrs, const Types& inputs) {
  try {
    infer(kind, attrs, inputs);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(InferType, GivesTheShapesOfAConvolution) {
  const std::string attrs = "{kernel = [7, 7], stride = [2, 2], pad = [3, 3, 3, 3]}";
  EXPECT_EQ(infer(OpKind::kConv2d, attrs, {f32({1, 3, 224, 224}), f32({64, 3, 7, 7})}),
            f32({1, 64, 112, 112}));
  EXPECT_EQ(infer(OpKind::kQConv2d, "{groups = 4, hi = 127}",
                  {i8({1, 8, 5, 6}), i8({12, 2, 1, 1}), i32({12})}),
            i8({1, 12, 5, 6}));
  EXPECT_EQ(infer(OpKind::kConv2d, "{kernel = [3, 1], dilation = [2, 1], pad = [1, 0, 0, 2]}",
                  {f32({1, 1, 7, 4}), f32({1, 1, 3, 1}), f32({1})}),
            f32({1, 1, 4, 6}));
}

TEST(InferType, GivesTheShapesOfEveryOtherOperator) {
  const TensorType image = f32({1, 4, 6, 8}), pixels = i8({1, 4, 6, 8}), vector = f32({4});
  EXPECT_EQ(infer(OpKind::kDense, "", {f32({1, 8}), f32({10, 8}), f32({10})}), f32({1, 10}));
  EXPECT_EQ(infer(OpKind::kQDense, "{hi = 127}", {i8({1, 8}), i8({10, 8}), i32({10})}),
            i8({1, 10}));
  EXPECT_EQ(infer(OpKind::kBatchNorm, "", {image, vector, vector, vector, vector}), image);
  EXPECT_EQ(infer(OpKind::kRelu, "", {image}), image);
  EXPECT_EQ(infer(OpKind::kSoftmax, "", {image}), image);
  EXPECT_EQ(infer(OpKind::kClip, "{hi = 6}", {image}), image);
  EXPECT_EQ(infer(OpKind::kAdd, "", {image, image}), image);
  EXPECT_EQ(infer(OpKind::kQAdd, "{shift_a = 2, lo = -127, hi = 127}", {pixels, pixels}), pixels);
  EXPECT_EQ(infer(OpKind::kFlatten, "", {pixels}), i8({1, 192}));
  EXPECT_EQ(infer(OpKind::kGlobalAvgPool2d, "", {image}), f32({1, 4, 1, 1}));
  EXPECT_EQ(infer(OpKind::kGlobalAvgPool2d, "", {pixels}), i32({1, 4, 1, 1}));
  EXPECT_EQ(infer(OpKind::kGlobalSumPool2d, "", {pixels}), i32({1, 4, 1, 1}));
  EXPECT_EQ(infer(OpKind::kQuantize, "{frac_bits = 4}", {image}), pixels);
  EXPECT_EQ(infer(OpKind::kDequantize, "{frac_bits = 4}", {pixels}), image);
  EXPECT_EQ(infer(OpKind::kPad, "{before = [0, 1, 0, 0], after = [0, 2, 0, 0]}", {pixels}),
            i8({1, 7, 6, 8}));
  EXPECT_EQ(infer(OpKind::kStridedSlice,
                  "{begin = [0, 1, 0, 0], end = [1, 4, 6, 7], step = [1, 1, 2, 3]}", {pixels}),
            i8({1, 3, 3, 3}));
}

TEST(InferType, RoundsPooledSizesAsAsked) {
  const auto pooled = [](const std::string& attrs, int64_t size) {
    return infer(OpKind::kMaxPool2d, attrs, {f32({1, 1, size, size})}).shape[2];
  };
  EXPECT_EQ(pooled("{kernel = [3, 3], stride = [2, 2], pad = [1, 1, 1, 1]}", 112), 56);
  EXPECT_EQ(pooled("{kernel = [3, 3], stride = [2, 2]}", 112), 55);
  EXPECT_EQ(pooled("{kernel = [3, 3], stride = [2, 2], ceil_mode = true}", 112), 56);
  // A window that would start in the padding behind the input does not count.
  EXPECT_EQ(pooled("{kernel = [2, 2], stride = [2, 2], pad = [1, 1, 1, 1], ceil_mode = true}", 3),
            2);
}

TEST(InferType, NamesInputShapeAndExpectation) {
  EXPECT_EQ(error_of(OpKind::kConv2d, "{kernel = [3, 3]}", {f32({1, 3, 8, 8}), f32({4, 2, 3, 3})}),
            "conv2d: input 1 is float32[4, 2, 3, 3], expected weights [oc, ic / groups, kh, kw] of "
            "shape [4, 3, 3, 3]");
  EXPECT_EQ(error_of(OpKind::kAdd, "", {f32({1, 2}), f32({2, 1})}),
            "add: input 1 is float32[2, 1], expected a second operand of shape [1, 2]");
  EXPECT_EQ(error_of(OpKind::kRelu, "", {i8({1})}),
            "relu: input 0 is int8[1], expected float32 elements");
  EXPECT_EQ(error_of(OpKind::kAdd, "", {f32({1})}), "add has 1 inputs, expected 2");
  EXPECT_EQ(error_of(OpKind::kDense, "", {f32({1, 2})}), "dense has 1 inputs, expected 2 to 3");
  EXPECT_EQ(error_of(OpKind::kStridedSlice, "{begin = [0], end = [9], step = [1]}", {f32({8})}),
            "strided_slice: end 9 is outside 1 to 8");
}

TEST(InferType, RefusesWhatNoOperatorCanDo) {
  const TensorType image = f32({1, 4, 6, 8});
  const Types conv = {image, f32({4, 4, 3, 3})};
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], stride = [0, 1]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], pad = [-1, 0, 0, 0]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], dilation = [4, 1]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], groups = 3}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{groups = 2}", {image, f32({3, 2, 1, 1})}), "");
  EXPECT_NE(error_of(OpKind::kMaxPool2d, "{kernel = [2, 2], pad = [2, 0, 0, 0]}", {image}), "");
  EXPECT_NE(error_of(OpKind::kClip, "{lo = 1}", {image}), "");
  EXPECT_NE(error_of(OpKind::kBatchNorm, "{epsilon = -1}",
                     {image, f32({4}), f32({4}), f32({4}), f32({4})}),
            "");
  EXPECT_NE(error_of(OpKind::kDequantize, "{divisor = 0}", {i8({1})}), "");
  EXPECT_NE(error_of(OpKind::kQuantize, "{frac_bits = 65}", {image}), "");
  EXPECT_NE(error_of(OpKind::kQAdd, "{shift = 32}", {i8({1}), i8({1})}), "");
  EXPECT_NE(error_of(OpKind::kQAdd, "{hi = 128}", {i8({1}), i8({1})}), "");
  EXPECT_NE(error_of(OpKind::kQAdd, "{hi = 1.5}", {i8({1}), i8({1})}), "");
  EXPECT_NE(error_of(OpKind::kStridedSlice, "{begin = [0], end = [1], step = [1]}", {image}), "");
  EXPECT_NE(error_of(OpKind::kInput, "", {}), "");
  EXPECT_NE(error_of(OpKind::kConstant, "", {}), "");
}

TEST(InferType, RefusesSizesThatWouldOverflow) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32({kHuge, kHuge})}), "");
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32({1 << 16, 1 << 16})}), "");
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32({0})}), "");
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32({-1, -1})}), "");
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32({})}), "");
  EXPECT_NE(error_of(OpKind::kRelu, "", {f32(std::vector<int64_t>(9, 1))}), "");
  EXPECT_NE(error_of(OpKind::kPad, "{before = [9223372036854775807], after = [1]}", {f32({1})}),
            "");
  EXPECT_NE(error_of(OpKind::kPad, "{before = [2147483647], after = [1]}", {f32({1})}), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [9223372036854775807, 1]}",
                     {f32({1, 1, 4, 4}), f32({1, 1, 1, 1})}),
            "");
  EXPECT_NE(error_of(OpKind::kStridedSlice,
                     "{begin = [-9223372036854775808], end = [9223372036854775807], step = [1]}",
                     {f32({4})}),
            "");
}

// Any operator on any operands: a type or one Error.
TEST(InferType, SurvivesRandomOperandsAndAttributes) {
  Random random(2);
  const auto number = [&random]() -> int64_t {
    if (random.chance(70)) return random.between(0, 8);
    return static_cast<int64_t>(random.next() >> random.between(0, 63));
  };
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto kind = static_cast<OpKind>(random.between(0, static_cast<int64_t>(OpKind::kQAdd)));
    OpAttrs attrs;
    for (auto& value : attrs.kernel) value = number();
    for (auto& value : attrs.stride) value = number();
    for (auto& value : attrs.pad) value = random.chance(80) ? 0 : number();
    for (auto* list : {&attrs.begin, &attrs.end, &attrs.step, &attrs.before, &attrs.after}) {
      for (int64_t i = random.between(0, 4); i > 0; --i) list->push_back(number());
    }
    attrs.groups = number();
    attrs.shift = number();
    attrs.hi = 127;
    Types inputs;
    for (int64_t i = random.between(0, 3); i > 0; --i) {
      TensorType type = {static_cast<DType>(random.between(0, 2)), {}};
      for (int64_t axes = random.between(0, 5); axes > 0; --axes) type.shape.push_back(number());
      inputs.push_back(type);
    }
    try {
      const TensorType result = infer_type(kind, attrs, inputs);
      EXPECT_GT(result.num_elems(), 0);
      ++accepted;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace vta
