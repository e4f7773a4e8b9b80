// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "compiler/calibration.h"
#include "compiler/import/quantized_file.h"
#include "runtime/program/host_work.h"
#include "runtime/program/macs.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

class CompileTest : public testing::Test {
 protected:
  CompileTest() : network(import::load_network("digits.json")) {
    options.core = load_core_config("vta_1x16");
  }

  std::string error() {
    return error_in([&] { compile(network, options); }, ErrorCode::kInvalidArgument);
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

// A division in a quantized model is kept, because a product would change the last bit.
TEST_F(CompileTest, DividesWhereAQuantizedModelDivides) {
  import::Network division;
  division.default_quantize = "global";
  division.graph = graph::from_text(R"(graph g
%x = input() : float32[1, 2, 3, 3]
%scale = constant() : float32[1] = [0.3]
%y = div(%x, %scale) : float32[1, 2, 3, 3]
return %y
)");
  std::string folded;
  options.stop_after = "fold";
  options.on_pass = [&](const PassResult& pass) { folded = pass.text(); };
  compile(division, options);
  EXPECT_NE(folded.find("mul("), std::string::npos) << folded;
  division.is_quantized = true;
  compile(division, options);
  EXPECT_NE(folded.find("div("), std::string::npos) << folded;
}

TEST_F(CompileTest, FreeScalesNeedTheExtensionAndExcludeOtherChoices) {
  options.quantize.scales = quantize::ScaleKind::kFree;
  std::string integer;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "quantize") integer = pass.text();
  };
  const CompileResult result = compile(network, options);
  EXPECT_NE(integer.find("scaled = true"), std::string::npos) << integer;
  EXPECT_EQ(result.program.quantize, "free");
  EXPECT_EQ(macs_of(result.program).on_core, macs_of(result.program).all);
  options.quantize.method = quantize::Method::kMse;
  EXPECT_EQ(error(), "free scales exclude quantize, per-channel and equalize");
  options.quantize.method.reset();
  options.mode = lower::Mode::kCompatible;
  EXPECT_EQ(error(), "free scales need mode fused and a core with the extension");
}

// Also while the noise is measured, which free scales do not have.
TEST_F(CompileTest, FreeScalesReachTheGraph) {
  std::string graph;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "quantize") graph = pass.text();
  };
  options.measure_noise = true;
  EXPECT_TRUE(compile(network, options).noise.has_value());
  const std::string powers_of_two = graph;
  options.quantize.scales = quantize::ScaleKind::kFree;
  EXPECT_FALSE(compile(network, options).noise.has_value());
  EXPECT_NE(graph, powers_of_two);
}

TEST_F(CompileTest, RequantizeNeedsAQuantizedNetwork) {
  options.requantize = true;
  EXPECT_EQ(error(), "digits is not quantized; requantize has no effect");
}

TEST_F(CompileTest, SummarizesEveryLayer) {
  const CompileResult result = compile(network, options);
  size_t on_core = 0;
  for (const LayerSummary& layer : result.layers) {
    const bool core = layer.where == Place::kCore;
    on_core += core;
    EXPECT_EQ(core && layer.tiles != "in place", layer.dram_bytes > 0) << layer.layer;
    EXPECT_EQ(core, !layer.tiles.empty()) << layer.layer;
    if (layer.op == "qconv2d" && core) EXPECT_GT(layer.macs_per_byte, 1.0) << layer.layer;
  }
  EXPECT_GE(on_core, 4u);
}

// Expected: first convolution 9,216, layer1 4 x 147,456, layer2 73,728 and 3 x 147,456, shortcut
// 8,192, dense layer 320.
TEST_F(CompileTest, CountsTheLayersMacsWithoutPadding) {
  const MacSums sums = macs_of(compile(network, options).program);
  EXPECT_EQ(sums.all, 1'123'648u);
  EXPECT_EQ(sums.on_core, sums.all);
  uint64_t layers = 0;
  for (const LayerSummary& layer : compile(network, options).layers) layers += layer.macs;
  EXPECT_EQ(layers, sums.all);
  options.core = load_core_config("vta_4x8");
  EXPECT_EQ(macs_of(compile(network, options).program).all, sums.all) << "of one image";
}

