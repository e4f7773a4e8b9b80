// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "base/numbers/random.h"
#include "runtime/tensor/op.h"
#include "tests/support/error_in.h"

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
  return error_in([&] { infer(kind, attrs, inputs); }, ErrorCode::kInvalidArgument);
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
  // A window that would start in the padding after the input does not count.
  EXPECT_EQ(pooled("{kernel = [2, 2], stride = [2, 2], pad = [1, 1, 1, 1], ceil_mode = true}", 3),
            2);
}

TEST(InferType, NamesInputShapeAndExpectation) {
  EXPECT_EQ(error_of(OpKind::kConv2d, "{kernel = [3, 3]}", {f32({1, 3, 8, 8}), f32({4, 2, 3, 3})}),
            "conv2d: input 1 is float32[4, 2, 3, 3], expected weights [oc, ic / groups, kh, kw] of "
            "shape [4, 3, 3, 3]");
  EXPECT_EQ(error_of(OpKind::kAdd, "", {f32({1, 2}), f32({2, 3})}),
            "add: input 1 is float32[2, 3], expected a shape that broadcasts with [1, 2]");
  EXPECT_EQ(error_of(OpKind::kQAdd, "{hi = 127}", {i8({1, 2}), i8({2, 1})}),
            "qadd: input 1 is int8[2, 1], expected a second operand of shape [1, 2]");
  EXPECT_EQ(error_of(OpKind::kRelu, "", {i8({1})}),
            "relu: input 0 is int8[1], expected float32 elements");
  EXPECT_EQ(error_of(OpKind::kAdd, "", {f32({1})}), "add has 1 input, expected 2");
  EXPECT_EQ(error_of(OpKind::kDense, "", {f32({1, 2})}), "dense has 1 input, expected 2 to 3");
  EXPECT_EQ(error_of(OpKind::kStridedSlice, "{begin = [0], end = [9], step = [1]}", {f32({8})}),
            "strided_slice: end 9 is outside 1 to 8");
}

TEST(InferType, RejectsInvalidAttributes) {
  const TensorType image = f32({1, 4, 6, 8});
  const Types conv = {image, f32({4, 4, 3, 3})};
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], stride = [0, 1]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], pad = [-1, 0, 0, 0]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], dilation = [4, 1]}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{kernel = [3, 3], groups = 3}", conv), "");
  EXPECT_NE(error_of(OpKind::kConv2d, "{groups = 2}", {image, f32({3, 2, 1, 1})}), "");
  EXPECT_NE(error_of(OpKind::kMaxPool2d, "{kernel = [2, 2], pad = [2, 0, 0, 0]}", {image}), "");
  EXPECT_EQ(infer(OpKind::kQAvgPool2d, "{kernel = [256, 256]}", {i8({1, 1, 300, 300})}),
            i8({1, 1, 45, 45}));
  EXPECT_NE(error_of(OpKind::kQAvgPool2d, "{kernel = [256, 257]}", {i8({1, 1, 300, 300})}), "");
  EXPECT_NE(error_of(OpKind::kClip, "{lo = 1}", {image}), "");
  EXPECT_NE(error_of(OpKind::kBatchNorm, "{epsilon = -1}",
                     {image, f32({4}), f32({4}), f32({4}), f32({4})}),
            "");
  EXPECT_NE(error_of(OpKind::kDequantize, "{divisor = 0}", {i8({1})}), "");
  EXPECT_NE(error_of(OpKind::kQuantize, "{frac_bits = 127}", {image}), "");
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

TEST(InferType, GivesTheShapesOfATransposedConvolution) {
  const std::string dcgan = "{kernel = [4, 4], stride = [2, 2], pad = [1, 1, 1, 1]}";
  EXPECT_EQ(
      infer(OpKind::kConv2dTranspose, dcgan, {f32({1, 8, 4, 5}), f32({8, 6, 4, 4}), f32({6})}),
      f32({1, 6, 8, 10}));
  EXPECT_EQ(infer(OpKind::kQConv2dTranspose,
                  "{kernel = [3, 1], stride = [2, 1], dilation = [2, 1], groups = 2, "
                  "output_pad = [1, 0], hi = 127}",
                  {i8({1, 4, 3, 3}), i8({4, 3, 3, 1}), i32({6}), i32({6})}),
            i8({1, 6, 10, 3}));
  EXPECT_NE(error_of(OpKind::kConv2dTranspose, "{pad = [2, 0, 2, 0]}",
                     {f32({1, 1, 4, 4}), f32({1, 1, 1, 1})}),
            "");
  EXPECT_NE(error_of(OpKind::kConv2dTranspose, "", {f32({1, 2, 4, 4}), f32({1, 1, 1, 1})}), "");
}

