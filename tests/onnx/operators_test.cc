// SPDX-License-Identifier: Apache-2.0
//
// Operators on integers and truth values, indices and masks: what ONNX's node tests do not cover.
#include <gtest/gtest.h>

#include <algorithm>
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

// A box of 2 x 3 x 2 with a padding of its own on each side, strides and dilations, by definition.
TEST(OnnxOperators, PoolsOfThreeAxesAreOfBoxes) {
  const Integers size = {5, 6, 4}, kernel = {2, 3, 2}, stride = {2, 1, 1}, dilation = {1, 1, 2};
  const Integers begin = {1, 0, 1};
  std::vector<float> x(120);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 61) - 30;
  // The inputs of a window, and how many of its elements are in the padding.
  const auto window = [&](const Integers& at, std::vector<float>& inside) {
    int64_t outside = 0;
    for (int64_t tap = 0; tap < 12; ++tap) {
      const Integers k = {tap / 6, tap / 2 % 3, tap % 2};
      int64_t index = 0;
      bool is_inside = true;
      for (size_t i = 0; i < 3; ++i) {
        const int64_t position = at[i] * stride[i] + k[i] * dilation[i] - begin[i];
        is_inside = is_inside && position >= 0 && position < size[i];
        index = index * size[i] + position;
      }
      if (is_inside) inside.push_back(x[static_cast<size_t>(index)]);
      outside += is_inside ? 0 : 1;
    }
    return outside;
  };
  for (const char* op : {"MaxPool", "AveragePool", "counted"}) {
    SCOPED_TRACE(op);
    const bool is_max = op == std::string("MaxPool"), counts = op == std::string("counted");
    Attributes attributes = {{"kernel_shape", kernel},
                             {"strides", stride},
                             {"dilations", dilation},
                             {"pads", Integers{1, 0, 1, 0, 2, 1}}};
    if (counts) attributes.push_back({"count_include_pad", int64_t{1}});
    ModelBuilder model(22);
    model.input("x", {1, 1, 5, 6, 4});
    model.node(is_max ? "MaxPool" : "AveragePool", {"x"}, {"y"}, attributes).output("y");
    const Imported imported = import(model);
    EXPECT_EQ(imported.outputs[0].dims, (Integers{1, 1, 3, 6, 4}));
    const std::vector<float> y = run(imported, {reals({1, 1, 5, 6, 4}, x)});
    ASSERT_EQ(y.size(), 72U);
    for (int64_t i = 0; i < 72; ++i) {
      std::vector<float> inside;
      const int64_t outside = window({i / 24, i / 4 % 6, i % 4}, inside);
      float sum = 0;
      for (float value : inside) sum += value;
      const auto count = static_cast<float>(std::ssize(inside) + (counts ? outside : 0));
      EXPECT_NEAR(y[static_cast<size_t>(i)], is_max ? std::ranges::max(inside) : sum / count, 1e-4)
          << i;
    }
  }
}

