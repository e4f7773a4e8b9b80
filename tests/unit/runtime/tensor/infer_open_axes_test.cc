// SPDX-License-Identifier: Apache-2.0
//
// Types with open axes: one expectation for each rule, and for each refusal.
#include <gtest/gtest.h>

#include "runtime/tensor/op.h"
#include "runtime/tensor/op_kinds.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using Types = std::vector<TensorType>;

// A negative size is the bound of an open axis.
TensorType typed(DType dtype, std::vector<int64_t> shape) {
  TensorType type{dtype, {}};
  for (int64_t size : shape) {
    if (size < 0) type.open_axes |= static_cast<uint8_t>(1 << type.shape.size());
    type.shape.push_back(size < 0 ? -size : size);
  }
  return type;
}
TensorType f32(std::vector<int64_t> shape) { return typed(DType::kFloat32, std::move(shape)); }
TensorType i32(std::vector<int64_t> shape) { return typed(DType::kInt32, std::move(shape)); }

TensorType infer(OpKind kind, const std::string& attrs, const Types& inputs) {
  return infer_type(kind, attrs_from_string(kind, attrs), inputs);
}
TensorType infer_run(OpKind kind, const std::string& attrs, const Types& inputs) {
  return infer_run_type(kind, attrs_from_string(kind, attrs), inputs);
}

std::string error_of(OpKind kind, const std::string& attrs, const Types& inputs) {
  return error_in([&] { infer(kind, attrs, inputs); });
}

TEST(OpenAxes, AreUpperBoundsInTexts) {
  EXPECT_EQ(to_string(i32({-100, 3})), "int32[<=100, 3]");
  EXPECT_TRUE(fits(i32({7, 3}), i32({-100, 3})));
  EXPECT_TRUE(fits(i32({0, 3}), i32({-100, 3})));
  EXPECT_FALSE(fits(i32({101, 3}), i32({-100, 3})));
  EXPECT_FALSE(fits(i32({7, 2}), i32({-100, 3})));
  EXPECT_FALSE(fits(f32({7, 3}), i32({-100, 3})));
}

TEST(OpenAxes, ComeFromOperatorsThatSelect) {
  EXPECT_EQ(infer(OpKind::kNonZero, "", {f32({2, 3})}), i32({2, -6}));
  EXPECT_EQ(infer(OpKind::kUnique, "{axis = 0}", {f32({5, 2})}), i32({-5}));
  EXPECT_EQ(infer(OpKind::kUnique, "{axis = 0, part = inverse}", {f32({5, 2})}), i32({5}));
  EXPECT_EQ(infer(OpKind::kUnique, "{axis = 1, part = count}", {f32({5, 2})}), i32({-2}));
  EXPECT_EQ(infer(OpKind::kCompress, "{axis = 1}", {f32({4, 9}), f32({7})}), f32({4, -7}));
  EXPECT_EQ(infer(OpKind::kTopK, "{axis = 1}", {f32({4, 9}), i32({1})}), i32({4, -9}));
  EXPECT_EQ(infer(OpKind::kIota, "{size = 9}", {i32({1})}), i32({-9}));
  EXPECT_EQ(infer(OpKind::kBroadcastTo, "{axes = [1], shape = [2, 9]}", {f32({2, 1}), i32({1})}),
            f32({2, -9}));
  const TensorType boxes = f32({2, 50, 4}), scores = f32({2, 3, 50});
  EXPECT_EQ(infer(OpKind::kNonMaxSuppression, "{size = 10}", {boxes, scores}), i32({-60, 3}));
  EXPECT_EQ(infer(OpKind::kNonMaxSuppression, "{size = 100}", {boxes, scores}), i32({-300, 3}));
}