TEST_F(CompileTest, PlacesTheFirstConvolutionAsRequested) {
  options.quantize.method = quantize::Method::kGlobal;  // needs no calibration
  const auto place = [&] {
    const CompileResult result = compile(network, options);
    return std::ranges::find(result.layers, "conv1", &LayerSummary::layer)->where;
  };
  EXPECT_EQ(place(), Place::kCore);
  options.mode = lower::Mode::kCompatible;
  EXPECT_EQ(place(), Place::kHost);
  options.first_convolution = Place::kCore;
  EXPECT_EQ(place(), Place::kCore);
  options.first_convolution.reset();
  network.first_convolution = Place::kCore;
  EXPECT_EQ(place(), Place::kCore);
  options.mode = lower::Mode::kFused;
  network.first_convolution = Place::kHost;
  EXPECT_EQ(place(), Place::kHost);
  options.first_convolution = Place::kCore;
  EXPECT_EQ(place(), Place::kCore);
  options.first_convolution = Place::kHost;
  EXPECT_EQ(place(), Place::kHost);
}

TEST_F(CompileTest, PlacesTheClassifierByTheMode) {
  const auto places = [&] {
    std::map<std::string, Place> where;
    for (const LayerSummary& layer : compile(network, options).layers)
      where[layer.op] = layer.where;
    return where;
  };
  EXPECT_EQ(places().at("qdense"), Place::kCore);
  EXPECT_EQ(places().at("qavg_pool2d"), Place::kCore);
  options.mode = lower::Mode::kCompatible;
  EXPECT_EQ(places().at("qdense"), Place::kHost);
  EXPECT_EQ(places().at("qavg_pool2d"), Place::kCore);
  network = import::load_network("mlp.json");
  const auto layers = compile(network, options).layers;
  EXPECT_EQ(std::ranges::find(layers, "fc2", &LayerSummary::layer)->where, Place::kCore);
  EXPECT_EQ(std::ranges::find(layers, "fc3", &LayerSummary::layer)->where, Place::kHost);
}

TEST_F(CompileTest, SaysWhyALayerIsOnTheHost) {
  const auto reasons = [&] {
    std::map<std::string, std::string> reasons;
    for (const HostWork& work : host_work(compile(network, options).program)) {
      for (const std::string& layer : work.layers) reasons[layer] = to_string(work.reason);
    }
    return reasons;
  };
  using Reasons = std::map<std::string, std::string>;
  EXPECT_EQ(reasons(), Reasons{});
  options.mode = lower::Mode::kCompatible;
  const Reasons compatible = reasons();
  EXPECT_EQ(compatible.at("conv1"), "first_convolution");
  EXPECT_EQ(compatible.at("fc"), "classifier");
  options.mode = lower::Mode::kFused;
  options.quantize.keep_float = {"layer2.1.conv1"};
  EXPECT_EQ(reasons().at("layer2.1.conv1"), "kept_float");
  options.quantize.keep_float = {};
  network.graph = graph::from_text(R"(graph g
%x = input() : float32[1, 16, 3, 3]
%y = tanh(%x) : float32[1, 16, 3, 3]
%z = softmax(%y) {axis = 1} : float32[1, 16, 3, 3]
return %z
)");
  options.quantize.method = quantize::Method::kGlobal;
  EXPECT_EQ(reasons(), (Reasons{{"y", "outside_layers"}, {"z", "no_integer_form"}}));
}

TEST_F(CompileTest, ReportsEachPassInOrder) {
  std::vector<std::string> seen;
  options.on_pass = [&](const PassResult& pass) {
    seen.push_back(pass.name);
    EXPECT_FALSE(pass.text().empty());
  };
  compile(network, options);
  EXPECT_EQ(seen, pass_names());
}

TEST_F(CompileTest, StopsAfterTheRequestedPass) {
  std::string last;
  options.on_pass = [&](const PassResult& pass) { last = pass.name; };
  options.stop_after = "quantize";
  const CompileResult result = compile(network, options);
  EXPECT_EQ(last, "quantize");
  EXPECT_TRUE(result.program.steps.empty());
}

TEST_F(CompileTest, RefusesAnUnknownPassBeforeTheWork) {
  options.stop_after = "tile";
  EXPECT_NE(error().find("pass 'tile' is not one of import, fold, quantize"), std::string::npos);
}

TEST_F(CompileTest, IsDeterministic) {
  EXPECT_EQ(serialize(compile(network, options).program),
            serialize(compile(network, options).program));
}

