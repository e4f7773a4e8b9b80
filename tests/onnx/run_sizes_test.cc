// SPDX-License-Identifier: Apache-2.0
//
// Range, Slice, Expand, Reshape and ConstantOfShape with sizes that only a run gives.
#include <gtest/gtest.h>

#include "tests/onnx/imported.h"
#include "tests/support/error_in.h"

namespace vta::onnx {
namespace {

using Shape = std::vector<int64_t>;
using Ints = std::vector<int32_t>;
using Reals = std::vector<float>;

Tensor reals(const Reals& elements) { return {{static_cast<int64_t>(elements.size())}, elements}; }
Tensor ints(const Ints& elements) { return {{static_cast<int64_t>(elements.size())}, elements}; }

Tensor result_of(const ModelBuilder& model, const std::vector<Tensor>& inputs) {
  const Imported imported = import(model);
  graph::verify(imported.graph);
  return quantize::run_graph(imported.graph, inputs).at(0);
}

std::string run_error_of(const ModelBuilder& model, const std::vector<Tensor>& inputs) {
  return error_in([&] { result_of(model, inputs); });
}

// The type of the first output, with the bounds of its open axes.
std::string type_of(const ModelBuilder& model) {
  const Imported imported = import(model);
  return to_string(imported.graph.node(imported.graph.outputs()[0]).type);
}

void expect_ints(const Tensor& result, const Shape& shape, const Ints& elements) {
  EXPECT_EQ(result.shape(), shape);
  EXPECT_EQ(Ints(result.data<int32_t>().begin(), result.data<int32_t>().end()), elements);
}
void expect_reals(const Tensor& result, const Shape& shape, const Reals& elements) {
  EXPECT_EQ(result.shape(), shape);
  EXPECT_EQ(Reals(result.data<float>().begin(), result.data<float>().end()), elements);
}

// x [6], the indices `i` [1, <=6] of its positive elements, and their number n [1].
struct Positives : ModelBuilder {
  Positives() : ModelBuilder(14) {
    input("x", {6}).floats("zero", {1}, {0}).node("Greater", {"x", "zero"}, {"mask"});
    node("NonZero", {"mask"}, {"i"}).node("Shape", {"i"}, {"shape"});
    integers("1", {1}).node("Gather", {"shape", "1"}, {"n"}).integers("0", {0});
  }
};

const Tensor kSome = reals({1, -1, 2, -2, -3, 3}), kNone = reals({-1, -1, -1, -1, -1, -1});

TEST(OnnxRunSizes, OfRangesAreBoundedByTheSizesTheyComeFrom) {
  Positives model;
  model.node("Squeeze", {"n", "0"}, {"limit"})
      .constant({.name = "start", .type = ElementType::kInt64, .values = {0}})
      .constant({.name = "delta", .type = ElementType::kInt64, .values = {1}})
      .node("Range", {"start", "limit", "delta"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "int32[<=6]");
  expect_ints(result_of(model, {kSome}), {3}, {0, 1, 2});
  expect_ints(result_of(model, {kNone}), {0}, {});
}

// All three are inputs.
struct FreeRange : ModelBuilder {
  explicit FreeRange(ElementType type) : ModelBuilder(14) {
    for (const char* name : {"start", "limit", "delta"}) input(name, {}, type);
    node("Range", {"start", "limit", "delta"}, {"y"}).output("y");
  }
};

TEST(OnnxRunSizes, OfRangesOfAnyNumbersHaveALimit) {
  const FreeRange model(ElementType::kInt64);
  EXPECT_EQ(type_of(model), "int32[<=65536]");
  const auto range = [&](int32_t start, int32_t limit, int32_t delta) {
    return result_of(model, {ints({start}), ints({limit}), ints({delta})});
  };
  expect_ints(range(2, 9, 3), {3}, {2, 5, 8});
  expect_ints(range(2, 8, 3), {2}, {2, 5});
  expect_ints(range(7, 0, -2), {4}, {7, 5, 3, 1});
  expect_ints(range(0, 5, -1), {0}, {});
  expect_ints(range(5, 5, 2), {0}, {});
  EXPECT_EQ(range(0, 65536, 1).dim(0), 65536);
  EXPECT_EQ(run_error_of(model, {ints({0}), ints({70000}), ints({1})}),
            "y.Range: size 70000 is outside 0 to 65536");
  EXPECT_NE(run_error_of(model, {ints({0}), ints({1}), ints({0})}), "");
  const FreeRange of_reals(ElementType::kFloat);
  expect_reals(result_of(of_reals, {reals({1}), reals({2}), reals({0.25})}), {4},
               {1, 1.25, 1.5, 1.75});
  expect_reals(result_of(of_reals, {reals({1}), reals({1.6f}), reals({0.25})}), {3},
               {1, 1.25, 1.5});
}

TEST(OnnxRunSizes, OfSlicesAreClampedToTheAxis) {
  ModelBuilder model(13);
  model.input("x", {2, 5})
      .input("from", {1}, ElementType::kInt64)
      .input("to", {1}, ElementType::kInt64)
      .integers("axis", {1})
      .node("Slice", {"x", "from", "to", "axis"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "float32[2, <=5]");
  const Tensor x({2, 5}, Reals{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto slice = [&](int32_t from, int32_t to) {
    return result_of(model, {x, ints({from}), ints({to})});
  };
  expect_reals(slice(1, 3), {2, 2}, {1, 2, 6, 7});
  expect_reals(slice(-2, 100), {2, 2}, {3, 4, 8, 9});
  expect_reals(slice(-100, 1), {2, 1}, {0, 5});
  expect_reals(slice(3, 3), {2, 0}, {});
  expect_reals(slice(4, 1), {2, 0}, {});
}

TEST(OnnxRunSizes, OfSlicesWithSteps) {
  for (const int64_t step : {2, -2}) {
    ModelBuilder model(13);
    model.input("x", {7})
        .input("from", {1}, ElementType::kInt64)
        .integers("to", {step > 0 ? 1e18 : -1e18})
        .integers("axis", {0})
        .integers("step", {static_cast<double>(step)})
        .node("Slice", {"x", "from", "to", "axis", "step"}, {"y"})
        .output("y");
    EXPECT_EQ(type_of(model), "float32[<=4]");
    const Tensor x = reals({0, 1, 2, 3, 4, 5, 6});
    expect_reals(result_of(model, {x, ints({3})}), {2}, step > 0 ? Reals{3, 5} : Reals{3, 1});
    expect_reals(result_of(model, {x, ints({-1})}), step > 0 ? Shape{1} : Shape{4},
                 step > 0 ? Reals{6} : Reals{6, 4, 2, 0});
    expect_reals(result_of(model, {x, ints({100})}), step > 0 ? Shape{0} : Shape{4},
                 step > 0 ? Reals{} : Reals{6, 4, 2, 0});
  }
}

// The first two of however many there are; from an open axis and its end, too.
TEST(OnnxRunSizes, OfSlicesCountFromTheEndOfAnOpenAxis) {
  Positives model;
  model.integers("from", {-2})
      .integers("to", {6})
      .node("Slice", {"i", "from", "to", "1"}, {"y"})
      .output("y");
  expect_ints(result_of(model, {kSome}), {1, 2}, {2, 5});
  expect_ints(result_of(model, {reals({-1, 1, -1, -1, -1, -1})}), {1, 1}, {1});
  expect_ints(result_of(model, {kNone}), {1, 0}, {});
  Positives limited;
  limited.integers("2", {2})
      .node("Min", {"n", "2"}, {"to"})
      .node("Slice", {"x", "0", "to"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(limited), "float32[<=2]");
  expect_reals(result_of(limited, {kSome}), {2}, {1, -1});
}

TEST(OnnxRunSizes, OfExpandRepeatAxesOfOneElement) {
  Positives model;
  model.input("row", {1, 2})
      .integers("2", {2})
      .node("Concat", {"n", "2"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Expand", {"row", "to"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "float32[<=6, 2]");
  const Tensor row({1, 2}, Reals{7, 8});
  expect_reals(result_of(model, {kSome, row}), {3, 2}, {7, 8, 7, 8, 7, 8});
  expect_reals(result_of(model, {kNone, row}), {0, 2}, {});
}

TEST(OnnxRunSizes, OfExpandHaveALimitTogether) {
  ModelBuilder model(13);
  model.input("x", {2, 1, 1}).input("to", {4}, ElementType::kInt64);
  model.node("Expand", {"x", "to"}, {"y"}).output("y");
  EXPECT_EQ(type_of(model), "float32[<=511, 2, <=511, <=511]");  // 2^28 elements
  const Tensor x({2, 1, 1}, Reals{7, 8});
  expect_reals(result_of(model, {x, ints({1, 2, 1, 3})}), {1, 2, 1, 3}, {7, 7, 7, 8, 8, 8});
  expect_reals(result_of(model, {x, ints({2, 1, 2, 1})}), {2, 2, 2, 1}, {7, 7, 8, 8, 7, 7, 8, 8});
  EXPECT_EQ(run_error_of(model, {x, ints({1, 2, 600, 1})}),
            "y.Expand: size 600 of axis 2 is outside 0 to 511");
}

TEST(OnnxRunSizes, OfExpandMeetOpenAxes) {
  Positives model;
  model.integers("-1", {-1})
      .node("Reshape", {"i", "-1"}, {"list"})
      .node("Gather", {"x", "list"}, {"kept"})
      .integers("2", {2})
      .node("Concat", {"2", "n"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Expand", {"kept", "to"}, {"y"})
      .output("y");
  expect_reals(result_of(model, {kSome}), {2, 3}, {1, 2, 3, 1, 2, 3});
}

TEST(OnnxRunSizes, OfConstantsFillThem) {
  Positives model;
  model.node("ConstantOfShape", {"n"}, {"y"}).output("y");
  EXPECT_EQ(type_of(model), "float32[<=6]");
  expect_reals(result_of(model, {kSome}), {3}, {0, 0, 0});
}

// [n, ...] of a tensor that has n rows: the axis stays open, whatever the other axes are.
TEST(OnnxRunSizes, OfReshapeKeepTheAxisTheyAreTakenFrom) {
  Positives model;
  model.input("table", {6, 2, 2})
      .integers("-1", {-1})
      .node("Reshape", {"i", "-1"}, {"list"})
      .node("Gather", {"table", "list"}, {"rows"})
      .node("Shape", {"list"}, {"count"})
      .node("Concat", {"count", "-1"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"rows", "to"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "float32[<=6, 4]");
  Reals numbers(24);
  for (size_t i = 0; i < 24; ++i) numbers[i] = static_cast<float>(i);
  const Tensor table({6, 2, 2}, numbers);
  expect_reals(result_of(model, {kSome, table}), {3, 4},
               {0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23});
  expect_reals(result_of(model, {kNone, table}), {0, 4}, {});
}

TEST(OnnxRunSizes, OfReshapeAreCheckedAgainstTheElements) {
  ModelBuilder model(13);
  model.input("x", {12})
      .input("n", {1}, ElementType::kInt64)
      .integers("3", {3})
      .node("Concat", {"n", "3"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"x", "to"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "float32[4, 3]");
  const Tensor x = reals({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  expect_reals(result_of(model, {x, ints({4})}), {4, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(run_error_of(model, {x, ints({5})}), "y.Reshape: size 15 is outside 0 to 12");
  EXPECT_EQ(run_error_of(model, {x, ints({3})}), "y.Reshape_2: top_k: size 12 is outside 1 to 9");
}

TEST(OnnxRunSizes, OfReshapeMayBeSeveral) {
  ModelBuilder model(13);
  model.input("x", {2, 6})
      .input("n", {1}, ElementType::kInt64)
      .integers("-1", {-1})
      .integers("2", {2})
      .node("Concat", {"n", "-1", "2"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"x", "to"}, {"y"})
      .output("y");
  EXPECT_EQ(type_of(model), "float32[<=6, <=6, 2]");
  const Reals numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Tensor x({2, 6}, numbers);
  expect_reals(result_of(model, {x, ints({3})}), {3, 2, 2}, numbers);
  expect_reals(result_of(model, {x, ints({1})}), {1, 6, 2}, numbers);
  EXPECT_NE(run_error_of(model, {x, ints({4})}), "");
}

// Also with all of the shape an input: -1 and 0 mean in a run what they mean in constants.
TEST(OnnxRunSizes, OfReshapeMayBeTheRestOrCopies) {
  ModelBuilder model(13);
  model.input("x", {2, 6}).input("to", {3}, ElementType::kInt64);
  model.node("Reshape", {"x", "to"}, {"y"}).output("y");
  const Reals numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Tensor x({2, 6}, numbers);
  expect_reals(result_of(model, {x, ints({3, 2, 2})}), {3, 2, 2}, numbers);
  expect_reals(result_of(model, {x, ints({3, -1, 2})}), {3, 2, 2}, numbers);
  expect_reals(result_of(model, {x, ints({0, 3, -1})}), {2, 3, 2}, numbers);
  EXPECT_NE(run_error_of(model, {x, ints({5, 2, -1})}), "");
  EXPECT_NE(run_error_of(model, {x, ints({-2, 6, 1})}), "");
}

// Each of 2,000 sums has two operands with the same open axis; a limit is computed from them.
TEST(OnnxRunSizes, HaveBoundsAfterManyOperators) {
  Positives model;
  model.node("Identity", {"n"}, {"s0"});
  for (int i = 1; i <= 2000; ++i)
    model.node("Add", {fmt::format("s{}", i - 1), fmt::format("s{}", i - 1)},
               {fmt::format("s{}", i)});
  model.node("Slice", {"x", "0", "s20"}, {"few"}).node("Slice", {"x", "0", "s2000"}, {"y"});
  model.node("Gather", {"x", "i"}, {"row"}).node("Identity", {"row"}, {"r0"});
  for (int i = 1; i <= 60; ++i) {
    model.node("Add", {fmt::format("r{}", i - 1), fmt::format("r{}", i - 1)},
               {fmt::format("r{}", i)});
  }
  model.integers("-1", {-1}).node("Concat", {"1", "n"}, {"to"}, {{"axis", int64_t{0}}});
  model.node("Reshape", {"r60", "to"}, {"kept"}).output("kept").output("few").output("y");
  EXPECT_EQ(type_of(model), "float32[1, <=6]");
}

TEST(OnnxRunSizes, ThatDoNotFitByTheirBoundsAreUnsupported) {
  Positives model;
  model.input("n8", {1}, ElementType::kInt64).floats("row", {1}, {1});
  model.node("Expand", {"row", "n8"}, {"a"}).node("Expand", {"row", "n"}, {"b"});
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Add): version 14: shapes [65536] and [6] do not broadcast (open axes have "
            "their upper bounds here)");
}

}  // namespace
}  // namespace vta::onnx
