// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

Tensor ramp(const Dims& dims) {
  Tensor tensor({DType::kFloat32, dims});
  float next = 0;
  for (float& value : tensor.mutable_data<float>()) value = next++;
  return tensor;
}

TEST(OnnxImport, GivesASymbolicBatchOneImage) {
  ModelBuilder model;
  model.input("x", {-1, 3, 4, 4}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(import(model).inputs.at(0).dims, (Dims{1, 3, 4, 4}));
}

TEST(OnnxImport, RefusesAnotherAxisOfUnknownSize) {
  ModelBuilder model;
  model.input("x", {1, 3, -1, 4}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Relu): version 13: input 0 ('x'): axis 2 ('N') of the network's input has "
            "no known size: give it with --input-size HxW or --input-shape x=1x3xNx4");
}

TEST(OnnxImport, NotesAnOutputOfAnotherShapeThanDeclared) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Relu", {"x"}, {"y"}).output("y", {1, 4});
  const Imported imported = import(model);
  EXPECT_EQ(imported.outputs.at(0).dims, (Dims{1, 3}));
  EXPECT_EQ(imported.notes,
            std::vector<std::string>{"output 'y': the model declares shape [1, 4], its operators "
                                     "give [1, 3], which is used"});
  ModelBuilder other;
  other.input("x", {-1, 3}).node("Relu", {"x"}, {"y"}).output("y", {-1, 3, 1});
  EXPECT_EQ(import(other).notes,
            std::vector<std::string>{"output 'y': the model declares shape [?, 3, 1], its "
                                     "operators give [1, 3], which is used"});
}

TEST(OnnxImport, AcceptsOutputsWithOpenAxes) {
  ModelBuilder model;
  model.input("x", {2, 3}).node("Relu", {"x"}, {"y"}).output("y", {-1, 3});
  const Imported imported = import(model);
  EXPECT_EQ(imported.outputs.at(0).dims, (Dims{2, 3}));
  EXPECT_TRUE(imported.notes.empty());
}

TEST(OnnxImport, AcceptsADeclaredBatchIfThatOfTheInputIsOpen) {
  ModelBuilder model;
  model.input("x", {-1, 3}).node("Relu", {"x"}, {"y"}).output("y", {8, 3});
  EXPECT_EQ(import(model).outputs.at(0).dims, (Dims{1, 3}));
}

TEST(OnnxImport, NamesTheOperatorThatItDoesNotKnow) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Det", {"x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Det): the operator is not supported");
}

TEST(OnnxImport, NamesTheDomainThatItDoesNotKnow) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Relu", {"x"}, {"y"}, {}, "com.example").output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Relu): operators of domain 'com.example' are not supported");
}

TEST(OnnxImport, NamesTheAttributeThatItDoesNotKnow) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Relu", {"x"}, {"y"}, {{"speed", int64_t{3}}}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Relu): version 13: attribute 'speed' is not known for version 13");
}

TEST(OnnxImport, RefusesAnAttributeThatBecameAnInput) {
  ModelBuilder model(13);
  model.input("x", {1, 3, 1})
      .node("Squeeze", {"x"}, {"y"}, {{"axes", std::vector<int64_t>{2}}})
      .output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Squeeze): version 13: attribute 'axes' is not known for version 13");
}

TEST(OnnxImport, ReadsTheSameAttributeInTheVersionBefore) {
  ModelBuilder model(11);
  model.input("x", {1, 3, 1})
      .node("Squeeze", {"x"}, {"y"}, {{"axes", std::vector<int64_t>{2}}})
      .output("y");
  EXPECT_EQ(import(model).outputs.at(0).dims, (Dims{1, 3}));
}

TEST(OnnxImport, RejectsOpsetsOutsideItsRange) {
  for (const int64_t opset : {6, 28}) {
    ModelBuilder model(opset);
    model.input("x", {1, 3}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_EQ(error_of(model), fmt::format("opset {} is outside 7 to 27", opset));
  }
}

TEST(OnnxImport, RefusesTwoOpsetsOfOneDomain) {
  const auto error = [](const std::string& domain, int64_t version) {
    ModelBuilder model(13);
    model.opset(domain, version).input("x", {1, 3}).node("Relu", {"x"}, {"y"}).output("y");
    return error_of(model);
  };
  for (const char* domain : {"", "ai.onnx"}) {
    EXPECT_EQ(error(domain, 17), "opsets 13 and 17 of domain 'ai.onnx'; the model must name one");
  }
  ModelBuilder same(13);
  same.opset("ai.onnx", 13).opset("com.example", 1).opset("com.example", 1);
  same.input("x", {1, 3}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(import(same).outputs.at(0).dims, (Dims{1, 3}));
}

TEST(OnnxImport, RefusesAnOperatorThatItsOpsetDoesNotHaveYet) {
  ModelBuilder model(13);
  model.input("x", {1, 3}).node("HardSwish", {"x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (HardSwish): HardSwish has no version in opset 13; the importer knows "
            "versions 14 22");
}

TEST(OnnxImport, RejectsAnOperatorThatItsOpsetHasRemoved) {
  ModelBuilder model(10);
  model.input("x", {1, 1, 2, 2})
      .floats("scales", {4}, {1, 1, 2, 2})
      .node("Upsample", {"x", "scales"}, {"y"})
      .output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Upsample): Upsample has no version in opset 10; the importer knows versions "
            "7 9 !10");
}

TEST(OnnxImport, RefusesAUseBeforeTheComputation) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Relu", {"y"}, {"z"}).node("Relu", {"x"}, {"y"}).output("z");
  EXPECT_EQ(error_of(model),
            "node 'z' (Relu): input 'y' is neither an input of the model nor computed before");
}