TEST(OpenAxes, OfSelectionsOfOpenOperands) {
  EXPECT_EQ(infer(OpKind::kNonZero, "", {f32({-4})}), i32({1, -4}));
  EXPECT_EQ(infer(OpKind::kUnique, "{axis = 0, part = inverse}", {f32({-5})}), i32({-5}));
  EXPECT_EQ(infer(OpKind::kCompress, "{axis = 0}", {f32({-5, -2}), f32({-5})}), f32({-5, -2}));
  EXPECT_EQ(infer(OpKind::kNonMaxSuppression, "{size = 9}", {f32({1, -50, 4}), f32({1, 2, -50})}),
            i32({-18, 3}));
  EXPECT_EQ(infer(OpKind::kShapeOf, "", {f32({-5, 2})}), i32({2}));
  EXPECT_EQ(infer(OpKind::kBroadcastTo, "{axes = [1], shape = [5, 9]}", {f32({-5, 1}), i32({1})}),
            f32({-5, -9}));
}

TEST(OpenAxes, StayElementByElementAndAlongAxes) {
  const TensorType x = f32({-7, 4});
  for (const OpKind kind : {OpKind::kRelu, OpKind::kSigmoid, OpKind::kExp, OpKind::kSoftmax})
    EXPECT_EQ(infer(kind, "", {x}), x) << to_string(kind);
  EXPECT_EQ(infer(OpKind::kClip, "{hi = 1}", {x}), x);
  EXPECT_EQ(infer(OpKind::kUnary, "{function = floor}", {x}), x);
  EXPECT_EQ(infer(OpKind::kCast, "{format = int32}", {x}), i32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kCumulative, "{axis = 0, reduction = sum}", {x}), x);
  EXPECT_EQ(infer(OpKind::kTile, "{repeats = [2, 1]}", {x}), f32({-14, 4}));
}

TEST(OpenAxes, BroadcastWithOneAndWithTheSameBound) {
  EXPECT_EQ(infer(OpKind::kMul, "", {f32({-7, 4}), f32({4})}), f32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kMul, "", {f32({1, 4}), f32({-7, 1})}), f32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kAdd, "", {f32({-7, 4}), f32({-7, 1})}), f32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kWhere, "", {f32({-7}), f32({1}), f32({-7})}), f32({-7}));
  EXPECT_EQ(infer(OpKind::kBinary, "{operation = less}", {i32({-7}), i32({1})}), f32({-7}));
  EXPECT_EQ(error_of(OpKind::kAdd, "", {f32({-7, 4}), f32({7, 4})}),
            "add: axis 0 of the result is open, and input 1 is float32[7, 4]: an open axis "
            "broadcasts with axes of size 1 and with open axes of the same bound");
  EXPECT_NE(error_of(OpKind::kAdd, "", {f32({-1, 4}), f32({7, 4})}), "");
}

TEST(OpenAxes, EndWithReductions) {
  EXPECT_EQ(infer(OpKind::kReduce, "{axes = [0], reduction = max}", {f32({-7, 4})}), f32({1, 4}));
  EXPECT_EQ(infer(OpKind::kReduce, "{axes = [1], keep_dims = false}", {f32({-7, 4})}), f32({-7}));
  EXPECT_EQ(infer(OpKind::kReduceMean, "{axes = [0, 1], keep_dims = false}", {f32({-7, 4})}),
            f32({1}));
  EXPECT_EQ(infer(OpKind::kArgMax, "{axis = 1, keep_dims = false}", {f32({-7, 4})}), i32({-7}));
  EXPECT_EQ(infer(OpKind::kArgMax, "{axis = 0}", {f32({-7, 4})}), i32({1, 4}));
  EXPECT_EQ(infer(OpKind::kTopK, "{axis = 0, size = 3}", {f32({-7, 4})}), i32({3, 4}));
  EXPECT_EQ(infer(OpKind::kTopK, "{axis = 1, size = 3}", {f32({-7, 4})}), i32({-7, 3}));
}

