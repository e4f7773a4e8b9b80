// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/input_values.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "compiler/import/network.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"

namespace vta::import {
namespace {

using onnx::ElementType;
using onnx::ModelBuilder;
using Shape = std::vector<int64_t>;

Network load(const ModelBuilder& model, const std::vector<std::string>& values,
             const std::vector<std::string>& shapes = {}) {
  const ScratchFolder folder;
  write_file(folder.path() / "model.onnx", model.bytes());
  NetworkOptions options;
  options.input_values = values;
  options.input_shapes = shapes;
  return load_network((folder.path() / "model.onnx").string(), options);
}

std::string refusal(const ModelBuilder& model, const std::vector<std::string>& values) {
  const std::string message = error_in([&] { load(model, values); });
  return message.substr(message.find("--input-value"));
}

// A detector of speech takes its sampling rate: 16000 selects another branch than 8000.
void add_branches_of_a_rate(ModelBuilder& model) {
  ModelBuilder relu(13), sigmoid(13);
  relu.node("Relu", {"x"}, {"r"}).output("r");
  sigmoid.node("Sigmoid", {"x"}, {"r"}).output("r");
  model.input("x", {1, 8}).input("sr", {}, ElementType::kInt64);
  model.constant({"wide", ElementType::kInt64, {}, {16000}}).node("Equal", {"sr", "wide"}, {"c"});
  model.node("If", {"c"}, {"y"}, {{"then_branch", relu.bytes()}, {"else_branch", sigmoid.bytes()}});
  model.output("y");
}

OpKind last_operator(const Network& network) {
  return network.graph.node(network.graph.outputs()[0]).kind;
}

TEST(InputValues, SelectTheBranchOfAnIf) {
  ModelBuilder model(13);
  add_branches_of_a_rate(model);
  EXPECT_EQ(last_operator(load(model, {"sr=16000"})), OpKind::kRelu);
  EXPECT_EQ(last_operator(load(model, {"sr=8000"})), OpKind::kSigmoid);
  EXPECT_EQ(load(model, {"sr=8000"}).graph.inputs().size(), 1U);
}

TEST(InputValues, AreNamedWhereAConstantIsMissing) {
  ModelBuilder model(13);
  add_branches_of_a_rate(model);
  const std::string message = error_in([&] { load(model, {}); });
  EXPECT_TRUE(
      message.ends_with("('c', condition) is not a constant; --input-value sr=N makes it one"))
      << message;
}

TEST(InputValues, ThatAreDataAreNotProposed) {
  ModelBuilder model(13);
  model.input("x", {1, 17})
      .input("n", {1}, ElementType::kInt64)
      .node("TopK", {"x", "n"}, {"v", "i"});
  model.node("Cast", {"x"}, {"sizes"}, {{"to", int64_t{7}}});
  model.node("Reshape", {"x", "sizes"}, {"y"}).output("y");
  EXPECT_EQ(error_in([&] { load(model, {}); }).find("--input-value"), std::string::npos);
}

TEST(InputValues, AreSizesOfAShape) {
  ModelBuilder model(13);
  model.input("x", {2, 6}).input("sizes", {3}, ElementType::kInt64);
  model.node("Reshape", {"x", "sizes"}, {"y"}).output("y");
  const Network network = load(model, {"sizes=2,3,2"});
  EXPECT_EQ(network.graph.node(network.graph.outputs()[0]).type.shape, (Shape{2, 3, 2}));
}

TEST(InputValues, FillAnInput) {
  ModelBuilder model(13);
  model.input("x", {2, 3}).input("gain", {2, 3}).node("Mul", {"x", "gain"}, {"y"}).output("y");
  const Network network = load(model, {"gain=0.5"});
  const graph::Node& product = network.graph.node(network.graph.outputs()[0]);
  const graph::Node& gain = network.graph.node(product.inputs[1]);
  ASSERT_EQ(gain.type.shape, (Shape{2, 3}));
  for (float value : gain.value.data<float>()) EXPECT_EQ(value, 0.5F);
}

TEST(InputValues, GiveTheirNumberToTheOnlyOpenAxis) {
  ModelBuilder model(13);
  model.input("x", {2, 6}).input("sizes", {-1}, ElementType::kInt64);
  model.node("Reshape", {"x", "sizes"}, {"y"}).output("y");
  const Network network = load(model, {"sizes=3,2,2"});
  EXPECT_EQ(network.graph.node(network.graph.outputs()[0]).type.shape, (Shape{3, 2, 2}));
}

TEST(InputValues, ThatDoNotFitAreRefused) {
  ModelBuilder model(13);
  add_branches_of_a_rate(model);
  EXPECT_EQ(refusal(model, {"16000"}),
            "--input-value: expected NAME=VALUE, such as sr=16000, got '16000'");
  EXPECT_EQ(refusal(model, {"rs=1"}),
            "--input-value: the model has no input 'rs'; its inputs: x, sr");
  EXPECT_EQ(refusal(model, {"sr=16e3"}),
            "--input-value sr: expected an integer from -9223372036854775808 to "
            "9223372036854775807 (int64), got '16e3'");
  EXPECT_EQ(refusal(model, {"sr=1,2"}),
            "--input-value sr: expected 1 or 1 values for int64[], got 2");
  EXPECT_EQ(refusal(model, {"x=nan"}), "--input-value x: expected a finite number, got 'nan'");
  ModelBuilder only(13);
  only.input("x", {1, 8}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(only, {"x=1"}), "--input-value x: it is the model's only input");
}

TEST(InputValues, AreOfOnnxModelsOnly) {
  NetworkOptions options;
  options.input_values = {"x=1"};
  EXPECT_EQ(error_in([&] { load_network("digits", options); }).find("--input-value x=1: only"),
            error_in([&] { load_network("digits", options); }).find("--input-value"));
}

}  // namespace
}  // namespace vta::import