// Each of these once ended in another error than ours, or took minutes; found by mutated models.
TEST(OnnxImport, RefusesANotOfANumber) {
  ModelBuilder model;
  model.floats("c", {2}, {0, 1}).node("Not", {"c"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Not): version 1: operand 0 is float[2], expected bool");
}

TEST(OnnxImport, RefusesPastKeysWithoutHeads) {
  ModelBuilder model(23);
  model.input("x", {1, 2, 3, 4}).input("past", {1, 2});
  model.node("Attention", {"x", "x", "x", "", "past", "past"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Attention): version 23: input 4 has 2 axes, expected 4");
}

TEST(OnnxImport, RefusesAnIgnoredIndexBeyond32Bits) {
  ModelBuilder model;
  model.input("x", {2, 3}).input("target", {2}, ElementType::kInt64);
  model.node("NegativeLogLikelihoodLoss", {"x", "target"}, {"y"},
             {{"ignore_index", std::numeric_limits<int64_t>::max()}});
  model.output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (NegativeLogLikelihoodLoss): version 13: constant 9.223372036854776e+18 is "
            "outside int32");
}

TEST(OnnxImport, LimitsConstantsThatNoFileHas) {
  const std::string limit = "supported are up to 16777216 elements";
  ModelBuilder grid(20);
  grid.input("theta", {1, 2, 3}).integers("size", {1, 1, 1 << 13, 1 << 13});
  grid.node("AffineGrid", {"theta", "size"}, {"y"}).output("y");
  EXPECT_EQ(
      error_of(grid),
      "node 'y' (AffineGrid): version 20: needs a constant of shape [8192, 8192, 3], " + limit);
  ModelBuilder none(20);
  none.input("theta", {1, 2, 3}).integers("size", {1, 1, -4, 0});
  none.node("AffineGrid", {"theta", "size"}, {"y"}).output("y");
  EXPECT_EQ(error_of(none),
            "node 'y' (AffineGrid): version 20: needs a constant of shape [-4, 0, 3], " + limit);
  ModelBuilder triangle(14);
  triangle.input("x", {1 << 13, 1 << 13}).node("Trilu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(triangle),
            "node 'y' (Trilu): version 14: needs a constant of shape [8192, 8192], " + limit);
}

TEST(OnnxImport, RefusesANameThatIsComputedTwice) {
  ModelBuilder model;
  model.input("x", {1, 3}).node("Relu", {"x"}, {"y"}).node("Tanh", {"x"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (Tanh): version 13: 'y' has two producers");
}

TEST(OnnxImport, ComputesTheShapesThatExportersWrite) {
  // x.view(x.size(0), x.size(1) // 2, -1), as PyTorch exports it.
  ModelBuilder model(13);
  model.input("x", {-1, 4, 3, 2})
      .integers("zero", {0})
      .integers("one", {1})
      .integers("two", {2})
      .integers("minus_one", {-1})
      .node("Shape", {"x"}, {"shape"})
      .node("Gather", {"shape", "zero"}, {"n"})
      .node("Slice", {"shape", "one", "two"}, {"c"})
      .node("Div", {"c", "two"}, {"half"})
      .node("Concat", {"n", "half", "minus_one"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"x", "to"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(imported.outputs.at(0).dims, (Dims{1, 2, 12}));
  EXPECT_EQ(kinds(imported.graph), std::vector{OpKind::kReshape});
}

TEST(OnnxImport, FoldsOperatorsOnWeights) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("w", {3, 2}, {1, 2, 3, 4, 5, 6})
      .node("Transpose", {"w"}, {"wt"})
      .node("Relu", {"wt"}, {"positive"})
      .node("MatMul", {"x", "positive"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), std::vector{OpKind::kDense});
  EXPECT_EQ(run(imported, {ramp({1, 2})}), (std::vector<float>{2, 4, 6}));
}

TEST(OnnxImport, MakesGemmADenseLayerWithItsFactors) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("w", {2, 2}, {1, 2, 3, 4})
      .floats("b", {2}, {10, 20})
      .node("Gemm", {"x", "w", "b"}, {"y"}, {{"alpha", 2.0f}, {"beta", 0.5f}})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), std::vector{OpKind::kDense});
  EXPECT_EQ(run(imported, {ramp({1, 2})}), (std::vector<float>{11, 18}));
}

TEST(OnnxImport, MakesMatMulAndAddADenseLayerWithABias) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .floats("w", {2, 3}, {1, 2, 3, 4, 5, 6})
      .floats("b", {3}, {10, 20, 30})
      .node("MatMul", {"x", "w"}, {"p"})
      .node("Add", {"b", "p"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph), std::vector{OpKind::kDense});
  EXPECT_EQ(run(imported, {ramp({1, 2})}), (std::vector<float>{14, 25, 36}));
}