TEST(OnnxOperators, GlobalMaxPoolTakesThreeAxes) {
  ModelBuilder model(22);
  model.input("x", {1, 2, 2, 1, 2}).node("GlobalMaxPool", {"x"}, {"y"}).output("y");
  const Imported imported = import(model);
  EXPECT_EQ(imported.outputs[0].dims, (Integers{1, 2, 1, 1, 1}));
  EXPECT_EQ(run(imported, {reals({1, 2, 2, 1, 2}, {1, 7, 3, 2, -5, -4, -8, -6})}),
            (std::vector<float>{7, -4}));
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

TEST(OnnxOperators, LogSumExpOfInfinitiesIsInfinite) {
  ModelBuilder model(13);
  model.input("x", {4, 2})
      .node("ReduceLogSumExp", {"x"}, {"y"}, {{"axes", Integers{1}}})
      .output("y");
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const auto sums =
      run(import(model), {reals({4, 2}, {kInf, 1, -kInf, 1, -kInf, -kInf, kInf, -kInf})});
  EXPECT_EQ(sums.at(0), kInf);
  EXPECT_EQ(sums.at(1), 1);
  EXPECT_EQ(sums.at(2), -kInf);
  EXPECT_EQ(sums.at(3), kInf);
}

Imported lstm(const char* direction, int64_t directions) {
  ModelBuilder model(14);
  std::vector<double> w, r;
  for (int64_t i = 0; i < 8; ++i) w.push_back(0.1 * static_cast<double>(i) - 0.3);
  r = w;
  if (directions == 2) {  // the same weights for both
    w.insert(w.end(), w.begin(), w.begin() + 8);
    r = w;
  }
  model.input("x", {3, 1, 2})
      .floats("w", {directions, 4, 2}, w)
      .floats("r", {directions, 4, 1}, std::vector<double>(r.begin(), r.begin() + 4 * directions))
      .node("LSTM", {"x", "w", "r"}, {"y"}, {{"hidden_size", int64_t{1}}, {"direction", direction}})
      .output("y");
  return import(model);
}

TEST(OnnxOperators, TheWeightsOfAGruDoNotGrowWithItsSteps) {
  const auto weights = [](int64_t steps) {
    ModelBuilder model(13);
    model.input("x", {steps, 1, 4})
        .floats("w", {1, 6, 4}, std::vector<double>(24, 0.5))
        .floats("r", {1, 6, 2}, std::vector<double>(12, 0.25))
        .floats("b", {1, 12}, std::vector<double>(12, 0.125))
        .node("GRU", {"x", "w", "r", "b"}, {"y"}, {{"hidden_size", int64_t{2}}})
        .output("y");
    const Imported imported = import(model);
    int64_t elements = 0;
    for (graph::NodeId id : imported.graph.order()) {
      const graph::Node& node = imported.graph.node(id);
      const bool is_weight = node.kind == OpKind::kConstant && node.type.shape.size() == 2;
      if (is_weight) elements += node.value.num_elems();
    }
    return elements;
  };
  EXPECT_EQ(weights(2), weights(9));
}

TEST(OnnxOperators, LstmGoesBackwardAndBothWays) {
  const Tensor x = reals({3, 1, 2}, {1, -2, 0.5f, 3, -1, 2});
  const Tensor reversed = reals({3, 1, 2}, {-1, 2, 0.5f, 3, 1, -2});
  const std::vector<float> forward = run(lstm("forward", 1), {x});
  const std::vector<float> backward = run(lstm("reverse", 1), {x});
  const std::vector<float> of_reversed = run(lstm("forward", 1), {reversed});
  for (size_t t = 0; t < 3; ++t) EXPECT_FLOAT_EQ(backward[t], of_reversed[2 - t]) << t;
  EXPECT_NE(forward[0], backward[0]);
}

TEST(OnnxOperators, LstmPutsTheInputsOfAllStepsIntoOneDenseLayer) {
  const Imported imported = lstm("bidirectional", 2);
  int64_t rows = 0;
  for (graph::NodeId id : imported.graph.order()) {
    const graph::Node& node = imported.graph.node(id);
    if (node.kind == OpKind::kDense) rows = std::max(rows, node.type.shape[0]);
  }
  EXPECT_EQ(rows, 3);
  EXPECT_EQ(imported.outputs[0].dims, (Integers{3, 2, 1, 1}));
}

TEST(OnnxOperators, RecurrentLayersRefuseOtherActivationsByName) {
  ModelBuilder model(14);
  model.input("x", {3, 1, 2})
      .floats("w", {1, 1, 2}, {1, 2})
      .floats("r", {1, 1, 1}, {1})
      .node("RNN", {"x", "w", "r"}, {"y"}, {{"hidden_size", int64_t{1}}, {"clip", 1.0f}})
      .output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (RNN): version 14: attribute 'clip' is not known for version 14");
}

TEST(OnnxOperators, RecurrentLayersRefuseSizesOutOfRange) {
  for (const int64_t size : {std::numeric_limits<int64_t>::min(), int64_t{0}, int64_t{1} << 61}) {
    ModelBuilder model(14);
    model.input("x", {3, 1, 2})
        .floats("w", {1, 1, 2}, {1, 2})
        .floats("r", {1, 1, 1}, {1})
        .node("RNN", {"x", "w", "r"}, {"y"}, {{"hidden_size", size}})
        .output("y");
    EXPECT_EQ(
        error_of(model),
        fmt::format("node 'y' (RNN): version 14: attribute 'hidden_size' is {}, expected 1 to "
                    "16777216",
                    size));
  }
}

TEST(OnnxOperators, HardmaxRefusesAnAxisOfTooManyElementsBeforeItCountsThem) {
  ModelBuilder model(13);
  model.input("x", {1, int64_t{1} << 28}).node("Hardmax", {"x"}, {"y"}).output("y");
  EXPECT_EQ(
      error_of(model),
      "node 'y' (Hardmax): version 13: needs a constant of shape [1, 268435456], supported are up "
      "to 16777216 elements");
}

TEST(OnnxOperators, EinsumContractsSeveralOperands) {
  ModelBuilder model(13);
  model.input("a", {2, 3})
      .floats("b", {3, 2}, {1, 2, 3, 4, 5, 6})
      .floats("c", {2}, {10, 100})
      .node("Einsum", {"a", "b", "c"}, {"y"}, {{"equation", "ij, jk, k -> i"}})
      .output("y");
  EXPECT_EQ(run(import(model), {reals({2, 3}, {1, 0, 0, 0, 1, 1})}),
            (std::vector<float>{210, 1080}));
}

TEST(OnnxOperators, EinsumRefusesADiagonal) {
  ModelBuilder model(13);
  model.input("a", {3, 3}).node("Einsum", {"a"}, {"y"}, {{"equation", "ii->i"}}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Einsum): version 12: axis 'i' of one operand twice (a diagonal)");
}

// If the condition holds twice x, otherwise x + 10, by a name that both branches use.
ModelBuilder& add_if(ModelBuilder& model, const char* condition, const char* result) {
  ModelBuilder twice(13), more(13);
  twice.node("Add", {"x", "x"}, {"r"}).output("r");
  more.floats("ten", {1}, {10}).node("Add", {"x", "ten"}, {"r"}).output("r");
  return model.node("If", {condition}, {result},
                    {{"then_branch", twice.bytes()}, {"else_branch", more.bytes()}});
}

TEST(OnnxOperators, IfOfAConstantConditionIsItsBranch) {
  ModelBuilder model(13);
  model.input("x", {2}).constant({"yes", ElementType::kBool, {}, {1}}).node("Not", {"yes"}, {"no"});
  add_if(add_if(model, "yes", "a"), "no", "b").node("Mul", {"a", "b"}, {"y"}).output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), (std::vector<OpKind>{OpKind::kAdd, OpKind::kAdd, OpKind::kMul}));
  EXPECT_EQ(run(imported, {reals({2}, {1, 2})}), (std::vector<float>{22, 48}));
}

