// SPDX-License-Identifier: Apache-2.0
//
// A detector whose head selects boxes: backbone on the core, NonMaxSuppression and the operators
// after it on the host, with as many rows as the run gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "compiler/quantize/run_graph.h"
#include "sim/functional/functional_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/noise.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using onnx::Attributes;
using onnx::ModelBuilder;

// Also for tests that link no builder of models. VTA_UPDATE_GOLDEN=1 writes it.
constexpr const char* kFile = "tests/onnx/detector.onnx";

constexpr int64_t kSide = 8, kBoxes = kSide * kSide, kClasses = 2, kMaxPerClass = 20;

std::vector<double> random_values(size_t count, double deviation, Random& random) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(deviation * random.normal());
  return values;
}

void add_conv(ModelBuilder& model, const std::string& x, const std::string& y, int64_t in,
              int64_t out, Random& random) {
  model
      .floats(y + ".w", {out, in, 3, 3},
              random_values(static_cast<size_t>(out * in * 9), 0.2, random))
      .node("Conv", {x, y + ".w"}, {y},
            {{"kernel_shape", std::vector<int64_t>{3, 3}},
             {"pads", std::vector<int64_t>{1, 1, 1, 1}}});
}

// As exporters write it: boxes, scores -> NonMaxSuppression -> Gather.
std::vector<uint8_t> detector() {
  Random random(3);
  ModelBuilder model(13);
  model.input("image", {1, 3, kSide, kSide});
  add_conv(model, "image", "c1", 3, 16, random);
  model.node("Relu", {"c1"}, {"r1"});
  add_conv(model, "r1", "c2", 16, 16, random);
  model.node("Relu", {"c2"}, {"r2"});
  add_conv(model, "r2", "box_map", 16, 4, random);
  add_conv(model, "r2", "score_map", 16, kClasses, random);
  model.integers("flat_boxes", {1, 4, kBoxes})
      .integers("flat_scores", {1, kClasses, kBoxes})
      .node("Reshape", {"box_map", "flat_boxes"}, {"columns"})
      .node("Transpose", {"columns"}, {"boxes"}, {{"perm", std::vector<int64_t>{0, 2, 1}}})
      .node("Reshape", {"score_map", "flat_scores"}, {"logits"})
      .node("Sigmoid", {"logits"}, {"scores"})
      .integers("limit", {kMaxPerClass})
      .floats("overlap", {1}, {0.4})
      .floats("threshold", {1}, {0.5})
      .node("NonMaxSuppression", {"boxes", "scores", "limit", "overlap", "threshold"}, {"selected"})
      .integers("two", {2})
      .node("Gather", {"selected", "two"}, {"rows"}, {{"axis", int64_t{1}}})
      .integers("one", {1})
      .node("Squeeze", {"rows", "one"}, {"row"})
      .integers("zero", {0})
      .node("Squeeze", {"boxes", "zero"}, {"all_boxes"})
      .node("Gather", {"all_boxes", "row"}, {"kept"}, {{"axis", int64_t{0}}})
      .floats("size", {4}, {8, 8, 8, 8})
      .node("Mul", {"kept", "size"}, {"pixels"})
      .output("selected")
      .output("pixels");
  return model.bytes();
}

Tensor image(uint64_t seed) { return test::noise({1, 3, kSide, kSide}, seed); }

class OpenOutputs : public ::testing::Test {
 protected:
  OpenOutputs() {
    if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(kFile, detector());
    network_ = import::load_network(kFile);
    options_.core = load_core_config("vta_1x16");
    for (uint64_t seed = 10; seed < 14; ++seed) options_.calibration.push_back({image(seed)});
    options_.on_pass = [&](const PassResult& pass) {
      if (pass.name == "import") float_graph_ = pass.graph;
      if (pass.name == "rebatch") integer_graph_ = pass.graph;
    };
    program_ = compile(network_, options_).program;
  }

  import::Network network_;
  CompileOptions options_;
  graph::Graph float_graph_, integer_graph_;
  Program program_;
};

void expect_equal(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.type(), b.type());
  EXPECT_TRUE(std::ranges::equal(a.bytes(), b.bytes()));
}

TEST_F(OpenOutputs, AreOfTheModelInTheFile) { EXPECT_EQ(read_file(kFile), detector()); }

TEST_F(OpenOutputs, HaveBoundsInTheProgram) {
  ASSERT_EQ(program_.outputs.size(), 2u);
  const auto type = [&](size_t i) {
    return to_string(program_.value(program_.outputs[i].value).type);
  };
  EXPECT_EQ(type(0), "int32[<=40, 3]");
  EXPECT_EQ(type(1), "float32[<=40, 4]");
  for (const ProgramValue& value : program_.values) {
    if (value.on_device) EXPECT_FALSE(value.type.is_open()) << value.name;
  }
}

TEST_F(OpenOutputs, EqualTheReferenceOnTheFunctionalSimulatorInSizeAndBytes) {
  const auto device = sim::open_functional_device("functional", options_.core);
  const Program read = parse_program(serialize(program_), "test");
  Session session(read, *device, execute);
  std::set<int64_t> sizes;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<Tensor> expected = run_by_reference(integer_graph_, {image(seed)});
    const std::vector<Tensor> found = session.run({image(seed)});
    for (size_t i = 0; i < 2; ++i) expect_equal(found[i], expected[i]);
    EXPECT_EQ(found[0].dim(0), found[1].dim(0));
    sizes.insert(found[0].dim(0));
  }
  EXPECT_GT(sizes.size(), 1u) << "the sizes of the runs differ";
}

TEST_F(OpenOutputs, MayHaveNoElement) {
  const auto device = sim::open_functional_device("functional", options_.core);
  for (ProgramStep& step : program_.steps) {
    if (step.op == OpKind::kNonMaxSuppression) step.attrs.min_score = 2;
  }
  Session session(program_, *device, execute);
  const std::vector<Tensor> found = session.run({image(1)});
  EXPECT_EQ(found[0].shape(), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(found[1].shape(), (std::vector<int64_t>{0, 4}));
}

TEST_F(OpenOutputs, OfTheFp32NetworkAreExact) {
  quantize::GraphRunner runner(float_graph_, quantize::GraphRunner::Results::kOutputs);
  const std::vector<Tensor> found = runner.run({image(1)});
  const auto rows = found[0].data<int32_t>();
  ASSERT_GT(rows.size(), 0u);
  EXPECT_LT(found[0].dim(0), 2 * kMaxPerClass + 1);
  for (size_t i = 0; i < rows.size(); i += 3) {
    EXPECT_EQ(rows[i], 0);
    EXPECT_TRUE(rows[i + 1] >= 0 && rows[i + 1] < kClasses);
    EXPECT_TRUE(rows[i + 2] >= 0 && rows[i + 2] < kBoxes);
  }
}

}  // namespace
}  // namespace vta::test
