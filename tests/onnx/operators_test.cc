// SPDX-License-Identifier: Apache-2.0
//
// Operators on integers and truth values, indices and masks: what ONNX's node tests do not cover.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

using Ints = std::vector<int32_t>;
using Integers = std::vector<int64_t>;

Tensor reals(std::vector<int64_t> shape, const std::vector<float>& elements) {
  return {std::move(shape), elements};
}

Ints integers_of(const ModelBuilder& model, const std::vector<Tensor>& inputs) {
  const Tensor result = quantize::run_graph(import(model).graph, inputs).at(0);
  return {result.data<int32_t>().begin(), result.data<int32_t>().end()};
}

TEST(OnnxOperators, HoldWideIntegersInInt32) {
  ModelBuilder model(13);
  model.input("x", {3}, ElementType::kInt64)
      .integers("k", {5, 5, 5})
      .node("Mul", {"x", "k"}, {"m"})
      .node("Mod", {"m", "x"}, {"r"})
      .node("Sub", {"m", "r"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(imported.outputs[0].type, ElementType::kInt64);
  EXPECT_EQ(integers_of(model, {Tensor({3}, Ints{2, -3, 4})}), (Ints{10, -15, 20}));
  EXPECT_THROW(quantize::run_graph(imported.graph, {Tensor({3}, Ints{1, 1, 1 << 30})}), Error);
}

TEST(OnnxOperators, WrapSmallIntegers) {
  ModelBuilder model(14);
  model.input("x", {2}, ElementType::kUint8)
      .constant({"k", ElementType::kUint8, {2}, {200, 7}})
      .node("Add", {"x", "k"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model), {reals({2}, {100, 1})}), (std::vector<float>{44, 8}));
}

TEST(OnnxOperators, RefuseConstantsOutsideInt32ByValue) {
  ModelBuilder model(13);
  model.input("x", {1}, ElementType::kInt64)
      .integers("k", {4294967296.0})
      .node("Add", {"x", "k"}, {"y"})
      .output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Add): version 13: constant 4294967296 is outside int32");
}

TEST(OnnxOperators, GatherOfConstantStepsIsASlice) {
  ModelBuilder model(13);
  model.input("x", {1, 4, 2})
      .integers("odd", {3, 1})
      .constant({"first", ElementType::kInt64, {}, {0}})
      .node("Gather", {"x", "odd"}, {"g"}, {{"axis", int64_t{1}}})
      .node("Gather", {"g", "first"}, {"y"}, {{"axis", int64_t{1}}})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph),
            (std::vector<OpKind>{OpKind::kStridedSlice, OpKind::kStridedSlice, OpKind::kFlatten}));
  EXPECT_EQ(run(imported, {reals({1, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7})}),
            (std::vector<float>{6, 7}));
}

TEST(OnnxOperators, GatherOfOtherIndicesRunsOnTheHost) {
  ModelBuilder model(13);
  model.input("x", {3, 2})
      .integers("order", {2, 0, 0, -1})
      .node("Gather", {"x", "order"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), (std::vector<OpKind>{OpKind::kGather}));
  EXPECT_EQ(run(imported, {reals({3, 2}, {0, 1, 2, 3, 4, 5})}),
            (std::vector<float>{4, 5, 0, 1, 0, 1, 4, 5}));
}

TEST(OnnxOperators, RefuseAConstantIndexOutsideTheAxis) {
  ModelBuilder model(13);
  model.input("x", {3, 2}).integers("i", {3}).node("Gather", {"x", "i"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Gather): version 13: index 3 is outside an axis of 3 elements");
}

TEST(OnnxOperators, MasksMayBeInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  ModelBuilder model(13);
  model.input("x", {1, 3})
      .floats("mask", {3}, {0, -infinity, 0})
      .node("Add", {"x", "mask"}, {"a"})
      .node("Softmax", {"a"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model), {reals({1, 3}, {1, 5, 1})}), (std::vector<float>{0.5, 0, 0.5}));
}

TEST(OnnxOperators, TopKGivesValuesAndIndices) {
  ModelBuilder model(11);
  model.input("x", {1, 4})
      .integers("k", {2})
      .node("TopK", {"x", "k"}, {"values", "indices"})
      .output("values")
      .output("indices");
  const Imported imported = import(model);
  const std::vector<Tensor> results =
      quantize::run_graph(imported.graph, {reals({1, 4}, {1, 9, 3, 9})});
  EXPECT_EQ(results[0].data<float>()[1], 9);
  EXPECT_EQ(results[1].data<int32_t>()[0], 1);
  EXPECT_EQ(results[1].data<int32_t>()[1], 3);
  EXPECT_EQ(imported.outputs[1].type, ElementType::kInt64);
}

TEST(OnnxOperators, LogSumExpOfLargeNumbersIsFinite) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .node("ReduceLogSumExp", {"x"}, {"y"}, {{"axes", Integers{1}}})
      .output("y");
  EXPECT_FLOAT_EQ(run(import(model), {reals({1, 2}, {1000, 1000})}).at(0), 1000 + std::log(2.0f));
}

}  // namespace
}  // namespace vta::onnx