TEST(InferType, BroadcastsAsNumpyDoes) {
  const auto sum = [](std::vector<int64_t> a, std::vector<int64_t> b) {
    return infer(OpKind::kMul, "", {f32(std::move(a)), f32(std::move(b))}).shape;
  };
  EXPECT_EQ(sum({2, 3, 4}, {4}), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(sum({3, 1}, {2, 1, 4}), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(infer(OpKind::kQMul, "{hi = 127}", {i8({1, 2, 1, 1}), i8({1, 2, 3, 3})}),
            i8({1, 2, 3, 3}));
  EXPECT_EQ(infer(OpKind::kMatmul, "", {f32({5, 1, 2, 3}), f32({4, 3, 6})}), f32({5, 4, 2, 6}));
  EXPECT_EQ(error_of(OpKind::kMatmul, "", {f32({2, 3}), f32({4, 5})}),
            "matmul: input 1 is float32[4, 5], expected a matrix of 3 rows");
  EXPECT_EQ(infer(OpKind::kQMatmul, "{hi = 127}", {i8({5, 2, 3}), i8({5, 3, 6})}), i8({5, 2, 6}));
  EXPECT_EQ(infer(OpKind::kQMatmul, "{hi = 127}", {i8({5, 1, 2, 3}), i8({4, 3, 6})}),
            i8({5, 4, 2, 6}));
  EXPECT_EQ(error_of(OpKind::kQMatmul, "{hi = 127, products = 4}", {i8({2, 3}), i8({3, 6})}),
            "qmatmul: products 4 is outside 0 to 3");
  EXPECT_EQ(error_of(OpKind::kQMatmul, "{scaled = true, hi = 127}", {i8({2, 3}), i8({3, 6})}),
            "qmatmul: factor_a 0 is outside 1 to 2147483647");
  EXPECT_EQ(error_of(OpKind::kPrelu, "", {f32({2, 1}), f32({2, 3})}),
            "prelu: input 1 is float32[2, 3], expected a slope that broadcasts to [2, 1]");
}

TEST(InferType, GivesTheShapesOfMovedElements) {
  EXPECT_EQ(infer(OpKind::kReshape, "{shape = [3, 4]}", {i8({2, 6})}), i8({3, 4}));
  EXPECT_EQ(infer(OpKind::kTranspose, "{perm = [2, 0, 1]}", {i32({2, 3, 4})}), i32({4, 2, 3}));
  EXPECT_EQ(infer(OpKind::kConcat, "{axis = 1}", {i8({2, 1}), i8({2, 5}), i8({2, 2})}), i8({2, 8}));
  EXPECT_EQ(infer(OpKind::kConcat, "", std::vector(128, f32({1}))), f32({128}));
  EXPECT_EQ(infer(OpKind::kDepthToSpace, "{block = 2}", {i8({1, 8, 3, 5})}), i8({1, 2, 6, 10}));
  EXPECT_EQ(infer(OpKind::kUnfold2d, "{kernel = [7, 7], stride = [2, 2], pad = [3, 3, 3, 3]}",
                  {f32({2, 3, 224, 224})}),
            i8({2, 147, 112, 112}));
  EXPECT_EQ(error_of(OpKind::kUnfold2d, "{frac_bits = 1}", {i8({1, 3, 4, 4})}),
            "unfold2d: frac_bits 1 is outside 0 to 0");
  EXPECT_NE(
      error_of(OpKind::kUnfold2d, "{stride = [65536, 65536], pad = [65536, 65536, 65536, 65536]}",
               {i8({1, 1, 1, 1})})
          .find("unfold2d: padded area 17180131329 is outside"),
      std::string::npos);
  EXPECT_EQ(infer(OpKind::kStridedSlice, "{begin = [4], end = [-1], step = [-2]}", {i8({5})}),
            i8({3}));
  EXPECT_EQ(infer(OpKind::kStridedSlice, "{begin = [3], end = [0], step = [-2]}", {i8({5})}),
            i8({2}));
  EXPECT_EQ(error_of(OpKind::kConcat, "{axis = 1}", {f32({2, 1}), f32({3, 1})}),
            "concat: input 1 is float32[3, 1], expected an operand of shape [2, 1]");
  EXPECT_EQ(error_of(OpKind::kTranspose, "{perm = [1, 1]}", {f32({2, 3})}),
            "transpose: perm [1, 1] has axis 1 twice");
  EXPECT_EQ(error_of(OpKind::kReshape, "{shape = [5]}", {f32({2, 3})}),
            "reshape: input 0 is float32[2, 3], expected 5 elements for shape [5]");
  EXPECT_EQ(error_of(OpKind::kPad, "{before = [3], after = [0], pad_mode = reflect}", {f32({3})}),
            "pad: before 3 is outside 0 to 2");
  EXPECT_EQ(error_of(OpKind::kPad, "{before = [1], after = [0], pad_value = 128}", {i8({3})}),
            "pad: pad_value 128 is not an int8 value");
  EXPECT_NE(error_of(OpKind::kStridedSlice, "{begin = [2], end = [2], step = [-1]}", {i8({5})}),
            "");
  EXPECT_NE(error_of(OpKind::kStridedSlice, "{begin = [2], end = [-2], step = [-1]}", {i8({5})}),
            "");
}

TEST(InferType, GivesTheShapesOfOperatorsAlongAxes) {
  const TensorType image = f32({1, 4, 6, 8});
  EXPECT_EQ(infer(OpKind::kReduceMean, "{axes = [2, -1]}", {image}), f32({1, 4, 1, 1}));
  EXPECT_EQ(infer(OpKind::kReduceMean, "{axes = [2, 3], keep_dims = false}", {image}), f32({1, 4}));
  EXPECT_EQ(infer(OpKind::kReduceMean, "{axes = [0], keep_dims = false}", {f32({3})}), f32({1}));
  EXPECT_EQ(infer(OpKind::kArgMax, "{axis = 1, keep_dims = false}", {image}), i32({1, 6, 8}));
  EXPECT_EQ(infer(OpKind::kLrn, "{size = 5}", {image}), image);
  EXPECT_EQ(infer(OpKind::kGlobalMaxPool2d, "", {i8({1, 4, 6, 8})}), i8({1, 4, 1, 1}));
  EXPECT_EQ(infer(OpKind::kResize2d, "{out = [12, 3], resize_mode = cubic}", {image}),
            f32({1, 4, 12, 3}));
  EXPECT_EQ(infer(OpKind::kLookup, "", {i8({2, 2}), i8({256})}), i8({2, 2}));
  EXPECT_NE(error_of(OpKind::kReduceMean, "", {image}), "");
  EXPECT_NE(error_of(OpKind::kSoftmax, "{axis = 4}", {image}), "");
  EXPECT_NE(error_of(OpKind::kResize2d, "{out = [1, 1], resize_mode = linear}", {i8({1, 1, 2, 2})}),
            "");
  EXPECT_NE(error_of(OpKind::kResize2d, "", {image}), "");
  EXPECT_NE(error_of(OpKind::kLookup, "", {i8({2, 2}), i8({255})}), "");
}

TEST(InferType, TakesShiftsPerChannelOrOneForAll) {
  const Types conv = {i8({1, 2, 3, 3}), i8({5, 2, 1, 1}), i32({5}), i32({5})};
  EXPECT_EQ(infer(OpKind::kQConv2d, "{hi = 127}", conv), i8({1, 5, 3, 3}));
  EXPECT_EQ(error_of(OpKind::kQConv2d, "{shift = 3, hi = 127}", conv),
            "qconv2d: shift (with an operand of shifts) 3 is outside 0 to 0");
  EXPECT_EQ(error_of(OpKind::kQDense, "{hi = 127}", {i8({1, 2}), i8({5, 2}), i32({5}), i32({4})}),
            "qdense: input 3 is int32[4], expected shifts [oc] of shape [5]");
}

TEST(InferType, RejectsPoolsWithAnEmptyWindow) {
  const auto pooled = [](const std::string& attrs, int64_t size) {
    return error_of(OpKind::kMaxPool2d, attrs, {f32({1, 1, size, size})});
  };
  EXPECT_EQ(pooled("{kernel = [2, 2], dilation = [3, 3], pad = [3, 3, 3, 3]}", 3), "");
  // Columns -1 and 2 would both be outside.
  EXPECT_EQ(pooled("{kernel = [2, 2], dilation = [3, 3], pad = [1, 1, 1, 1]}", 2),
            "max_pool2d: dilation 3 is outside 1 to 2");
  EXPECT_EQ(pooled("{kernel = [2, 2], pad = [2, 0, 0, 0]}", 4),
            "max_pool2d: pad 2 is outside 0 to 1");
}

// Any operator with any operands: a type or one Error.
TEST(InferType, SurvivesRandomOperandsAndAttributes) {
  Random random(2);
  const auto number = [&random]() -> int64_t {
    if (random.chance(70)) return random.between(0, 8);
    return static_cast<int64_t>(random.next() >> random.between(0, 63));
  };
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto kind =
        static_cast<OpKind>(random.between(0, static_cast<int64_t>(OpKind::kQMatmul)));
    OpAttrs attrs;
    for (auto& value : attrs.kernel) value = number();
    for (auto& value : attrs.stride) value = number();
    for (auto& value : attrs.pad) value = random.chance(80) ? 0 : number();
    for (auto& value : attrs.out) value = number();
    for (auto& value : attrs.output_pad) value = random.chance(80) ? 0 : number();
    attrs.axis = random.chance(80) ? random.between(-3, 3) : number();
    attrs.block = number();
    attrs.size = number();
    for (auto* list : {&attrs.begin, &attrs.end, &attrs.step, &attrs.before, &attrs.after,
                       &attrs.axes, &attrs.shape, &attrs.perm}) {
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

TEST(InferType, GivesTheShapesOfFunctionsAndIndices) {
  const TensorType x = f32({2, 3, 4});
  EXPECT_EQ(infer(OpKind::kBinary, "{operation = pow}", {x, f32({3, 1})}), x);
  EXPECT_EQ(infer(OpKind::kBinary, "{operation = less}", {i32({2, 3}), i32({3})}), f32({2, 3}));
  EXPECT_EQ(infer(OpKind::kCast, "{format = int32}", {x}), i32({2, 3, 4}));
  EXPECT_EQ(infer(OpKind::kReduce, "{axes = [1], reduction = max}", {i32({2, 3})}), i32({2, 1}));
  EXPECT_EQ(infer(OpKind::kTopK, "{axis = 1, size = 2}", {x}), i32({2, 2, 4}));
  EXPECT_EQ(infer(OpKind::kWhere, "", {f32({3, 1}), i32({4}), i32({2, 1, 1})}), i32({2, 3, 4}));
  EXPECT_EQ(infer(OpKind::kTile, "{repeats = [1, 2, 3]}", {x}), f32({2, 6, 12}));
  EXPECT_EQ(infer(OpKind::kGather, "{axis = 1}", {x, i32({5, 6})}), f32({2, 5, 6, 4}));
  EXPECT_EQ(infer(OpKind::kGatherNd, "{batch_axes = 1}", {x, i32({2, 7, 1})}), f32({2, 7, 4}));
  EXPECT_EQ(infer(OpKind::kScatterNd, "", {x, i32({5, 2}), f32({5, 4})}), x);
}

TEST(InferType, RefusesOperandsOfFunctionsAndIndices) {
  const TensorType x = f32({2, 3});
  EXPECT_EQ(error_of(OpKind::kUnary, "", {i8({2})}),
            "unary: input 0 is int8[2], expected float32 or int32 elements");
  EXPECT_EQ(error_of(OpKind::kReduce, "{axes = [0], reduction = l2}", {i32({2})}),
            "reduce: input 0 is int32[2], expected float32 elements");
  EXPECT_EQ(error_of(OpKind::kGather, "{axis = 0}", {x, f32({1})}),
            "gather: input 1 is float32[1], expected int32 elements");
  EXPECT_EQ(error_of(OpKind::kIota, "{size = 0}", {i32({1})}),
            "iota: size 0 is outside 1 to 2147483647");
  EXPECT_EQ(error_of(OpKind::kBroadcastTo, "{axes = [1], shape = [2, 2]}", {x, i32({1})}),
            "broadcast_to: shape 2 is outside 3 to 2147483647");
  EXPECT_EQ(error_of(OpKind::kBroadcastTo, "{axes = [1], shape = [3, 9]}", {x, i32({1})}),
            "broadcast_to: input 0 is float32[2, 3], expected [3, 9] but for the axes [1]");
  EXPECT_EQ(error_of(OpKind::kTopK, "{axis = 1, size = 4}", {x}),
            "top_k: size 4 is outside 1 to 3");
  EXPECT_EQ(error_of(OpKind::kGatherElements, "{axis = 1}", {x, i32({3, 1})}),
            "gather_elements: input 1 is int32[3, 1], expected at most 2 elements along axis 0");
  EXPECT_EQ(error_of(OpKind::kGatherNd, "", {x, i32({1, 3})}),
            "gather_nd: input 1 is int32[1, 3], expected at most 2 positions along the last axis");
  EXPECT_EQ(error_of(OpKind::kScatterElements, "{axis = 0}", {x, i32({1, 1}), f32({1})}),
            "scatter_elements: input 2 is float32[1], expected updates of shape [1, 1]");
  EXPECT_EQ(error_of(OpKind::kCumulative, "{reduction = max}", {x}),
            "cumulative: reduction max is not sum or product");
}

}  // namespace
}  // namespace vta
