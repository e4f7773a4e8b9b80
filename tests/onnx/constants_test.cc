// SPDX-License-Identifier: Apache-2.0
//
// Constant folding at import, and constants that are rejected.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_pad.h"
#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The result of the model on zeros.
std::vector<float> run(const Imported& imported) {
  std::vector<Tensor> inputs;
  for (const Port& input : imported.inputs)
    inputs.emplace_back(TensorType{DType::kFloat32, input.dims});
  return run(imported, inputs);
}

std::vector<double> ramp(int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(i);
  return values;
}

TEST(OnnxConstants, ReduceProdWithoutAxesIsTheIdentityIfTheAttributeIsSet) {
  for (const int64_t noop : {0, 1}) {
    ModelBuilder model(18);
    model.input("x", {1, 2})
        .floats("c", {2}, {2, 3})
        .node("ReduceProd", {"c"}, {"p"}, {{"noop_with_empty_axes", noop}})
        .node("Add", {"x", "p"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)),
              noop == 1 ? (std::vector<float>{2, 3}) : (std::vector<float>{6, 6}));
  }
}

TEST(OnnxConstants, ABackwardSliceStartsAtOrAfterTheFirstElement) {
  ModelBuilder model(13);
  model.input("x", {1, 1})
      .floats("c", {4}, {5, 6, 7, 8})
      .integers("start", {-100})
      .integers("end", {-200})
      .integers("axis", {0})
      .integers("step", {-1})
      .node("Slice", {"c", "start", "end", "axis", "step"}, {"p"})
      .node("Add", {"x", "p"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model)), std::vector<float>{5});
}

// Above 4096 elements the graph's operators compute them.
TEST(OnnxConstants, AreCastWhateverTheirSize) {
  for (const int count : {500, 5000}) {
    ModelBuilder model(13);
    model.input("x", {1, 1})
        .floats("c", {count}, ramp(count))
        .integers("i", {33})
        .node("Cast", {"c"}, {"integers"}, {{"to", int64_t{7}}})
        .node("Gather", {"integers", "i"}, {"one"})
        .node("Cast", {"one"}, {"p"}, {{"to", int64_t{1}}})
        .node("Add", {"x", "p"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)), std::vector<float>{33}) << count;
  }
}

TEST(OnnxConstants, AreRoundedToFloat16WhateverTheirSize) {
  for (const int count : {5, 5000}) {
    ModelBuilder model(13);
    model.input("x", {1, count})
        .floats("c", {count}, std::vector<double>(static_cast<size_t>(count), 2049))
        .node("Cast", {"c"}, {"half"}, {{"to", int64_t{10}}})
        .node("Cast", {"half"}, {"p"}, {{"to", int64_t{1}}})
        .node("Add", {"x", "p"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)).at(0), 2048) << count;
  }
}

TEST(OnnxConstants, AreConcatenatedWithNothing) {
  for (const int count : {5, 5000}) {
    ModelBuilder model(13);
    model.input("x", {1, 1})
        .floats("c", {count}, ramp(count))
        .floats("none", {0}, {})
        .node("Concat", {"c", "none"}, {"both"}, {{"axis", int64_t{0}}})
        .node("Add", {"x", "both"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)).size(), static_cast<size_t>(count));
  }
}

TEST(OnnxConstants, HaveSlicesAndPartsWithoutElements) {
  for (const int count : {5, 5000}) {
    ModelBuilder model(13);
    model.input("x", {1, 1})
        .floats("c", {count}, ramp(count))
        .integers("zero", {0})
        .integers("parts", {0, static_cast<double>(count)})
        .node("Slice", {"c", "zero", "zero"}, {"none"})
        .node("Split", {"c", "parts"}, {"nothing", "all"})
        .node("Concat", {"none", "all", "nothing"}, {"both"}, {{"axis", int64_t{0}}})
        .node("Add", {"x", "both"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)).at(4), 4) << count;
  }
}

// Constants computed by operators of the graph are accepted where a constant is required.
TEST(OnnxConstants, StayConstantsWhereTheGraphComputesThem) {
  for (const int count : {5, 5000}) {
    ModelBuilder model(13);
    model.input("x", {1, 1})
        .floats("c", {count}, ramp(count))
        .floats("one", {1}, {1})
        .node("Add", {"c", "one"}, {"sum"})
        .node("Sqrt", {"sum"}, {"root"})
        .node("Add", {"x", "root"}, {"y"})
        .output("y");
    EXPECT_EQ(run(import(model)).at(3), 2) << count;
  }
}

// Weights are quantized and dequantized; the network itself is a float network.
TEST(OnnxConstants, DoNotMakeANetworkQuantized) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("w", {2, 2}, {0.5, 1.5, 2.5, 200})
      .floats("s", {}, {1})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .node("QuantizeLinear", {"w", "s", "zero"}, {"wq"})
      .node("DequantizeLinear", {"wq", "s", "zero"}, {"wr"})
      .node("MatMul", {"x", "wr"}, {"p"})
      .node("Slice", {"wr", "from", "to"}, {"row"})
      .node("Add", {"p", "row"}, {"y"})
      .integers("from", {0})
      .integers("to", {1})
      .output("y");
  const Imported imported = import(model);
  EXPECT_FALSE(imported.is_quantized);
  EXPECT_EQ(run(imported), (std::vector<float>{0, 2})) << "half to even";
}

TEST(OnnxConstants, AreRejectedByNameUnlessFinite) {
  for (const double bad : {static_cast<double>(NAN), kInfinity}) {
    ModelBuilder model(13);
    model.input("x", {1, 2})
        .floats("layer.weight", {2, 1}, {1, bad})
        .node("MatMul", {"x", "layer.weight"}, {"y"})
        .output("y");
    EXPECT_EQ(
        error_of(model),
        fmt::format("node 'y' (MatMul): version 13: constant 'layer.weight': element 1 is {}, "
                    "expected a finite number",
                    bad));
  }
}

