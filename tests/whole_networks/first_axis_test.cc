// SPDX-License-Identifier: Apache-2.0
//
// The first axis of ONNX models, 1 to 4 long: batch, time, tokens or layers. Random chains of
// operators that keep, mix or move it, compiled in one piece, against the definition of each
// operator on the whole tensor.
#include <gtest/gtest.h>

#include <cmath>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/network_input.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using Shape = std::vector<int64_t>;

std::vector<double> normals(int64_t count, Random& random) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(random.normal());
  return values;
}

import::Network imported(const onnx::ModelBuilder& model) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto path = std::filesystem::path(testing::TempDir()) / (test + ".onnx");
  write_file(path, model.bytes());
  return import::load_network(path.string());
}

CompileResult compiled(const import::Network& network, const std::string& core = "vta_1x16") {
  CompileOptions options;
  options.core = load_core_config(core);
  return compile(network, options);
}

// The signal-to-noise ratio of the program's first output against fp32, in dB.
double ratio_db(const import::Network& network, const Program& program) {
  std::vector<Tensor> inputs;
  for (graph::NodeId id : network.graph.inputs())
    inputs.push_back(host::noise_input(network.graph.node(id).type, inputs.size() + 1));
  quantize::GraphRunner runner(network.graph, quantize::GraphRunner::Results::kOutputs, 1);
  const Tensor right = runner.run(inputs).at(0);
  const auto device = sim::open_functional_device("functional", program.core);
  Session session(program, *device, host::execute);
  const Tensor result = session.run(inputs).at(0);
  EXPECT_EQ(result.shape(), right.shape());
  double signal = 0, noise = 1e-12;
  for (size_t i = 0; i < right.data<float>().size(); ++i) {
    const double difference = result.data<float>()[i] - right.data<float>()[i];
    signal += right.data<float>()[i] * right.data<float>()[i];
    noise += difference * difference;
  }
  return 10 * std::log10(signal / noise);
}

void add_images_of_four(onnx::ModelBuilder& model, Random& random) {
  model.input("x", {4, 3, 16, 16}).output("y");
  model.floats("w", {8, 3, 3, 3}, normals(216, random));
  model.node("Conv", {"x", "w"}, {"y"}, {{"pads", Shape{1, 1, 1, 1}}});
}

TEST(FirstAxis, OfADeclaredBatchIsKeptAndEachRowIsASample) {
  Random random(1);
  onnx::ModelBuilder model;
  add_images_of_four(model, random);
  const import::Network network = imported(model);
  EXPECT_EQ(network.graph.node(network.graph.inputs()[0]).type.shape, (Shape{4, 3, 16, 16}));
  for (const char* core : {"vta_1x16", "vta_4x8"}) {
    const CompileResult result = compiled(network, core);
    EXPECT_EQ(result.program.batch, 4) << core;
    EXPECT_GT(ratio_db(network, result.program), 20) << core;
  }
}

TEST(FirstAxis, OfTimeIsOneSample) {
  Random random(2);
  onnx::ModelBuilder model;
  model.input("x", {12, 1, 8}).output("y");
  model.floats("w", {1, 32, 8}, normals(256, random));
  model.floats("r", {1, 32, 8}, normals(256, random));
  model.node("LSTM", {"x", "w", "r"}, {"all"}, {{"hidden_size", int64_t{8}}});
  model.integers("axis", {1});
  model.node("Squeeze", {"all", "axis"}, {"y"});
  const import::Network network = imported(model);
  EXPECT_EQ(network.graph.node(network.graph.outputs()[0]).type.shape, (Shape{12, 1, 8}));
  const CompileResult result = compiled(network);
  EXPECT_EQ(result.program.batch, 1);
  EXPECT_GT(ratio_db(network, result.program), 8);
}

TEST(FirstAxis, OfStatesAndImagesMayDiffer) {
  Random random(3);
  onnx::ModelBuilder model;
  model.input("x", {1, 8}).input("state", {2, 8}).output("y");
  model.floats("w", {8, 8}, normals(64, random));
  model.node("MatMul", {"x", "w"}, {"now"}).node("Add", {"now", "state"}, {"y"});
  const CompileResult result = compiled(imported(model));
  EXPECT_EQ(result.program.batch, 1);
}

TEST(FirstAxis, OfAVectorMayBeTheOnlyOne) {
  Random random(4);
  onnx::ModelBuilder model;
  model.input("x", {1, 8}).output("y");
  model.floats("w", {8, 4}, normals(32, random)).floats("b", {4}, normals(4, random));
  model.integers("axis", {0}).node("Squeeze", {"x", "axis"}, {"vector"});
  model.node("MatMul", {"vector", "w"}, {"product"}).node("Add", {"product", "b"}, {"y"});
  const import::Network network = imported(model);
  EXPECT_GT(ratio_db(network, compiled(network).program), 15);
}

// Adds a random chain from x [n, 8]; rows stay 8 wide. Returns whether it mixes them.
bool add_random_chain(onnx::ModelBuilder& model, Random& random, int64_t n) {
  bool mixes = false;
  model.input("x", {n, 8}).output("y");
  std::string at = "x";
  const auto named = [&](int64_t step) { return "v" + std::to_string(step); };
  const int64_t steps = random.between(1, 3);
  for (int64_t step = 0; step < steps; ++step) {
    const std::string to = step + 1 == steps ? "y" : named(step), own = named(step);
    const int64_t kind = random.between(0, 4);
    mixes = mixes || (kind >= 2 && n > 1);
    model.floats(own + "w", {8, 8}, normals(64, random));
    switch (kind) {
      case 0:
        model.node("MatMul", {at, own + "w"}, {to});
        break;
      case 1:
        model.node("MatMul", {at, own + "w"}, {own + "m"}).node("Relu", {own + "m"}, {to});
        break;
      case 2:  // attention
        model.node("Transpose", {at}, {own + "t"}).node("MatMul", {at, own + "t"}, {own + "s"});
        model.node("Softmax", {own + "s"}, {own + "p"}).node("MatMul", {own + "p", at}, {to});
        break;
      case 3:
        model.node("ReduceMean", {at}, {own + "a"}, {{"axes", Shape{0}}});
        model.node("Add", {at, own + "a"}, {to});
        break;
      default:
        model.integers(own + "i", [&] {
          std::vector<double> reversed;
          for (int64_t i = n; i > 0; --i) reversed.push_back(static_cast<double>(i - 1));
          return reversed;
        }());
        model.node("Gather", {at, own + "i"}, {to}, {{"axis", int64_t{0}}});
    }
    at = to;
  }
  return mixes;
}

TEST(FirstAxis, OfRandomGraphsIsABatchOnlyIfNoOperatorMixesIt) {
  const auto [begin, end] = support::test_seeds(1, 40);
  for (uint64_t i = begin; i < end; ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(i);
    const int64_t n = random.between(1, 4);
    onnx::ModelBuilder model;
    const bool mixes = add_random_chain(model, random, n);
    const import::Network network = imported(model);
    const graph::Node& output = network.graph.node(network.graph.outputs()[0]);
    EXPECT_EQ(output.type.shape, (Shape{n, 8}));
    const CompileResult result = compiled(network);
    EXPECT_EQ(result.program.batch, mixes ? 1 : n);
    EXPECT_GT(ratio_db(network, result.program), 5);
  }
}

}  // namespace
}  // namespace vta