TEST(OnnxOperators, IfOfAComputedConditionIsRefused) {
  ModelBuilder model(13);
  model.input("x", {2}).input("c", {}, ElementType::kBool);
  add_if(model, "c", "y").output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (If): version 13: input 0 ('c', condition) is not a constant; --input-value "
            "c=N makes it one");
}

// The body of a Loop: x doubles while it is below 10 and, as a scan output, each x.
std::vector<uint8_t> doubling_body(bool depends_on_data) {
  ModelBuilder body(13);
  body.input("i", {}, ElementType::kInt64).input("goes_on", {}, ElementType::kBool);
  body.input("v", {1}).node("Add", {"v", "v"}, {"next"});
  if (depends_on_data) {
    body.floats("ten", {}, {10}).node("ReduceSum", {"next"}, {"sum"}, {{"keepdims", int64_t{0}}});
    body.node("Less", {"sum", "ten"}, {"again"});
  } else {
    body.node("Identity", {"goes_on"}, {"again"});
  }
  return body.node("Identity", {"v"}, {"each"})
      .output("again")
      .output("next")
      .output("each")
      .bytes();
}

TEST(OnnxOperators, LoopOfAConstantNumberOfIterationsIsUnrolled) {
  ModelBuilder model(13);
  model.input("x", {1}).constant({"m", ElementType::kInt64, {}, {3}});
  model.node("Loop", {"m", "", "x"}, {"y", "all"}, {{"body", doubling_body(false)}});
  const Imported imported = import(model.output("y").output("all"));
  EXPECT_EQ(imported.outputs[1].dims, (Dims{3, 1}));
  EXPECT_EQ(run(imported, {reals({1}, {2})}), (std::vector<float>{16}));
  EXPECT_EQ(quantize::run_graph(imported.graph, {reals({1}, {2})})[1].data<float>()[2], 8);
}

