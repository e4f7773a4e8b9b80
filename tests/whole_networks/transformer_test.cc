// SPDX-License-Identifier: Apache-2.0
//
// A small vision transformer as an ONNX model, in int8: its matrix products run on the core, with
// the bytes of the integer reference on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/program/macs.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/noise.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using onnx::Attributes;
using onnx::ModelBuilder;

constexpr int64_t kTokens = 17, kWidth = 32, kHeads = 2, kHeadWidth = kWidth / kHeads;
constexpr int kBlocks = 2;

// Patches of 4x4 pixels of an image of 16x16 and a class token, pre-norm blocks of attention and a
// perceptron, as in An Image is Worth 16x16 Words (Dosovitskiy et al., 2021).
class SmallTransformer {
 public:
  SmallTransformer() {
    model_.input("image", {1, 3, 16, 16});
    std::string x = embedded();
    for (int i = 0; i < kBlocks; ++i) x = block(x);
    model_.integers("first_token", {0});
    const std::string token = node("Gather", {norm(x), "first_token"}, {{"axis", int64_t{1}}});
    model_.integers("flat", {1, kWidth});
    rename(linear(node("Reshape", {token, "flat"}), kWidth, 10), "scores");
    model_.output("scores");
  }
  std::vector<uint8_t> bytes() const { return model_.bytes(); }

 private:
  std::string new_name(const std::string& what) { return fmt::format("{}{}", what, counter_++); }

  std::string node(const std::string& op, const onnx::Names& inputs, const Attributes& attrs = {}) {
    const std::string result = new_name(op);
    model_.node(op, inputs, {result}, attrs);
    return result;
  }
  void rename(const std::string& value, const std::string& name) {
    model_.node("Identity", {value}, {name});
  }

  std::string constant(std::vector<int64_t> shape, double deviation, double mean = 0) {
    const auto elems = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies());
    std::vector<double> values;
    for (int64_t i = 0; i < elems; ++i) values.push_back(mean + deviation * random_.normal());
    const std::string name = new_name("constant");
    model_.floats(name, shape, values);
    return name;
  }
  std::string shape(std::vector<double> values) {
    const std::string name = new_name("shape");
    model_.integers(name, values);
    return name;
  }

  std::string linear(const std::string& x, int64_t in, int64_t out) {
    const double deviation = 1.5 / std::sqrt(static_cast<double>(in));
    const std::string product = node("MatMul", {x, constant({in, out}, deviation)});
    return node("Add", {product, constant({out}, 0.1)});
  }
  std::string norm(const std::string& x) {
    return node("LayerNormalization", {x, constant({kWidth}, 0.1, 1), constant({kWidth}, 0.1)},
                {{"axis", int64_t{-1}}});
  }

  std::string embedded() {
    const std::vector<int64_t> four = {4, 4};
    const std::string patches =
        node("Conv", {"image", constant({kWidth, 3, 4, 4}, 0.2), constant({kWidth}, 0.1)},
             {{"kernel_shape", four}, {"strides", four}});
    const std::string rows =
        node("Transpose", {node("Reshape", {patches, shape({1, kWidth, kTokens - 1})})},
             {{"perm", std::vector<int64_t>{0, 2, 1}}});
    const std::string tokens =
        node("Concat", {constant({1, 1, kWidth}, 1), rows}, {{"axis", int64_t{1}}});
    return node("Add", {tokens, constant({1, kTokens, kWidth}, 0.3)});
  }

  std::string attention(const std::string& x) {
    const std::string heads = node("Transpose",
                                   {node("Reshape", {linear(x, kWidth, 3 * kWidth),
                                                     shape({1, kTokens, 3, kHeads, kHeadWidth})})},
                                   {{"perm", std::vector<int64_t>{2, 0, 3, 1, 4}}});
    const auto part = [&](double i) {
      const std::string index = new_name("index");
      model_.constant({index, onnx::ElementType::kInt64, {}, {i}});
      return node("Gather", {heads, index}, {{"axis", int64_t{0}}});
    };
    const std::string q = part(0), k = part(1), v = part(2);
    const std::string factor = new_name("factor");
    model_.floats(factor, {}, {1 / std::sqrt(static_cast<double>(kHeadWidth))});
    const std::string turned = node("Transpose", {k}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
    const std::string shares = node("Softmax", {node("MatMul", {node("Mul", {q, factor}), turned})},
                                    {{"axis", int64_t{-1}}});
    const std::string together = node("Transpose", {node("MatMul", {shares, v})},
                                      {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
    return linear(node("Reshape", {together, shape({1, kTokens, kWidth})}), kWidth, kWidth);
  }

  std::string block(const std::string& x) {
    const std::string attended = node("Add", {x, attention(norm(x))});
    const std::string wide = node("Gelu", {linear(norm(attended), kWidth, 2 * kWidth)});
    return node("Add", {attended, linear(wide, 2 * kWidth, kWidth)});
  }

  ModelBuilder model_{20};
  Random random_{1};
  int counter_ = 0;
};

Tensor random_images(uint64_t seed, int64_t count) { return test::noise({count, 3, 16, 16}, seed); }

class SmallTransformerOnTheCore : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = folder_.path() / "transformer.onnx";
    write_file(path, SmallTransformer().bytes());
    network_ = import::load_network(path.string());
    for (uint64_t seed = 10; seed < 14; ++seed)
      options_.calibration.push_back({random_images(seed, 1)});
  }

  void compile_for(const std::string& core, lower::Mode mode = lower::Mode::kFused) {
    options_.core = load_core_config(core);
    options_.mode = mode;
    options_.on_pass = [&](const PassResult& pass) {
      if (pass.name == "import") float_graph_ = pass.graph;
      if (pass.name == "rebatch") integer_graph_ = pass.graph;
    };
    result_ = compile(network_, options_);
  }

  Tensor images(uint64_t seed) const { return random_images(seed, options_.core.batch); }

  void expect_reference_on(driver::Device& device) {
    SCOPED_TRACE(fmt::format("{} {}", device.describe().uri, options_.core.name));
    check_streams(result_.program);
    Session session(result_.program, device, execute);
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      const Tensor expected = run_by_reference(integer_graph_, {images(seed)}).at(0);
      const Tensor scores = session.run({images(seed)}).at(0);
      EXPECT_TRUE(std::ranges::equal(scores.bytes(), expected.bytes())) << "images " << seed;
    }
  }

  int count_products_on_core() const {
    return static_cast<int>(std::ranges::count_if(result_.program.steps, [](const auto& step) {
      return step.op == OpKind::kQMatmul && step.kind == ProgramStep::Kind::kCore;
    }));
  }

  ScratchFolder folder_;
  import::Network network_;
  CompileOptions options_;
  CompileResult result_;
  graph::Graph float_graph_, integer_graph_;
};

