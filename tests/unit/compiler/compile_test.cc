// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <gtest/gtest.h>

#include "compiler/calibration.h"

namespace vta {
namespace {

class CompileTest : public testing::Test {
 protected:
  CompileTest() : network(import::load_network("digits.json")) {
    options.core = load_core_config("vta_1x16");
  }

  std::string error() {
    try {
      compile(network, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  }

  import::Network network;
  CompileOptions options;
};

TEST_F(CompileTest, MakesAProgramThatPassesItsChecks) {
  const CompileResult result = compile(network, options);
  EXPECT_NO_THROW(check(result.program));
  EXPECT_EQ(result.program.network, "digits");
  EXPECT_EQ(result.program.mode, "fused");
  EXPECT_EQ(result.program.quantize, network.default_quantize);
  ASSERT_EQ(result.program.inputs.size(), 1u);
  EXPECT_TRUE(result.program.inputs[0].image.has_value());
  EXPECT_EQ(serialize(parse_program(serialize(result.program), "digits")),
            serialize(result.program));
}

TEST_F(CompileTest, SummarizesEveryLayer) {
  const CompileResult result = compile(network, options);
  size_t on_core = 0;
  for (const LayerSummary& layer : result.layers) {
    const bool core = layer.where == "core";
    on_core += core;
    EXPECT_EQ(core, layer.dram_bytes > 0) << layer.layer;
    EXPECT_EQ(core, !layer.tiles.empty()) << layer.layer;
    if (layer.op == "qconv2d" && core) EXPECT_GT(layer.arithmetic_intensity, 1.0) << layer.layer;
  }
  EXPECT_GE(on_core, 4u);
}

TEST_F(CompileTest, ShowsEachStageInOrder) {
  std::vector<std::string> seen;
  options.on_stage = [&](const std::string& stage, const std::string& text) {
    seen.push_back(stage);
    EXPECT_FALSE(text.empty());
  };
  compile(network, options);
  EXPECT_EQ(seen, stage_names());
}

TEST_F(CompileTest, StopsAfterTheStageAskedFor) {
  std::string last;
  options.on_stage = [&](const std::string& stage, const std::string&) { last = stage; };
  options.stop_after = "quantize";
  const CompileResult result = compile(network, options);
  EXPECT_EQ(last, "quantize");
  EXPECT_TRUE(result.program.steps.empty());
}

TEST_F(CompileTest, RefusesUnknownWordsBeforeItStarts) {
  options.stop_after = "pack";
  EXPECT_NE(error().find("stage 'pack' is not one of import, fold, quantize"), std::string::npos);
  options.stop_after = "";
  options.mode = "fast";
  EXPECT_EQ(error(), "mode 'fast' is not one of fused, compatible");
  options.mode = "fused";
  options.quantize = "median";
  EXPECT_NE(error().find("median"), std::string::npos);
}

TEST_F(CompileTest, IsDeterministic) {
  EXPECT_EQ(serialize(compile(network, options).program),
            serialize(compile(network, options).program));
}

TEST(OwnCalibration, PrefersTheCalibrationFileToTheSample) {
  import::Network network = import::load_network("digits.json");
  EXPECT_GT(own_calibration(network).size(), 1u);
  network.calibration = "";
  EXPECT_EQ(own_calibration(network).size(), 1u);
  network.sample = "";
  EXPECT_TRUE(own_calibration(network).empty());
  network.calibration = "no_such_file.npz";
  EXPECT_THROW(own_calibration(network), Error);
}

}  // namespace
}  // namespace vta