TEST(OpenAxes, MoveWithTheirElements) {
  EXPECT_EQ(infer(OpKind::kTranspose, "{perm = [1, 0]}", {i32({2, -6})}), i32({-6, 2}));
  EXPECT_EQ(infer(OpKind::kFlatten, "", {f32({-7, 2, 3})}), f32({-7, 6}));
  EXPECT_EQ(infer(OpKind::kFlatten, "", {f32({2, -7, 3})}), f32({2, -21}));
  EXPECT_EQ(infer(OpKind::kReshape, "{shape = [28], open_axes = [0]}", {f32({-7, 4})}), f32({-28}));
  EXPECT_EQ(infer(OpKind::kReshape, "{shape = [2, 14], open_axes = [1]}", {f32({-7, 4})}),
            f32({2, -14}));
  EXPECT_EQ(error_of(OpKind::kReshape, "{shape = [7, 4]}", {f32({4, -7})}),
            "reshape: input 0 is float32[4, <=7], whose axis 1 is open: the shape has no axis for "
            "the elements of the run");
  EXPECT_EQ(error_of(OpKind::kReshape, "{shape = [8, 2], open_axes = [1]}", {f32({-4, 4})}),
            "reshape: input 0 is float32[<=4, 4], whose axis 0 is open: its elements may not be a "
            "multiple of 8");
}

TEST(OpenAxes, OfConcatsAndSlices) {
  EXPECT_EQ(infer(OpKind::kConcat, "{axis = 0}", {f32({-7, 4}), f32({2, 4})}), f32({-9, 4}));
  EXPECT_EQ(infer(OpKind::kConcat, "{axis = 1}", {f32({-7, 4}), f32({-7, 1})}), f32({-7, 5}));
  EXPECT_EQ(error_of(OpKind::kConcat, "{axis = 1}", {f32({-7, 4}), f32({7, 1})}),
            "concat: input 0 is float32[<=7, 4], whose axis 0 is open: input 1 has a fixed size");
  EXPECT_EQ(infer(OpKind::kStridedSlice,
                  "{begin = [0, 2], end = [7, 3], step = [1, 1], open_axes = [0]}", {i32({-7, 3})}),
            i32({-7, 1}));
  EXPECT_EQ(error_of(OpKind::kStridedSlice, "{begin = [0, 2], end = [7, 3], step = [1, 1]}",
                     {i32({-7, 3})}),
            "strided_slice: input 0 is int32[<=7, 3], whose axis 0 is open: it is not one of "
            "open_axes");
  EXPECT_EQ(error_of(OpKind::kStridedSlice,
                     "{begin = [6], end = [-1], step = [-1], open_axes = [0]}", {i32({-7})}),
            "strided_slice: input 0 is int32[<=7], whose axis 0 is open: the step is not above 0");
}

TEST(OpenAxes, OfIndices) {
  EXPECT_EQ(infer(OpKind::kGather, "{axis = 0}", {f32({50, 4}), i32({-7})}), f32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kGather, "{axis = 1}", {f32({-7, 4}), i32({2})}), f32({-7, 2}));
  EXPECT_EQ(infer(OpKind::kGatherElements, "{axis = 0}", {f32({50, 4}), i32({-7, 4})}),
            f32({-7, 4}));
  EXPECT_EQ(infer(OpKind::kGatherNd, "", {f32({2, 50, 4}), i32({-7, 2})}), f32({-7, 4}));
  EXPECT_EQ(error_of(OpKind::kGatherNd, "", {f32({2, 50, 4}), i32({7, -2})}),
            "gather_nd: input 1 is int32[7, <=2], whose axis 1 is open: the number of positions is "
            "fixed");
  EXPECT_EQ(error_of(OpKind::kGatherNd, "{batch_axes = 1}", {f32({-7, 4}), i32({7, 1})}),
            "gather_nd: input 0 is float32[<=7, 4], whose axis 0 is open: batch axes are fixed");
  EXPECT_EQ(infer(OpKind::kScatterElements, "{axis = 0}", {f32({50}), i32({-7}), f32({-7})}),
            f32({50}));
  EXPECT_EQ(infer(OpKind::kScatterNd, "", {f32({50, 4}), i32({-7, 1}), f32({-7, 4})}),
            f32({50, 4}));
  EXPECT_EQ(error_of(OpKind::kScatterElements, "{axis = 0}", {f32({50}), i32({-7}), f32({7})}),
            "scatter_elements: input 1 is int32[<=7], whose axis 0 is open: indices and updates "
            "have the same axes");
  EXPECT_EQ(error_of(OpKind::kScatterNd, "", {f32({50, 4}), i32({7, 1}), f32({-7, 4})}),
            "scatter_nd: input 2 is float32[<=7, 4], whose axis 0 is open: indices and updates "
            "have the same axes");
}