TEST_F(SmallTransformerOnTheCore, LeavesNoProductsToTheHost) {
  compile_for("vta_1x16");
  const MacSums macs = macs_of(result_.program);
  EXPECT_EQ(macs.on_core, macs.all);
  EXPECT_EQ(count_products_on_core(), 2 * kBlocks);
}

TEST_F(SmallTransformerOnTheCore, EqualsTheReferenceOnEveryCoreInEveryMode) {
  for (const std::string& core : installed_core_names()) {
    for (const lower::Mode mode : {lower::Mode::kFused, lower::Mode::kCompatible}) {
      compile_for(core, mode);
      expect_reference_on(*sim::open_functional_device("functional", options_.core));
    }
  }
}

TEST_F(SmallTransformerOnTheCore, EqualsTheReferenceWithFreeScales) {
  options_.quantize.scales = quantize::ScaleKind::kFree;
  compile_for("vta_1x16");
  EXPECT_EQ(count_products_on_core(), 2 * kBlocks);
  expect_reference_on(*sim::open_functional_device("functional", options_.core));
}

TEST_F(SmallTransformerOnTheCore, EqualsTheReferenceOnEveryDevice) {
  compile_for("tiny_1x8");
  expect_reference_on(*sim::open_functional_device("functional", options_.core));
  expect_reference_on(*sim::open_cycle_device("cycle", options_.core));
  expect_reference_on(*sim::open_rtl_device("rtl", options_.core));
}

// The ratio of signal to the noise of quantization.
TEST_F(SmallTransformerOnTheCore, StaysCloseToFp32) {
  for (const auto scales : {quantize::ScaleKind::kPowerOfTwo, quantize::ScaleKind::kFree}) {
    options_.quantize.scales = scales;
    compile_for("vta_1x16");
    double signal = 0, noise = 0;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      const Tensor exact = quantize::run_graph(float_graph_, {images(seed)}).at(0);
      const Tensor scores = run_by_reference(integer_graph_, {images(seed)}).at(0);
      for (size_t i = 0; i < exact.data<float>().size(); ++i) {
        const double x = exact.data<float>()[i], difference = scores.data<float>()[i] - x;
        signal += x * x;
        noise += difference * difference;
      }
    }
    EXPECT_GT(10 * std::log10(signal / noise), 15) << static_cast<int>(scales);
  }
}

}  // namespace
}  // namespace vta::test
