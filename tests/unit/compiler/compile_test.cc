// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

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

// Also while the noise is measured, which names the same layers.
TEST_F(CompileTest, FreeScalesReachTheGraph) {
  std::string graph;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "quantize") graph = pass.text();
  };
  options.measure_noise = true;
  const quantize::Sensitivity shifts = compile(network, options).noise.value();
  const std::string powers_of_two = graph;
  options.quantize.scales = quantize::ScaleKind::kFree;
  const quantize::Sensitivity free = compile(network, options).noise.value();
  EXPECT_NE(graph, powers_of_two);
  EXPECT_GT(free.snr_db, shifts.snr_db);
  ASSERT_EQ(free.layers.size(), shifts.layers.size());
  for (size_t i = 0; i < free.layers.size(); ++i) {
    EXPECT_EQ(free.layers[i].layer, shifts.layers[i].layer);
    EXPECT_GT(free.layers[i].snr_db, 20) << free.layers[i].layer;
  }
}

TEST_F(CompileTest, TrainedWeightsAndSixteenInputsHaveFreeScales) {
  options.stop_after = "quantize";
  const auto sets = own_calibration(network).sets;
  options.calibration.assign(sets.begin(), sets.begin() + 16);
  const auto is_free = [&](const CompileOptions& how) {
    CompileOptions whole = how;
    bool has_factors = false;
    whole.on_pass = [&](const PassResult& pass) {
      has_factors = pass.text().find("scaled = true") != std::string::npos;
    };
    compile(network, whole);
    return has_factors;
  };
  EXPECT_TRUE(is_free(options));
  const auto with = [&](auto change) {
    CompileOptions changed = options;
    change(changed);
    return is_free(changed);
  };
  EXPECT_TRUE(with([](auto& how) { how.quantize.rounding = quantize::WeightRounding::kNearest; }));
  EXPECT_TRUE(with([](auto& how) { how.quantize.scales = quantize::ScaleKind::kAuto; }));
  EXPECT_FALSE(with([](auto& how) { how.quantize.scales = quantize::ScaleKind::kPowerOfTwo; }));
  EXPECT_FALSE(with([](auto& how) { how.quantize.method = quantize::Method::kMse; }));
  EXPECT_FALSE(with([](auto& how) { how.quantize.per_channel = false; }));
  EXPECT_FALSE(with([](auto& how) { how.quantize.equalize = true; }));
  EXPECT_FALSE(with([](auto& how) { how.quantize.keep_float = {"auto:20"}; }));
  EXPECT_FALSE(with([](auto& how) { how.mode = lower::Mode::kCompatible; }));
  EXPECT_FALSE(with([](auto& how) { how.calibration.pop_back(); }));
  network.has_synthetic_weights = true;
  EXPECT_FALSE(is_free(options));
}

TEST_F(CompileTest, CountsTheImagesOfABatch) {
  import::Network batch;
  batch.default_quantize = "mse";
  batch.graph = graph::from_text(R"(graph g
%x = input() : float32[4, 2, 1, 1]
%w = constant() : float32[2, 2, 1, 1] = [0.3, 0.4, -0.7, 0.2]
%y = conv2d(%x, %w) {kernel = [1, 1]} : float32[4, 2, 1, 1]
return %y
)");
  const std::vector<float> pixels = {1, -0.9F, 0.8F, -0.7F, 0.6F, 0.5F, -0.4F, 0.3F};
  options.calibration.assign(4, {Tensor({4, 2, 1, 1}, pixels)});
  EXPECT_EQ(compile(batch, options).program.quantize, "free");
  EXPECT_EQ(compile(batch, options).calibration, "16 images");
  options.calibration.pop_back();
  EXPECT_EQ(compile(batch, options).program.quantize, "mse");
}

// A convolution, `activation` of its result %a, and another convolution.
import::Network network_with(const std::string& activation) {
  import::Network network;
  network.default_quantize = "mse";
  network.graph = graph::from_text(fmt::format(R"(graph g
%x = input() : float32[1, 2, 3, 3]
%w = constant() : float32[2, 2, 1, 1] = [0.3, 0.4, -0.7, 0.2]
%a = conv2d(%x, %w) {{kernel = [1, 1]}} : float32[1, 2, 3, 3]
%b = {} : float32[1, 2, 3, 3]
%y = conv2d(%b, %w) {{kernel = [1, 1]}} : float32[1, 2, 3, 3]
return %y
)",
                                               activation));
  return network;
}

std::vector<std::vector<Tensor>> inputs_of_network_with() {
  std::vector<std::vector<Tensor>> inputs;
  for (float unit = 1; inputs.size() < 16; unit /= 2) {
    Tensor x(TensorType{DType::kFloat32, {1, 2, 3, 3}});
    for (float& value : x.mutable_data<float>()) value = unit *= -0.9F;
    inputs.push_back({std::move(x)});
  }
  return inputs;
}