TEST(OnnxImport, ImportsClipWithReversedBounds) {
  ModelBuilder relu6(13);
  relu6.input("x", {1, 8})
      .floats("low", {}, {0})
      .floats("high", {}, {6})
      .node("Clip", {"x", "low", "high"}, {"y"})
      .output("y");
  EXPECT_EQ(kinds(import(relu6).graph), std::vector{OpKind::kClip});
  ModelBuilder relu(13);
  relu.input("x", {1, 8}).floats("low", {}, {0}).node("Clip", {"x", "low"}, {"y"}).output("y");
  EXPECT_EQ(kinds(import(relu).graph), std::vector{OpKind::kRelu});
}

TEST(OnnxImport, CoercesTheOldSoftmaxToRows) {
  ModelBuilder model(11);
  model.input("x", {1, 2, 2}).node("Softmax", {"x"}, {"y"}).output("y");
  const std::vector<float> result = run(import(model), {Tensor({DType::kFloat32, {1, 2, 2}})});
  EXPECT_EQ(result, (std::vector<float>{0.25f, 0.25f, 0.25f, 0.25f}));
}

TEST(OnnxImport, SplitsIntoSlices) {
  ModelBuilder model(13);
  model.input("x", {1, 5})
      .integers("parts", {2, 3})
      .node("Split", {"x", "parts"}, {"", "b"}, {{"axis", int64_t{1}}})
      .output("b");
  const Imported imported = import(model);
  EXPECT_EQ(run(imported, {ramp({1, 5})}), (std::vector<float>{2, 3, 4}));
}

TEST(OnnxImport, CropsWhereAPadIsNegative) {
  ModelBuilder model(13);
  model.input("x", {1, 4})
      .integers("pads", {0, -1, 0, 2})
      .node("Pad", {"x", "pads"}, {"y"})
      .output("y");
  EXPECT_EQ(run(import(model), {ramp({1, 4})}), (std::vector<float>{1, 2, 3, 0, 0}));
}

TEST(OnnxImport, ResizesAxesThatAreNotTheLastTwo) {
  ModelBuilder model(13);  // [n, h, w, c], the layout of TensorFlow
  model.input("x", {1, 1, 2, 2})
      .floats("scales", {4}, {1, 1, 2, 1})
      .node("Resize", {"x", "", "scales"}, {"y"},
            {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}})
      .output("y");
  EXPECT_EQ(run(import(model), {ramp({1, 1, 2, 2})}), (std::vector<float>{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(OnnxImport, NumbersInputsAsTheModelDoesAndLeavesOutUnusedOnes) {
  ModelBuilder model(13);
  model.input("a", {1, 2})
      .input("unused", {1, 2})
      .input("b", {1, 2})
      .node("Sub", {"b", "a"}, {"y"})
      .output("y");
  const Imported imported = import(model);
  ASSERT_EQ(imported.inputs.size(), 2u);
  EXPECT_EQ(imported.inputs[0].name, "a");
  EXPECT_EQ(run(imported, {ramp({1, 2}), Tensor({DType::kFloat32, {1, 2}})}),
            (std::vector<float>{0, -1}));
}

TEST(OnnxImport, GivesEveryNodeALegalAndSeparateName) {
  ModelBuilder model(13);
  model.input("x y", {1, 2})
      .node("Relu", {"x y"}, {"x?y"})
      .node("Tanh", {"x?y"}, {"x y_2"})
      .output("x y_2");
  EXPECT_NO_THROW(graph::verify(import(model).graph));
}

TEST(OnnxImport, RefusesAConstantWithoutElementsInTheGraph) {
  ModelBuilder model(13);
  model.input("x", {1, 2}).floats("none", {0}, {}).node("Add", {"x", "none"}, {"y"}).output("y");
  EXPECT_EQ(error_of(model),
            "node 'y' (Add): version 13: input 1 ('none') is float[0]: tensors without elements "
            "are not supported");
}

TEST(OnnxImport, LimitsWhatAConstantMayGrowTo) {
  ModelBuilder model(13);
  model.input("x", {1, 2})
      .integers("shape", {1 << 20, 1 << 10})
      .node("ConstantOfShape", {"shape"}, {"zeros"})
      .node("Add", {"x", "zeros"}, {"y"})
      .output("y");
  EXPECT_EQ(error_of(model),
            "node 'zeros' (ConstantOfShape): version 9: a constant of shape [1048576, 1024], "
            "supported are 4194304 elements");
}

}  // namespace
}  // namespace vta::onnx
