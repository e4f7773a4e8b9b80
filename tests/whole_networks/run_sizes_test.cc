// SPDX-License-Identifier: Apache-2.0
//
// Range, Slice, Expand and Reshape whose sizes a run computes, after a convolution on the core:
// from an ONNX model to a program in a file, run by a session.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "compiler/quantize/run_graph.h"
#include "sim/functional/functional_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"
#include "tests/support/noise.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using onnx::Attributes;
using onnx::ElementType;
using onnx::ModelBuilder;

constexpr int64_t kSide = 4, kPixels = kSide * kSide, kChannels = 4;

// rows [16, 4]: the pixels of a convolution's result; n: how many are above 0 in channel 0.
struct CountedRows : ModelBuilder {
  CountedRows() {
    Random random(7);
    std::vector<double> weights;
    for (int64_t i = 0; i < kChannels * 3 * 9; ++i) weights.push_back(0.2 * random.normal());
    input("image", {1, 3, kSide, kSide});
    floats("w", {kChannels, 3, 3, 3}, weights);
    node(
        "Conv", {"image", "w"}, {"map"},
        {{"kernel_shape", std::vector<int64_t>{3, 3}}, {"pads", std::vector<int64_t>{1, 1, 1, 1}}});
    integers("columns.shape", {kChannels, kPixels}).integers("-1", {-1}).integers("0", {0});
    node("Reshape", {"map", "columns.shape"}, {"columns"});
    node("Transpose", {"columns"}, {"rows"}, {{"perm", std::vector<int64_t>{1, 0}}});
    node("Gather", {"columns", "0"}, {"scores"}, {{"axis", int64_t{0}}}).floats("zero", {1}, {0});
    node("Greater", {"scores", "zero"}, {"mask"}).node("NonZero", {"mask"}, {"found"});
    integers("1", {1}).node("Gather", {"found", "1"}, {"places"}, {{"axis", int64_t{0}}});
    node("Shape", {"found"}, {"sizes"}).node("Gather", {"sizes", "1"}, {"n"});
  }
};

std::vector<uint8_t> model_of_four() {
  CountedRows model;
  model.node("Squeeze", {"n", "0"}, {"limit"})
      .constant({.name = "start", .type = ElementType::kInt64, .values = {0}})
      .constant({.name = "delta", .type = ElementType::kInt64, .values = {1}})
      .node("Range", {"start", "limit", "delta"}, {"range"})
      .node("Slice", {"rows", "0", "n"}, {"slice"})
      .floats("row", {1, 4}, {1, 2, 3, 4})
      .node("Concat", {"n", "1"}, {"expand.shape"}, {{"axis", int64_t{0}}})
      .node("Expand", {"row", "expand.shape"}, {"expand"})
      .integers("2", {2})
      .node("Concat", {"n", "2", "-1"}, {"reshape.shape"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"slice", "reshape.shape"}, {"reshape"});
  for (const char* name : {"range", "slice", "expand", "reshape"}) model.output(name);
  return model.bytes();
}

Tensor count(int32_t value) { return {{1}, std::vector<int32_t>{value}}; }

Tensor image(uint64_t seed) { return test::noise({1, 3, kSide, kSide}, seed); }

class RunSizes : public ::testing::Test {
 protected:
  RunSizes() {
    options_.core = load_core_config("vta_1x16");
    for (uint64_t seed = 10; seed < 14; ++seed) options_.calibration.push_back({image(seed)});
    options_.on_pass = [this](const PassResult& pass) {
      if (pass.name == "rebatch") integer_graph_ = pass.graph;
    };
  }

  Program program_of(const std::vector<uint8_t>& model) {
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "model.onnx").string();
    write_file(file, model);
    const Program program = compile(import::load_network(file), options_).program;
    return parse_program(serialize(program), "test");
  }

  CompileOptions options_;
  graph::Graph integer_graph_;
};

TEST_F(RunSizes, OfFourOperatorsAreThoseOfTheReference) {
  const Program program = program_of(model_of_four());
  std::vector<std::string> types;
  for (const auto& output : program.outputs)
    types.push_back(to_string(program.value(output.value).type));
  EXPECT_EQ(types, (std::vector<std::string>{"int32[<=16]", "float32[<=16, 4]", "float32[<=16, 4]",
                                             "float32[<=16, 2, 2]"}));
  const auto device = sim::open_functional_device("functional", options_.core);
  Session session(program, *device, execute);
  std::set<int64_t> sizes;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<Tensor> expected = run_by_reference(integer_graph_, {image(seed)});
    const std::vector<Tensor> found = session.run({image(seed)});
    ASSERT_EQ(found.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(found[i].type(), expected[i].type());
      EXPECT_TRUE(std::ranges::equal(found[i].bytes(), expected[i].bytes()));
      EXPECT_EQ(found[i].dim(0), found[0].dim(0));
    }
    sizes.insert(found[0].dim(0));
  }
  EXPECT_GT(sizes.size(), 1u) << "the sizes of the runs differ";
}

// A limit that is an input, plus a size.
TEST_F(RunSizes, BeyondTheBoundAreErrorsThatNameOperatorSizeAndBound) {
  CountedRows model;
  model.input("more", {1}, ElementType::kInt64)
      .node("Mul", {"n", "0"}, {"nothing"})
      .node("Add", {"more", "nothing"}, {"sum"})
      .node("Squeeze", {"sum", "0"}, {"limit"})
      .constant({.name = "start", .type = ElementType::kInt64, .values = {0}})
      .constant({.name = "delta", .type = ElementType::kInt64, .values = {1}})
      .node("Range", {"start", "limit", "delta"}, {"range"})
      .output("range");
  for (std::vector<Tensor>& inputs : options_.calibration) inputs.push_back(count(5));
  const Program program = program_of(model.bytes());
  const auto device = sim::open_functional_device("functional", options_.core);
  Session session(program, *device, execute);
  EXPECT_EQ(session.run({image(1), count(65536)})[0].dim(0), 65536);
  const Error error = expect_error([&] { session.run({image(1), count(65537)}); });
  EXPECT_STREQ(error.what(), "range.Range: size 65537 is outside 0 to 65536");
}

}  // namespace
}  // namespace vta::test