// Free scales would cost gates and products cycles or accuracy.
TEST_F(CompileTest, GatesAndProductsKeepPowersOfTwo) {
  options.calibration = inputs_of_network_with();
  for (const std::string activation : {"relu(%a)", "leaky_relu(%a) {alpha = 0.1}", "hard_swish(%a)",
                                       "hard_sigmoid(%a)", "mul(%a, %a)"}) {
    EXPECT_EQ(compile(network_with(activation), options).program.quantize,
              activation.find("relu") == std::string::npos ? "mse" : "free")
        << activation;
  }
}

// The host computes it with both kinds of scales.
TEST_F(CompileTest, AProductAfterTheLastLayerDoesNotChooseTheScales) {
  options.calibration = inputs_of_network_with();
  import::Network network = network_with("relu(%a)");
  const graph::NodeId y = network.graph.outputs().at(0);
  network.graph.set_outputs({network.graph.add(OpKind::kMul, "z", {y, y})});
  EXPECT_EQ(compile(network, options).program.quantize, "free");
}

// The callback stands for the refusals.
TEST_F(CompileTest, RefusedPowersOfTwoGiveWayToFreeScales) {
  options.calibration = inputs_of_network_with();
  options.quantize.rounding = quantize::WeightRounding::kNearest;
  const import::Network swish = network_with("hard_swish(%a)");
  int refusals = 0, most = 1;
  options.on_progress = [&](const std::string& what, double fraction) {
    if (what != "quantize" || fraction == 0 || refusals == most) return;
    fail(ErrorCode::kUnsupported, "refusal {}", ++refusals);
  };
  EXPECT_EQ(compile(swish, options).program.quantize, "free, nearest rounding");
  refusals = 0;
  most = 2;
  EXPECT_EQ(error_in([&] { compile(swish, options); }, ErrorCode::kUnsupported), "refusal 1");
  EXPECT_EQ(refusals, 2);
}

// A convolution of numbers up to 8192 and an average of `mean`, which another convolution takes.
// The ratio of scales is 64 / (mean / 255), or about half of it for powers of two.
import::Network averaging_network() {
  import::Network network;
  network.default_quantize = "mse";
  network.graph = graph::from_text(R"(graph g
%x = input() : float32[1, 1, 2, 2]
%w = constant() : float32[1, 1, 1, 1] = [1]
%a = conv2d(%x, %w) {kernel = [1, 1]} : float32[1, 1, 2, 2]
%b = clip(%a) {hi = 1e6, lo = -1e6} : float32[1, 1, 2, 2]
%c = avg_pool2d(%b) {kernel = [2, 2]} : float32[1, 1, 1, 1]
%y = conv2d(%c, %w) {kernel = [1, 1]} : float32[1, 1, 1, 1]
return %y
)");
  return network;
}

std::vector<std::vector<Tensor>> inputs_of_mean(float mean) {
  const std::vector<float> pixels = {8192, -8192 + 2 * mean, 8192, -8192 + 2 * mean};
  return std::vector<std::vector<Tensor>>(16, {Tensor({1, 1, 2, 2}, pixels)});
}

TEST_F(CompileTest, AutoTakesPowersOfTwoWhereFreeScalesAreFar) {
  const import::Network averaging = averaging_network();
  options.calibration = inputs_of_mean(0.4F);  // a ratio of 41,000 exceeds an immediate
  EXPECT_EQ(compile(averaging, options).program.quantize, "mse");
}

// The callback stands for a refusal that one input does not show.
TEST_F(CompileTest, FreeScalesThatOneInputFavouredMayGiveWay) {
  options.calibration.assign(16, own_calibration(network).sets.at(0));
  options.quantize.rounding = quantize::WeightRounding::kNearest;
  const std::string free = compile(network, options).program.quantize;
  EXPECT_NE(free.find("free"), std::string::npos) << free;
  bool has_refused = false;
  options.on_progress = [&](const std::string& what, double fraction) {
    if (what != "quantize" || fraction == 0 || std::exchange(has_refused, true)) return;
    fail(ErrorCode::kUnsupported, "refused");
  };
  EXPECT_EQ(compile(network, options).program.quantize, "mse, nearest rounding");
  has_refused = false;
  options.quantize.scales = quantize::ScaleKind::kFree;
  EXPECT_EQ(error_in([&] { compile(network, options); }, ErrorCode::kUnsupported), "refused");
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
  options.quantize.scales = quantize::ScaleKind::kAuto;  // the default
  EXPECT_EQ(compile(again, options).program.quantize, "own");
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
