// SPDX-License-Identifier: Apache-2.0
//
// Attention of a model quantized elsewhere, with zero points and a head of values that all heads
// share: both products run on the core, with the bytes of the integer reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "runtime/program/macs.h"
#include "runtime/session/session.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

constexpr int64_t kHeads = 3, kTokens = 19, kWidth = 24;

// A uint8 tensor's scale and zero point.
struct Levels {
  double scale;
  double zero;
};

class QuantizedAttention {
 public:
  QuantizedAttention() {
    model_.input("q", {1, kHeads, kTokens, kWidth}).input("k", {1, kHeads, kWidth, kTokens});
    model_.input("v", {1, 1, kTokens, kWidth});
    model_.node("MatMul", {rounded("q", {0.03, 131}), rounded("k", {0.025, 118})}, {"scores"});
    model_.node("Softmax", {rounded("scores", {0.2, 127})}, {"shares"}, {{"axis", int64_t{-1}}});
    model_.node("MatMul", {rounded("shares", {1.0 / 255, 0}), rounded("v", {0.02, 140})}, {"sums"});
    model_.node("Identity", {rounded("sums", {0.02, 129})}, {"y"}).output("y");
  }
  std::vector<uint8_t> bytes() const { return model_.bytes(); }

 private:
  std::string rounded(const std::string& x, const Levels& levels) {
    model_.floats(x + "_s", {}, {levels.scale});
    model_.constant({x + "_z", onnx::ElementType::kUint8, {}, {levels.zero}});
    model_.node("QuantizeLinear", {x, x + "_s", x + "_z"}, {x + "_q"});
    model_.node("DequantizeLinear", {x + "_q", x + "_s", x + "_z"}, {x + "_r"});
    return x + "_r";
  }

  onnx::ModelBuilder model_{13};
};

class QuantizedAttentionOnTheCore : public testing::Test {
 protected:
  QuantizedAttentionOnTheCore() {
    write_file(folder_ / "attention.onnx", QuantizedAttention().bytes());
    network_ = import::load_network(folder_ / "attention.onnx");
  }

  void compile_for(const std::string& core, lower::Mode mode) {
    options_.core = load_core_config(core);
    options_.mode = mode;
    options_.on_pass = [&](const PassResult& pass) {
      if (pass.name == "rebatch") integer_graph_ = pass.graph;
    };
    program_ = compile(network_, options_).program;
  }

  void expect_reference_on(driver::Device& device) {
    SCOPED_TRACE(fmt::format("{} {} {}", device.describe().uri, options_.core.name,
                             to_string(options_.mode)));
    check_streams(program_);
    Session session(program_, device, execute);
    std::vector<Tensor> inputs;
    for (const ProgramInput& input : program_.inputs) {
      Tensor& x = inputs.emplace_back(program_.value(input.value).type);
      for (float& value : x.mutable_data<float>()) value = static_cast<float>(random_.normal());
    }
    const Tensor expected = run_by_reference(integer_graph_, inputs).at(0);
    const Tensor result = session.run(inputs).at(0);
    EXPECT_TRUE(std::ranges::equal(result.bytes(), expected.bytes()));
  }

  const ScratchFolder folder_;
  import::Network network_;
  CompileOptions options_;
  Program program_;
  graph::Graph integer_graph_;
  Random random_{1};
};

TEST_F(QuantizedAttentionOnTheCore, LeavesNoProductsToTheHost) {
  compile_for("vta_1x16", lower::Mode::kFused);
  EXPECT_EQ(macs_of(program_).on_core, macs_of(program_).all);
  EXPECT_EQ(macs_of(program_).all, uint64_t{2 * kHeads * kTokens * kTokens * kWidth});
}

TEST_F(QuantizedAttentionOnTheCore, EqualsTheReferenceOnEveryCore) {
  for (const std::string& core : installed_core_names()) {
    compile_for(core, lower::Mode::kFused);
    expect_reference_on(*sim::open_functional_device("functional", options_.core));
  }
}

TEST_F(QuantizedAttentionOnTheCore, EqualsTheReferenceOnTheCycleModel) {
  for (const char* core : {"tiny_1x8", "vta_1x16"}) {
    compile_for(core, lower::Mode::kFused);
    expect_reference_on(*sim::open_cycle_device("cycle", options_.core));
  }
}

}  // namespace
}  // namespace vta::test
