// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/open_sizes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "compiler/import/network.h"
#include "compiler/onnx/batch_axis.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"

namespace vta::import {
namespace {

using onnx::ModelBuilder;
using Shape = std::vector<int64_t>;

// Models of x [N, 8] and their output y.
using Body = void (*)(ModelBuilder&);

std::vector<double> numbers(int64_t count) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i % 7) - 3);
  return values;
}

void multiply(ModelBuilder& model) {
  model.floats("w", {8, 8}, numbers(64)).node("MatMul", {"x", "w"}, {"m"});
  model.node("Softmax", {"m"}, {"y"}, {{"axis", int64_t{1}}});
}

// Adds a state of zeros, [N, 8], of the size that the run gives.
void add_zeros(ModelBuilder& model) {
  model.node("Shape", {"x"}, {"s"}).integers("first", {0}).integers("eight", {8});
  model.node("Gather", {"s", "first"}, {"n"});
  model.node("Concat", {"n", "eight"}, {"sizes"}, {{"axis", int64_t{0}}});
  model.node("ConstantOfShape", {"sizes"}, {"zeros"}).node("Add", {"x", "zeros"}, {"y"});
}

// Flattens rows and time, as exporters do for a dense layer: [N, 8] -> [N * 4, 2] -> [N, 8].
void fold_and_unfold(ModelBuilder& model) {
  model.integers("flat", {-1, 2}).integers("back", {-1, 8}).floats("w", {2, 2}, numbers(4));
  model.node("Reshape", {"x", "flat"}, {"f"}).node("MatMul", {"f", "w"}, {"m"});
  model.node("Reshape", {"m", "back"}, {"y"});
}

void average_rows(ModelBuilder& model) {
  model.node("ReduceMean", {"x"}, {"mean"}, {{"axes", Shape{0}}});
  model.node("Sub", {"x", "mean"}, {"y"});
}

void attend(ModelBuilder& model) {
  model.node("Transpose", {"x"}, {"t"}).node("MatMul", {"x", "t"}, {"s"});
  model.node("Softmax", {"s"}, {"p"}).node("MatMul", {"p", "x"}, {"y"});
}

void step_through(ModelBuilder& model) {  // x is time, [N, 8]
  model.integers("batch", {-1, 1, 8}).node("Reshape", {"x", "batch"}, {"steps"});
  model.floats("w", {1, 32, 8}, numbers(256)).floats("r", {1, 32, 8}, numbers(256));
  model.node("LSTM", {"steps", "w", "r"}, {"y"}, {{"hidden_size", int64_t{8}}});
}

void sum_up(ModelBuilder& model) {
  model.constant({"axis", onnx::ElementType::kInt64, {}, {0}});
  model.node("CumSum", {"x", "axis"}, {"y"});
}

void take_last(ModelBuilder& model) {
  model.integers("last", {-1}).node("Gather", {"x", "last"}, {"y"}, {{"axis", int64_t{0}}});
}

void add_positions(ModelBuilder& model) {  // of five tokens
  model.floats("table", {5, 8}, numbers(40)).node("Add", {"x", "table"}, {"y"});
}

void take_first(ModelBuilder& model) {
  model.integers("first", {0}).node("Gather", {"x", "first"}, {"y"}, {{"axis", int64_t{0}}});
}

void join_rows(ModelBuilder& model) {
  model.integers("one", {1, -1}).node("Reshape", {"x", "one"}, {"y"});
}

constexpr Body kOfRows[] = {multiply, add_zeros, fold_and_unfold, join_rows};
constexpr Body kAcross[] = {average_rows, attend, step_through, sum_up, take_last, add_positions};

class OpenSizes : public testing::Test {
 protected:
  Network load(const ModelBuilder& model, const NetworkOptions& options = {}) const {
    write_file(folder_.path() / "model.onnx", model.bytes());
    return load_network((folder_.path() / "model.onnx").string(), options);
  }

  // Loads a model of x [`name`, 8].
  Network load(Body body, const std::string& name, const NetworkOptions& options = {}) const {
    ModelBuilder model;
    model.input("x", {1, 8}).axis_name("x", 0, name).output("y");
    body(model);
    return load(model, options);
  }

  template <typename... Arguments>
  std::string error(const Arguments&... arguments) const {
    return error_in([&] { load(arguments...); });
  }

