// SPDX-License-Identifier: Apache-2.0
//
// Operators whose result's size depends on data, and operators on results without elements.
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/runtime/host/plain.h"

namespace vta {
namespace {

using test::run;
using test::values;
using Ints = std::vector<int32_t>;
using Reals = std::vector<float>;
using Shape = std::vector<int64_t>;

Tensor ints(Shape shape, const Ints& elements) { return {std::move(shape), elements}; }
Tensor reals(Shape shape, const Reals& elements) { return {std::move(shape), elements}; }

void expect_ints(const Tensor& result, const Shape& shape, const Ints& elements) {
  EXPECT_EQ(result.shape(), shape);
  EXPECT_FALSE(result.type().is_open());
  EXPECT_EQ(values<int32_t>(result), elements);
}

TEST(NonZero, GivesTheIndicesInOrder) {
  expect_ints(run(OpKind::kNonZero, "", {reals({2, 3}, {0, 1, 0, -2, 0, 3})}), {2, 3},
              {0, 1, 1, 1, 0, 2});
  expect_ints(run(OpKind::kNonZero, "", {ints({2}, {0, 0})}), {1, 0}, {});
}

TEST(Unique, TellsOfDistinctSlices) {
  const Tensor x = reals({6}, {2, 1, 1, 3, 4, 3});
  expect_ints(run(OpKind::kUnique, "", {x}), {4}, {1, 0, 3, 4});
  expect_ints(run(OpKind::kUnique, "{part = inverse}", {x}), {6}, {1, 0, 0, 2, 3, 2});
  expect_ints(run(OpKind::kUnique, "{part = count}", {x}), {4}, {2, 1, 2, 1});
  expect_ints(run(OpKind::kUnique, "{sorted = false}", {x}), {4}, {0, 1, 3, 4});
  expect_ints(run(OpKind::kUnique, "{sorted = false, part = inverse}", {x}), {6},
              {0, 1, 1, 2, 3, 2});
  const Tensor rows = ints({3, 2}, {5, 1, 2, 9, 5, 1});
  expect_ints(run(OpKind::kUnique, "{axis = 0, part = inverse}", {rows}), {3}, {1, 0, 1});
}

TEST(Compress, KeepsWhatTheConditionSelects) {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_ints(run(OpKind::kCompress, "{axis = 1}", {x, reals({3}, {0, 1, 1})}), {2, 2},
              {2, 3, 5, 6});
  expect_ints(run(OpKind::kCompress, "{axis = 0}", {x, reals({1}, {1})}), {1, 3}, {1, 2, 3});
  expect_ints(run(OpKind::kCompress, "{axis = 0}", {x, reals({2}, {0, 0})}), {0, 3}, {});
}

TEST(TopK, TakesASizeOfTheRun) {
  const Tensor x = reals({1, 4}, {3, 1, 4, 1});
  expect_ints(run(OpKind::kTopK, "{axis = 1}", {x, ints({1}, {2})}), {1, 2}, {2, 0});
  expect_ints(run(OpKind::kTopK, "{axis = 1}", {x, ints({1}, {0})}), {1, 0}, {});
  EXPECT_THROW(run(OpKind::kTopK, "{axis = 1}", {x, ints({1}, {5})}), Error);
}

TEST(Iota, CountsToASizeOfTheRun) {
  expect_ints(run(OpKind::kIota, "{size = 4}", {ints({1}, {3})}), {3}, {0, 1, 2});
  expect_ints(run(OpKind::kIota, "{size = 4}", {ints({1}, {0})}), {0}, {});
  EXPECT_THROW(run(OpKind::kIota, "{size = 4}", {ints({1}, {5})}), Error);
  EXPECT_THROW(run(OpKind::kIota, "{size = 4}", {ints({1}, {-1})}), Error);
}

TEST(BroadcastTo, RepeatsAxesOfOneElement) {
  const auto broadcast = [](const Tensor& x, const std::vector<int32_t>& sizes) {
    return run(OpKind::kBroadcastTo, "{axes = [0, 2], shape = [4, 2, 3]}", {x, ints({2}, sizes)});
  };
  const Tensor column = ints({1, 2, 1}, {7, 8}), block = ints({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  expect_ints(broadcast(column, {2, 3}), {2, 2, 3}, {7, 7, 7, 8, 8, 8, 7, 7, 7, 8, 8, 8});
  expect_ints(broadcast(column, {0, 3}), {0, 2, 3}, {});
  expect_ints(broadcast(block, {2, 1}), {2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  EXPECT_THROW(broadcast(block, {2, 2}), Error);
  EXPECT_THROW(broadcast(column, {5, 1}), Error);
  EXPECT_THROW(broadcast(column, {-1, 1}), Error);
}

// Two boxes that overlap by a third, one elsewhere, and one without area.
const Reals kBoxes = {0, 0, 1, 1, 0, 0.5f, 1, 1.5f, 5, 5, 6, 6, 2, 2, 2, 3};

TEST(Unique, NaNsAreOneValueAboveAllOthers) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = reals({5}, {2, kNaN, 1, 2, kNaN});
  expect_ints(run(OpKind::kUnique, "", {x}), {3}, {2, 0, 1});
  expect_ints(run(OpKind::kUnique, "{part = count}", {x}), {3}, {1, 2, 2});
}

TEST(NonMaxSuppression, KeepsTheBestOfOverlappingBoxes) {
  const Tensor boxes = reals({1, 4, 4}, kBoxes),
               scores = reals({1, 1, 4}, {0.5f, 0.9f, 0.7f, 0.1f});
  const auto of = [&](const char* attrs) {
    return run(OpKind::kNonMaxSuppression, attrs, {boxes, scores});
  };
  expect_ints(of("{size = 4, max_overlap = 0.3}"), {3, 3}, {0, 0, 1, 0, 0, 2, 0, 0, 3});
  expect_ints(of("{size = 4, max_overlap = 0.4}"), {4, 3}, {0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 3});
  expect_ints(of("{size = 4, max_overlap = 0.3, min_score = 0.1}"), {2, 3}, {0, 0, 1, 0, 0, 2});
  expect_ints(of("{size = 1, max_overlap = 0.3}"), {1, 3}, {0, 0, 1});
  expect_ints(of("{size = 4, min_score = 1}"), {0, 3}, {});
}

TEST(NonMaxSuppression, TreatsImagesAndClassesSeparately) {
  const Tensor boxes = reals({2, 2, 4}, {0, 0, 1, 1, 1, 1, 0, 0, 0.5f, 0.5f, 1, 1, 3, 3, 1, 1});
  const Tensor scores = reals({2, 2, 2}, {1, 2, 2, 2, 1, 2, 0, 0});
  expect_ints(run(OpKind::kNonMaxSuppression, "{size = 2, max_overlap = 0.5, min_score = 0}",
                  {boxes, scores}),
              {4, 3}, {0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0});
}

TEST(NoElements, PassThroughOperatorsThatTakeOpenAxes) {
  const Tensor none(TensorType{DType::kFloat32, {0, 4}});
  const Tensor no_indices(TensorType{DType::kInt32, {0}});
  EXPECT_EQ(run(OpKind::kRelu, "", {none}).shape(), (Shape{0, 4}));
  EXPECT_EQ(run(OpKind::kMul, "", {none, reals({4}, {1, 2, 3, 4})}).shape(), (Shape{0, 4}));
  EXPECT_EQ(run(OpKind::kTranspose, "{perm = [1, 0]}", {none}).shape(), (Shape{4, 0}));
  EXPECT_EQ(run(OpKind::kGather, "{axis = 0}", {reals({2, 2}, {1, 2, 3, 4}), no_indices}).shape(),
            (Shape{0, 2}));
  const Tensor some = reals({1, 4}, {1, 2, 3, 4});
  EXPECT_EQ(values<float>(run(OpKind::kConcat, "{axis = 0}", {none, some})), (Reals{1, 2, 3, 4}));
  EXPECT_EQ(values<float>(
                run(OpKind::kScatterElements, "{axis = 0}",
                    {reals({2}, {1, 2}), no_indices, Tensor(TensorType{DType::kFloat32, {0}})})),
            (Reals{1, 2}));
  expect_ints(run(OpKind::kShapeOf, "", {none}), {2}, {0, 4});
}

}  // namespace
}  // namespace vta
