// SPDX-License-Identifier: Apache-2.0
//
// Operators whose result's size only a run gives, and the operators after them.
#include <gtest/gtest.h>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

using Shape = std::vector<int64_t>;
using Ints = std::vector<int32_t>;
using Reals = std::vector<float>;

Tensor reals(const Reals& elements) { return {{static_cast<int64_t>(elements.size())}, elements}; }

// The first result of a model in a run.
Tensor result_of(const ModelBuilder& model, const std::vector<Tensor>& inputs) {
  const Imported imported = import(model);
  graph::verify(imported.graph);
  EXPECT_EQ(graph::to_text(graph::from_text(graph::to_text(imported.graph))),
            graph::to_text(imported.graph));
  return quantize::run_graph(imported.graph, inputs).at(0);
}

void expect_ints(const Tensor& result, const Shape& shape, const Ints& elements) {
  EXPECT_EQ(result.shape(), shape);
  EXPECT_EQ(Ints(result.data<int32_t>().begin(), result.data<int32_t>().end()), elements);
}
void expect_reals(const Tensor& result, const Shape& shape, const Reals& elements) {
  EXPECT_EQ(result.shape(), shape);
  EXPECT_EQ(Reals(result.data<float>().begin(), result.data<float>().end()), elements);
}

// x [6] and the indices of its positive elements, [1, n], of [<=6].
struct Positives : ModelBuilder {
  explicit Positives(const std::string& indices) : ModelBuilder(13) {
    input("x", {6}).floats("zero", {1}, {0}).node("Greater", {"x", "zero"}, {"mask"});
    node("NonZero", {"mask"}, {indices});
  }
};

const Tensor kSome = reals({1, -1, 2, -2, -3, 3}), kNone = reals({-1, -1, -1, -1, -1, -1});

TEST(OnnxOpenAxes, OfNonZeroAreThoseOfTheRun) {
  Positives model("y");
  model.output("y");
  expect_ints(result_of(model, {kSome}), {1, 3}, {0, 2, 5});
  expect_ints(result_of(model, {kNone}), {1, 0}, {});
}

TEST(OnnxOpenAxes, PassThroughGatherAndArithmetic) {
  Positives model("i");
  model.integers("all", {-1})
      .node("Reshape", {"i", "all"}, {"list"})
      .node("Gather", {"x", "list"}, {"kept"})
      .node("Mul", {"kept", "kept"}, {"squares"})
      .node("Exp", {"squares"}, {"e"})
      .node("Log", {"e"}, {"l"})
      .node("Round", {"l"}, {"y"})
      .output("y");
  expect_reals(result_of(model, {kSome}), {3}, {1, 4, 9});
  expect_reals(result_of(model, {kNone}), {0}, {});
}

TEST(OnnxOpenAxes, MoveThroughTransposeUnsqueezeAndConcat) {
  Positives model("i");
  model.node("Transpose", {"i"}, {"rows"})
      .node("GatherND", {"x", "rows"}, {"kept"})
      .integers("one", {1})
      .node("Unsqueeze", {"kept", "one"}, {"column"})
      .node("Cast", {"rows"}, {"numbers"}, {{"to", int64_t{1}}})
      .node("Concat", {"numbers", "column"}, {"y"}, {{"axis", int64_t{1}}})
      .output("y");
  expect_reals(result_of(model, {kSome}), {3, 2}, {0, 1, 2, 2, 5, 3});
}

// The bound is 1, as that of the other axis: sizes alone do not tell which one is open.
struct PositiveRow : ModelBuilder {
  PositiveRow() : ModelBuilder(13) {
    input("x", {1}).floats("zero", {1}, {0}).node("Greater", {"x", "zero"}, {"mask"});
    node("Compress", {"x", "mask"}, {"kept"}, {{"axis", int64_t{0}}}).integers("first", {0});
    node("Unsqueeze", {"kept", "first"}, {"row"});
  }
};

TEST(OnnxOpenAxes, KeepTheirPlaceInUnsqueezeAndSqueeze) {
  PositiveRow unsqueezed;
  unsqueezed.output("row");
  expect_reals(result_of(unsqueezed, {reals({2})}), {1, 1}, {2});
  expect_reals(result_of(unsqueezed, {reals({-2})}), {1, 0}, {});
  PositiveRow squeezed;
  squeezed.node("Exp", {"row"}, {"e"}).node("Squeeze", {"e", "first"}, {"y"}).output("y");
  expect_reals(result_of(squeezed, {reals({-2})}), {0}, {});
}

TEST(OnnxOpenAxes, IndicesCountFromTheSizeOfTheRun) {
  Positives model("i");
  model.integers("last", {-1}).node("Gather", {"i", "last"}, {"y"}, {{"axis", int64_t{1}}});
  model.output("y");
  expect_ints(result_of(model, {kSome}), {1, 1}, {5});
  expect_ints(result_of(model, {reals({1, -1, -1, -1, -1, -1})}), {1, 1}, {0});
  EXPECT_THROW(result_of(model, {kNone}), Error);
}