TEST(OnnxConstants, OfMinAndMaxMayBeInfinite) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("low", {}, {-kInfinity})
      .floats("high", {2}, {kInfinity, -3})
      .node("Max", {"x", "low"}, {"a"})
      .node("Min", {"a", "high"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model)), (std::vector<float>{0, -3}));
}

TEST(OnnxConstants, OfPadMayBeInfinite) {
  ModelBuilder inputs(13);
  inputs.input("x", {1, 1})
      .integers("pads", {0, 1, 0, 0})
      .floats("value", {}, {-kInfinity})
      .node("Pad", {"x", "pads", "value"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(inputs)).at(0), std::numeric_limits<float>::lowest());
  ModelBuilder attributes(10);
  attributes.input("x", {1, 1})
      .node("Pad", {"x"}, {"y"},
            {{"pads", std::vector<int64_t>{0, 1, 0, 0}}, {"value", -static_cast<float>(kInfinity)}})
      .output("y");
  EXPECT_EQ(run(import(attributes)).at(0), std::numeric_limits<float>::lowest());
}

TEST(OnnxConstants, OfPadBeforeAMaxPoolFoldsIntoIt) {
  ModelBuilder model(13);
  model.input("x", {1, 1, 4, 4})
      .integers("pads", {0, 0, 1, 1, 0, 0, 1, 1})
      .floats("value", {}, {-kInfinity})
      .node("Pad", {"x", "pads", "value"}, {"p"})
      .node("MaxPool", {"p"}, {"y"},
            {{"kernel_shape", std::vector<int64_t>{3, 3}}, {"strides", std::vector<int64_t>{2, 2}}})
      .output("y");
  Imported imported = import(model);
  graph::fold_pad(imported.graph);
  EXPECT_EQ(kinds(imported.graph), std::vector{OpKind::kMaxPool2d});
}

// In float32, as in ONNX Runtime: in double, 640 * 0.7f is less than 448.
TEST(OnnxResize, TakesScalesInFloat32) {
  ModelBuilder resize(13);
  resize.input("x", {1, 1, 1, 640})
      .floats("scales", {4}, {1, 1, 1, 0.7})
      .node("Resize", {"x", "", "scales"}, {"y"})
      .output("y");
  EXPECT_EQ(import(resize).outputs.at(0).dims, (Dims{1, 1, 1, 448}));
  ModelBuilder upsample(9);
  upsample.input("x", {1, 1, 1, 640})
      .floats("scales", {4}, {1, 1, 1, 0.7})
      .node("Upsample", {"x", "scales"}, {"y"})
      .output("y");
  EXPECT_EQ(import(upsample).outputs.at(0).dims, (Dims{1, 1, 1, 448}));
}

// One operand is int8 in the graph, the other integers in float32.
TEST(OnnxQuantized, ConcatenatesTensorsOfAnyScales) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("s1", {}, {0.5})
      .floats("s2", {}, {0.3})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .floats("one", {2}, {1, 1})
      .node("Add", {"x", "one"}, {"ones"})
      .node("QuantizeLinear", {"ones", "s1", "zero"}, {"a"})
      .node("QuantizeLinear", {"ones", "s2", "zero"}, {"b"})
      .node("Concat", {"a", "b"}, {"c"}, {{"axis", int64_t{1}}})
      .node("DequantizeLinear", {"c", "s1", "zero"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model)), (std::vector<float>{1, 1, 1.5, 1.5}));
}

ModelBuilder& with_norm(ModelBuilder& model, const std::string& of) {
  return model.floats("gamma", {2}, {2, 4})
      .floats("beta", {2}, {1, 1})
      .floats("mean", {2}, {0, 0})
      .floats("variance", {2}, {1, 1})
      .node("BatchNormalization", {of, "gamma", "beta", "mean", "variance"}, {"y"},
            {{"epsilon", 0.0f}})
      .output("y");
}

// A batch norm directly after the convolution, into which it folds.
TEST(OnnxBatchNorm, OfOneSpatialAxisIsThatOfAnImage) {
  ModelBuilder model(13);
  model.input("x", {1, 2, 3}).floats("w", {2, 2, 1}, {1, 0, 0, 1});
  model.node("Conv", {"x", "w"}, {"c"});
  Imported imported = import(with_norm(model, "c"));
  EXPECT_EQ(imported.outputs.at(0).dims, (Dims{1, 2, 3}));
  graph::fold_batch_norm(imported.graph);
  EXPECT_EQ(kinds(imported.graph),
            (std::vector{OpKind::kReshape, OpKind::kConv2d, OpKind::kReshape}));
  EXPECT_EQ(run(imported), (std::vector<float>{1, 1, 1, 1, 1, 1}));
}

TEST(OnnxBatchNorm, OfRowsIsThatOfAnImageExceptAfterADenseLayer) {
  ModelBuilder rows(13);
  rows.input("x", {1, 2});
  EXPECT_EQ(kinds(import(with_norm(rows, "x")).graph),
            (std::vector{OpKind::kReshape, OpKind::kBatchNorm, OpKind::kFlatten}));
  ModelBuilder dense(13);
  dense.input("x", {1, 2}).floats("w", {2, 2}, {1, 0, 0, 1}).floats("b", {2}, {1, 1});
  dense.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "b"}, {"s"});
  EXPECT_EQ(kinds(import(with_norm(dense, "s")).graph),
            (std::vector{OpKind::kDense, OpKind::kBatchNorm}));
}

}  // namespace
}  // namespace vta::onnx