TEST(OnnxOperators, LoopWhoseNumberOfIterationsDependsOnDataIsRefused) {
  ModelBuilder model(13);
  model.input("x", {1}).constant({"m", ElementType::kInt64, {}, {3}});
  model.node("Loop", {"m", "", "x"}, {"y", ""}, {{"body", doubling_body(true)}}).output("y");
  EXPECT_NE(error_of(model).find("the body's condition) is not a constant"), std::string::npos)
      << error_of(model);
  ModelBuilder long_one(13);
  long_one.input("x", {1}).constant({"m", ElementType::kInt64, {}, {513}});
  long_one.node("Loop", {"m", "", "x"}, {"y", ""}, {{"body", doubling_body(false)}}).output("y");
  EXPECT_EQ(error_of(long_one),
            "node 'y' (Loop): version 13: more than 512 iterations are not unrolled");
}

TEST(OnnxOperators, LoopWithoutAnInitialValueIsRefused) {
  ModelBuilder body(13);
  body.input("i", {}, ElementType::kInt64).input("goes_on", {}, ElementType::kBool);
  body.input("u", {1}).input("v", {1}).node("Identity", {"goes_on"}, {"again"});
  body.node("Add", {"u", "v"}, {"a"}).node("Identity", {"v"}, {"b"});
  body.output("again").output("a").output("b");
  ModelBuilder model(13);
  model.input("x", {1}).constant({"m", ElementType::kInt64, {}, {3}});
  model.node("Loop", {"m", "", "", "x"}, {"y", ""}, {{"body", body.bytes()}}).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Loop): version 13: 'u' has no value");
}

TEST(OnnxOperators, ScanGoesAlongAxesInBothDirections) {
  ModelBuilder body(13);
  body.input("sum", {2}).input("a", {2}).node("Add", {"sum", "a"}, {"next"});
  body.node("Identity", {"next"}, {"each"}).output("next").output("each");
  ModelBuilder model(13);
  model.input("s", {2}).input("x", {2, 3});
  model.node("Scan", {"s", "x"}, {"last", "y"},
             {{"body", body.bytes()},
              {"num_scan_inputs", int64_t{1}},
              {"scan_input_axes", std::vector<int64_t>{1}},
              {"scan_input_directions", std::vector<int64_t>{1}},
              {"scan_output_axes", std::vector<int64_t>{-1}}});
  EXPECT_EQ(
      run(import(model.output("y")), {reals({2}, {0, 10}), reals({2, 3}, {1, 2, 3, 4, 5, 6})}),
      (std::vector<float>{3, 5, 6, 16, 21, 25}));
}

TEST(OnnxOperators, GridSampleInterpolatesAndPads) {
  const auto sampled = [](const char* mode, const char* padding, std::vector<double> grid) {
    ModelBuilder model(16);
    model.input("x", {1, 1, 2, 2}).floats("grid", {1, 1, 2, 2}, grid);
    model.node("GridSample", {"x", "grid"}, {"y"},
               {{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}});
    return run(import(model.output("y")), {reals({1, 1, 2, 2}, {1, 2, 3, 4})});
  };
  EXPECT_EQ(sampled("bilinear", "zeros", {0, 0, 1, 1}), (std::vector<float>{2.5, 1}));
  EXPECT_EQ(sampled("bilinear", "border", {0, 0, 9, 9}), (std::vector<float>{2.5, 4}));
  EXPECT_EQ(sampled("nearest", "reflection", {-2.5, -0.5, 0.5, 0.5}), (std::vector<float>{2, 4}));
  // The columns around -0.75 are 0, 0, 0 and 1; the last one has the weight of a distance of 1.75.
  EXPECT_EQ(sampled("bicubic", "border", {-1.25, 0, -9, 0}), (std::vector<float>{1.96484375, 2}));
}