TEST(OpenAxes, AreRefusedByEveryOtherOperator) {
  EXPECT_EQ(error_of(OpKind::kDense, "", {f32({-7, 4}), f32({2, 4})}),
            "dense: input 0 is float32[<=7, 4], whose axis 0 is open: the operator needs fixed "
            "sizes");
  EXPECT_EQ(error_of(OpKind::kMatmul, "", {f32({7, 4}), f32({4, -2})}),
            "matmul: input 1 is float32[4, <=2], whose axis 1 is open: the operator needs fixed "
            "sizes");
  EXPECT_EQ(error_of(OpKind::kNonMaxSuppression, "{size = 1}", {f32({1, 5, -4}), f32({1, 1, 5})}),
            "non_max_suppression: input 0 is float32[1, 5, <=4], whose axis 2 is open: a box is 4 "
            "numbers");
  for (const OpKind kind : kOpKinds) {
    const std::string name = to_string(kind);
    if (name.starts_with("q") || name.ends_with("2d")) EXPECT_FALSE(takes_open_axes(kind)) << name;
  }
  EXPECT_EQ(error_of(OpKind::kReshape, "{shape = [4], open_axes = [0]}", {f32({4})}),
            "reshape: open_axes [0] of an operand without open axes");
}

TEST(OpenAxes, HaveExactSizesInARun) {
  EXPECT_EQ(infer_run(OpKind::kReshape, "{shape = [2, 14], open_axes = [1]}", {f32({3, 4})}),
            f32({2, 6}));
  EXPECT_EQ(infer_run(OpKind::kReshape, "{shape = [28], open_axes = [0]}", {f32({0, 4})}).shape,
            (std::vector<int64_t>{0}));
  const char* slice = "{begin = [2, 0], end = [6, 3], step = [1, 1], open_axes = [0]}";
  EXPECT_EQ(infer_run(OpKind::kStridedSlice, slice, {f32({5, 3})}), f32({3, 3}));
  EXPECT_EQ(infer_run(OpKind::kStridedSlice, slice, {f32({1, 3})}).shape,
            (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(infer_run(OpKind::kAdd, "", {f32({0, 4}), f32({1})}).shape,
            (std::vector<int64_t>{0, 4}));
  const auto error = [](OpKind kind, const std::string& attrs, const Types& inputs) {
    return error_in([&] { infer_run(kind, attrs, inputs); });
  };
  EXPECT_EQ(error(OpKind::kReduce, "{axes = [0], reduction = max}", {f32({0, 4})}),
            "reduce: input 0 is float32[0, 4], expected elements along the reduced axes");
  EXPECT_EQ(error(OpKind::kArgMax, "{axis = 0}", {f32({0, 4})}),
            "arg_max: input 0 is float32[0, 4], expected elements along the axis");
  EXPECT_EQ(error(OpKind::kTopK, "{axis = 0, size = 3}", {f32({2})}),
            "top_k: size 3 is outside 1 to 2");
  EXPECT_NE(error(OpKind::kDense, "", {f32({0, 4}), f32({2, 4})}), "");
}

}  // namespace
}  // namespace vta