TEST(OnnxOpenAxes, EndInReductionsAndShapes) {
  Positives sum("i");
  sum.node("Gather", {"x", "i"}, {"kept"})
      .integers("axes", {1})
      .node("ReduceSum", {"kept", "axes"}, {"y"})
      .output("y");
  expect_reals(result_of(sum, {kSome}), {1, 1}, {6});
  Positives shape("i");
  shape.node("Shape", {"i"}, {"y"}).output("y");
  expect_ints(result_of(shape, {kSome}), {2}, {1, 3});
  Positives size("i");
  size.node("Size", {"i"}, {"y"}).output("y");
  expect_ints(result_of(size, {kNone}), {1}, {0});
}

TEST(OnnxOpenAxes, AreClampedBySlices) {
  Positives model("i");
  model.integers("from", {1})
      .integers("to", {3})
      .integers("axis", {1})
      .node("Slice", {"i", "from", "to", "axis"}, {"y"})
      .output("y");
  expect_ints(result_of(model, {kSome}), {1, 2}, {2, 5});
  expect_ints(result_of(model, {reals({0, 0, 0, 1, 1, 0})}), {1, 1}, {4});
  expect_ints(result_of(model, {kNone}), {1, 0}, {});
}

TEST(OnnxOpenAxes, ComeFromConditionsAndSizesOfTheRun) {
  ModelBuilder compress(13);
  compress.input("x", {6})
      .floats("zero", {1}, {0})
      .node("Greater", {"x", "zero"}, {"mask"})
      .node("Compress", {"x", "mask"}, {"y"}, {{"axis", int64_t{0}}})
      .output("y");
  expect_reals(result_of(compress, {kSome}), {3}, {1, 2, 3});
  ModelBuilder top(13);
  top.input("x", {6})
      .input("k", {1}, ElementType::kInt64)
      .node("TopK", {"x", "k"}, {"y", "i"})
      .output("y");
  expect_reals(result_of(top, {kSome, Tensor({1}, Ints{2})}), {2}, {3, 2});
  EXPECT_THROW(result_of(top, {kSome, Tensor({1}, Ints{7})}), Error);
}

TEST(OnnxOpenAxes, OfConstantsAreComputedAtImport) {
  ModelBuilder model(13);
  model.input("x", {2})
      .floats("c", {4}, {0, 1, 0, 1})
      .node("NonZero", {"c"}, {"i"})
      .node("Cast", {"i"}, {"f"}, {{"to", int64_t{1}}})
      .node("Add", {"x", "f"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), (std::vector<OpKind>{OpKind::kAdd}));
  EXPECT_EQ(imported.outputs[0].dims, (Dims{1, 2}));
}

TEST(OnnxOpenAxes, AreRefusedWithTheirOriginWhereSizesMustBeFixed) {
  Positives model("i");
  model.node("Gather", {"x", "i"}, {"kept"})
      .floats("w", {6, 2}, std::vector<double>(12, 1))
      .node("MatMul", {"kept", "w"}, {"y"})
      .output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (MatMul): axis 1 of input 'kept', float32[1, <=6], is open: only a run of i "
            "(non_zero) gives its size; the operator needs fixed sizes");
  Positives fixed("i");
  fixed.integers("shape", {2, 3}).node("Reshape", {"i", "shape"}, {"y"}).output("y");
  EXPECT_EQ(error_of(fixed),
            "node 'y' (Reshape): version 13: shape [2, 3] has no axis for the elements of an open "
            "axis: -1, or 0");
  Positives squeeze("i");
  squeeze.integers("axis", {1}).node("Squeeze", {"i", "axis"}, {"y"}).output("y");
  EXPECT_EQ(error_of(squeeze),
            "node 'y' (Squeeze): version 13: axis 1 is open: it may have no element");
  Positives split("i");
  split.node("Split", {"i"}, {"y", "z"}, {{"axis", int64_t{1}}}).output("y");
  EXPECT_EQ(error_of(split),
            "node 'y' (Split): version 13: axis 1 is open: its parts have no fixed sizes");
  Positives add("i");
  add.node("Cast", {"i"}, {"f"}, {{"to", int64_t{1}}}).node("Add", {"f", "x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(add),
            "node 'y' (Add): version 13: after i (non_zero), whose result's size only a run gives: "
            "add: axis 1 of the result is open, and input 1 is float32[6]: an open axis broadcasts "
            "with axes of size 1 and with open axes of the same bound");
}

TEST(OnnxOpenAxes, AllowADeclaredSizeBelowTheBound) {
  Positives fits("y");
  fits.output("y", {1, 3});
  EXPECT_EQ(to_string(import(fits).graph.node(import(fits).graph.outputs()[0]).type),
            "int32[1, <=6]");
  Positives above("y");
  above.output("y", {1, 7});
  EXPECT_EQ(import(above).notes.size(), 1U);
  EXPECT_TRUE(import(fits).notes.empty());
}

}  // namespace
}  // namespace vta::onnx