TEST(OnnxOperators, RoiAlignAveragesSamples) {
  ModelBuilder model(16);
  model.input("x", {2, 1, 4, 4}).input("rois", {1, 4}).integers("images", {1});
  model.node("RoiAlign", {"x", "rois", "images"}, {"y"},
             {{"output_height", int64_t{2}},
              {"output_width", int64_t{1}},
              {"sampling_ratio", int64_t{2}}});
  std::vector<float> x(32, 0);
  for (size_t i = 16; i < 32; ++i) x[i] = static_cast<float>((i - 16) / 4);  // its row
  EXPECT_EQ(run(import(model.output("y")), {reals({2, 1, 4, 4}, x), reals({1, 4}, {1, 1, 3, 3})}),
            (std::vector<float>{1, 2}));
}

TEST(OnnxOperators, RoiAlignNamesTheModesThatItHas) {
  const auto error = [](const char* attribute) {
    ModelBuilder model(16);
    model.input("x", {2, 1, 4, 4}).input("rois", {1, 4}).integers("images", {1});
    model.node("RoiAlign", {"x", "rois", "images"}, {"y"},
               {{attribute, std::string("pixel")}, {"sampling_ratio", int64_t{2}}});
    return error_of(model.output("y"));
  };
  EXPECT_EQ(error("coordinate_transformation_mode"),
            "node 'y' (RoiAlign): version 16: attribute 'coordinate_transformation_mode' is "
            "'pixel', expected half_pixel or output_half_pixel");
  EXPECT_EQ(error("mode"),
            "node 'y' (RoiAlign): version 16: attribute 'mode' is 'pixel', expected avg or max");
}

TEST(OnnxOperators, LossesIgnoreAClass) {
  ModelBuilder model(13);
  model.input("x", {3, 2}).integers("t", {1, 0, -1}).floats("w", {2}, {1, 3});
  model.node("NegativeLogLikelihoodLoss", {"x", "t", "w"}, {"y"}, {{"ignore_index", int64_t{-1}}});
  const Tensor x = reals({3, 2}, {-1, -2, -3, -4, -5, -6});
  EXPECT_EQ(run(import(model.output("y")), {x}), (std::vector<float>{(3 * 2 + 3) / 4.0f}));
}

TEST(OnnxOperators, LpPoolIsARootOfASum) {
  ModelBuilder model(11);
  model.input("x", {1, 1, 2, 2});
  model.node("LpPool", {"x"}, {"y"}, {{"kernel_shape", std::vector<int64_t>{2, 2}}});
  EXPECT_FLOAT_EQ(run(import(model.output("y")), {reals({1, 1, 2, 2}, {1, 2, -2, 4})})[0], 5);
}

TEST(OnnxOperators, CenterCropPadCropsOneAxisAndPadsAnother) {
  ModelBuilder model(18);
  model.input("x", {4, 1}).integers("to", {1, 4});
  model.node("CenterCropPad", {"x", "to"}, {"y"}).output("y");
  EXPECT_EQ(run(import(model), {reals({4, 1}, {1, 2, 3, 4})}), (std::vector<float>{0, 2, 0, 0}));
}

TEST(OnnxOperators, DropoutOfRatioZeroIsTheIdentityAlsoInTraining) {
  ModelBuilder model(13);
  model.input("x", {2})
      .floats("ratio", {}, {0})
      .constant({"training", ElementType::kBool, {}, {1}})
      .node("Dropout", {"x", "ratio", "training"}, {"d"})
      .node("Relu", {"d"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model), {reals({2}, {-1, 3})}), (std::vector<float>{0, 3}));
}

}  // namespace
}  // namespace vta::onnx