  const ScratchFolder folder_;
};

Shape input_shape(const Network& network, size_t index = 0) {
  return network.graph.node(network.graph.inputs().at(index)).type.shape;
}

NetworkOptions with_batch_axes(std::vector<std::string> axes) {
  NetworkOptions options;
  options.batch_axes = std::move(axes);
  return options;
}

NetworkOptions with_shapes(std::vector<std::string> shapes) {
  NetworkOptions options;
  options.input_shapes = std::move(shapes);
  return options;
}

TEST(BatchNames, AreThoseThatExportersGiveToBatches) {
  for (const char* name :
       {"N", "n", "B", "batch", "Batch", "batch_size", "batchSize", "batch_size_1", "BATCH_SIZE",
        "None", "?", "batch_axis", "input.batch", "nbatch"})
    EXPECT_TRUE(onnx::is_batch_name(name, 0)) << name;
  for (const char* name : {"T", "time", "seq_len", "batch_sequence", "tokens", "s0", "unk__7", "L",
                           "2*batch", "batch + 1", "num_detections", "", "height"})
    EXPECT_FALSE(onnx::is_batch_name(name, 0)) << name;
  EXPECT_TRUE(onnx::is_batch_name("batch_size", 1)) << "of states";
  EXPECT_FALSE(onnx::is_batch_name("N", 1)) << "of boxes, points, ...";
}

TEST_F(OpenSizes, OfAFirstAxisWithTheNameOfABatchIsOne) {
  for (const char* name : {"N", "batch_size"}) {
    for (Body body : kOfRows) EXPECT_EQ(input_shape(load(body, name)), (Shape{1, 8}));
    for (Body body : kAcross) EXPECT_EQ(input_shape(load(body, name)), (Shape{1, 8}));
  }
}

TEST_F(OpenSizes, OfAFirstAxisWithAnotherNameIsOneOnlyIfItIsProvenToBeABatch) {
  for (const char* name : {"T", "tokens", "s0", "unk__7"}) {
    for (Body body : kOfRows) EXPECT_EQ(input_shape(load(body, name)), (Shape{1, 8}));
    for (Body body : kAcross) {
      const std::string text = error(body, name);
      EXPECT_NE(text.find(fmt::format("axis 0 ('{}') of input 'x'", name)), text.npos) << text;
      EXPECT_NE(text.find("--batch-axis x=0"), text.npos) << text;
      EXPECT_NE(text.find("--input-shape x=Nx8"), text.npos) << text;
    }
    EXPECT_NE(error(take_first, name), "");
  }
  EXPECT_NE(error(average_rows, "T").find("'mean' (reduce_mean) combines its positions"),
            std::string::npos)
      << error(average_rows, "T");
}

TEST_F(OpenSizes, OfANamelessFirstAxisIsOneUnlessAnOperatorComputesAcrossIt) {
  for (Body body : kOfRows) EXPECT_EQ(input_shape(load(body, "")), (Shape{1, 8}));
  EXPECT_EQ(input_shape(load(take_first, "")), (Shape{1, 8}));
  for (Body body : kAcross)
    EXPECT_NE(error(body, "").find("axis 0 of input 'x' has no known size"), std::string::npos);
}

TEST_F(OpenSizes, MayBeGivenByTheUser) {
  for (Body body : kAcross) {
    EXPECT_EQ(input_shape(load(body, "T", with_batch_axes({"0"}))), (Shape{1, 8}));
    EXPECT_EQ(input_shape(load(body, "T", with_batch_axes({"x=0"}))), (Shape{1, 8}));
    EXPECT_EQ(input_shape(load(body, "T", with_shapes({"x=5x8"}))), (Shape{5, 8}));
    EXPECT_EQ(input_shape(load(body, "batch", with_shapes({"5x8"}))), (Shape{5, 8}));
  }
}

void add_states(ModelBuilder& model) {
  model.input("x", {1, 1, 8}).axis_name("x", 0, "time").axis_name("x", 1, "batch");
  model.input("h", {1, 1, 8}).axis_name("h", 1, "batch");
  model.floats("w", {1, 32, 8}, numbers(256)).floats("r", {1, 32, 8}, numbers(256));
  model.node("LSTM", {"x", "w", "r", "", "", "h"}, {"y"}, {{"hidden_size", int64_t{8}}});
  model.output("y");
}