TEST(OwnCalibration, PrefersTheCalibrationFileToTheSample) {
  import::Network network = import::load_network("digits.json");
  const std::string sample = network.sample;
  EXPECT_GT(own_calibration(network).sets.size(), 1u);
  EXPECT_EQ(own_calibration(network).source, network.calibration);
  network.calibration = "";
  EXPECT_EQ(own_calibration(network).sets.size(), 1u);
  EXPECT_EQ(own_calibration(network).source, sample);
  network.calibration = "no_such_file.npz";
  EXPECT_THROW(own_calibration(network), Error);
}

TEST(OwnCalibration, OfANetworkOfImagesIsAtLeastAnImage) {
  import::Network network = import::load_network("digits.json");
  network.calibration = "";
  network.sample = "";
  EXPECT_EQ(own_calibration(network).source, "samples/landscape.png");
  network.image.reset();
  EXPECT_EQ(own_calibration(network).source, kNoise);
}

TEST_F(CompileTest, ReportsTheCalibrationInputs) {
  options.quantize.method = quantize::Method::kMse;
  network.calibration = "";
  EXPECT_EQ(compile(network, options).calibration, network.sample);
  options.calibration = own_calibration(network).sets;
  EXPECT_EQ(compile(network, options).calibration, "1 image");
  options.quantize.method = quantize::Method::kGlobal;
  EXPECT_EQ(compile(network, options).calibration, "");
}

TEST_F(CompileTest, AQuantizedNetworkIsTheSameFromItsFile) {
  import::Network quantized = network;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "quantize") quantized.graph = pass.graph;
  };
  Program direct = compile(network, options).program;
  const std::vector<uint8_t> bytes = import::to_quantized_file(quantized);
  const import::Network again = import::parse_quantized_file(bytes);
  EXPECT_TRUE(again.is_quantized);
  EXPECT_EQ(import::to_quantized_file(again), bytes);
  EXPECT_EQ(again.labels, network.labels);
  EXPECT_EQ(again.image, network.image);
  options.on_pass = {};
  Program from_file = compile(again, options).program;
  EXPECT_EQ(from_file.quantize, "own");
  from_file.quantize = direct.quantize;
  EXPECT_EQ(from_file.calibration, "");  // a .vtaq file does not say how its scales were chosen
  from_file.calibration = direct.calibration;
  EXPECT_EQ(serialize(from_file), serialize(direct));
  options.quantize.method = quantize::Method::kMax;
  network = again;
  EXPECT_EQ(error(), "digits is quantized already; options of quantization do not apply");
}

TEST_F(CompileTest, RefusesInvalidQuantizedFiles) {
  for (const std::string text : {"", "{}", "graph digits\nreturn %x\n"}) {
    EXPECT_THROW(
        import::parse_quantized_file({reinterpret_cast<const uint8_t*>(text.data()), text.size()}),
        Error);
  }
}

TEST_F(CompileTest, ReportsTheQuantization) {
  options.quantize.method = quantize::Method::kMse;
  options.quantize.rounding = quantize::WeightRounding::kNearest;
  options.quantize.equalize = false;
  options.quantize.keep_float = {"layer2.1.conv1"};
  const CompileResult result = compile(network, options);
  EXPECT_EQ(result.program.quantize, "mse, not equalized, nearest rounding, float layer2.1.conv1");
  for (const LayerSummary& layer : result.layers) {
    if (layer.layer == "layer2.1.conv1") EXPECT_EQ(layer.op, "conv2d");
  }
}

TEST_F(CompileTest, SensitivityNamesEveryIntegerLayer) {
  const quantize::Sensitivity result = measure_sensitivity(network, options);
  EXPECT_GT(result.snr_db, 20);
  EXPECT_EQ(result.num_inputs, 8u);
  ASSERT_EQ(result.layers.size(), 11u);  // all convolutions and the classifier
  EXPECT_EQ(result.layers.front().layer, "conv1");
  double best_gain = 0;
  for (const quantize::LayerSensitivity& layer : result.layers) {
    EXPECT_GT(layer.snr_db, 20) << layer.layer;
    best_gain = std::max(best_gain, layer.gain_db);
  }
  EXPECT_GT(best_gain, 0);
}

}  // namespace
}  // namespace vta