TEST_F(OpenSizes, OfABatchThatIsNotTheFirstAxisAreOneToo) {
  ModelBuilder states;
  add_states(states);
  const std::string text = error(states);
  EXPECT_NE(text.find("axis 0 ('time') of input 'x'"), text.npos) << text;
  const Network network = load(states, with_shapes({"x=6x1x8"}));
  EXPECT_EQ(input_shape(network, 0), (Shape{6, 1, 8}));
  EXPECT_EQ(input_shape(network, 1), (Shape{1, 1, 8}));
  ModelBuilder odd;
  add_states(odd);
  odd.axis_name("x", 1, "lanes").axis_name("h", 1, "lanes");
  const std::string missing = error(odd, with_shapes({"x=6x1x8"}));
  EXPECT_NE(missing.find("axis 1 ('lanes') of the network's input has no known size: give it with "
                         "--batch-axis h=1 (a batch) or --input-shape h=1xNx8"),
            missing.npos)
      << missing;
  NetworkOptions both = with_shapes({"x=6x1x8"});
  both.batch_axes = {"h=1"};
  EXPECT_EQ(input_shape(load(odd, both), 1), (Shape{1, 1, 8}));
}

TEST_F(OpenSizes, OfADeclaredBatchMayBeConfirmed) {
  ModelBuilder rows, mixed;
  multiply(rows.input("x", {4, 8}).output("y"));
  average_rows(mixed.input("x", {4, 8}).output("y"));
  EXPECT_EQ(input_shape(load(rows, with_batch_axes({"0"}))), (Shape{4, 8}));
  const std::string text = error(mixed, with_batch_axes({"0"}));
  EXPECT_NE(text.find("--batch-axis 0: operator 'mean' (reduce_mean) combines the 4 positions"),
            text.npos)
      << text;
  EXPECT_EQ(input_shape(load(mixed)), (Shape{4, 8}));
}

TEST_F(OpenSizes, OfADeclaredBatchAreThoseOfEveryInput) {
  ModelBuilder odd;
  odd.input("x", {4, 8}).input("h", {3, 8}).output("y").output("z");
  odd.node("Relu", {"x"}, {"y"}).node("CumSum", {"h", "axis"}, {"z"});
  odd.constant({"axis", onnx::ElementType::kInt64, {}, {0}});
  const std::string text = error(odd, with_batch_axes({"0"}));
  EXPECT_NE(text.find("--batch-axis 0: input 'h' is float32[3, 8], expected 4 samples on its first "
                      "axis as of input 'x'"),
            text.npos)
      << text;
}

TEST_F(OpenSizes, OfWrongTextsAreRefusedByName) {
  const std::map<std::string, std::string> axes = {
      {"first", "expected AXIS or NAME=AXIS"},
      {"8", "from 0 to 7"},
      {"-1", "from 0 to 7"},
      {"z=0", "the model has no input 'z'"},
      {"2", "the inputs have no axis 2"},
      {"x=2", "the input has no axis 2"},
      {"1", "axis 1 of input 'x' has the declared size 8"}};
  for (const auto& [text, message] : axes) {
    const std::string got = error(multiply, "T", with_batch_axes({text}));
    EXPECT_NE(got.find(message), got.npos) << text << ": " << got;
  }
  const std::map<std::string, std::string> shapes = {{"x=", "expected up to 8 sizes"},
                                                     {"x=3x", "expected up to 8 sizes"},
                                                     {"x=0x8", "expected up to 8 sizes"},
                                                     {"z=1x8", "the model has no input 'z'"},
                                                     {"x=1x7", "input 'x' is [?, 8], got [1, 7]"},
                                                     {"12", "input 'x' is [?, 8], got [12]"}};
  for (const auto& [text, message] : shapes) {
    const std::string got = error(multiply, "T", with_shapes({text}));
    EXPECT_NE(got.find(message), got.npos) << text << ": " << got;
  }
  EXPECT_THROW(load_network("digits", with_batch_axes({"0"})), Error);
  EXPECT_THROW(load_network("digits", with_shapes({"1x1x8x8"})), Error);
}

}  // namespace
}  // namespace vta::import
