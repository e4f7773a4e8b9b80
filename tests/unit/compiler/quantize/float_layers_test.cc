// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/float_layers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/quantize/plan.h"
#include "compiler/quantize/sensitivity.h"
#include "tests/support/error_in.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr uint64_t kSeed = 11;
constexpr int64_t kChannels = 16, kNoisy = 4, kClasses = 64;

Tensor random_tensor(std::vector<int64_t> shape, Random& random) {
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : tensor.mutable_data<float>())
    x = static_cast<float>(random.between(-1000, 1000)) / 1000;
  return tensor;
}

// The sum of `kNoisy` layers, before a large one. Channel 0 of the input is always 0, but the noisy
// layers have a large weight for it: their other weights are 0 in int8.
Graph network_with_noisy_layers(Random& random) {
  Graph graph;
  graph.name = "noisy";
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, kChannels}});
  NodeId sum = -1;
  for (int64_t i = 0; i < kNoisy; ++i) {
    Tensor weights = random_tensor({kChannels, kChannels}, random);
    for (int64_t row = 0; row < kChannels; ++row)
      weights.mutable_data<float>()[row * kChannels] = 1000;
    const NodeId w = graph.add_constant(fmt::format("w{}", i), weights);
    const NodeId layer = graph.add(OpKind::kDense, fmt::format("noisy{}", i), {x, w});
    sum = i == 0 ? layer : graph.add(OpKind::kAdd, fmt::format("sum{}", i), {sum, layer});
  }
  const NodeId w = graph.add_constant("w", random_tensor({kClasses, kChannels}, random));
  graph.set_outputs({graph.add(OpKind::kDense, "last", {sum, w})});
  return graph;
}

std::vector<std::vector<Tensor>> calibration_of(Random& random) {
  std::vector<std::vector<Tensor>> inputs;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back({random_tensor({1, kChannels}, random)});
    inputs.back()[0].mutable_data<float>()[0] = 0;
  }
  return inputs;
}

double ratio_with(const Graph& graph, const std::vector<std::string>& keep_float,
                  const std::vector<std::vector<Tensor>>& calibration) {
  Options options(Method::kMax);
  options.keep_float = keep_float;
  return measure_noise(make_plan(graph, options, calibration, {}), calibration).snr_db;
}

// Each of the noisy layers alone gains nearly nothing.
TEST(FloatLayers, AreFoundTogether) {
  Random random(kSeed);
  const Graph graph = network_with_noisy_layers(random);
  const auto calibration = calibration_of(random);
  std::vector<std::string> layers = choose_float_layers(graph, Method::kMax, calibration, 25);
  std::ranges::sort(layers);
  EXPECT_EQ(layers, (std::vector<std::string>{"noisy0", "noisy1", "noisy2", "noisy3"}));
  EXPECT_GE(ratio_with(graph, layers, calibration), 25);
  EXPECT_LT(ratio_with(graph, {}, calibration), 6);
}

TEST(FloatLayers, OfOneNoisyLayerAloneAreQuietInTheSensitivity) {
  Random random(kSeed);
  const Graph graph = network_with_noisy_layers(random);
  const Sensitivity found = measure_sensitivity(graph, Method::kMax, calibration_of(random));
  ASSERT_EQ(found.layers.size(), kNoisy + 1U);
  for (size_t i = 0; i < kNoisy; ++i) {
    EXPECT_LT(found.layers[i].gain_db, 4);
    EXPECT_LT(found.layers[i].alone_db, 12);
  }
  EXPECT_GT(found.layers[kNoisy].alone_db, 25);
}

TEST(FloatLayers, AreNoneIfTheRatioIsReached) {
  Random random(kSeed);
  const Graph graph = network_with_noisy_layers(random);
  const auto calibration = calibration_of(random);
  EXPECT_EQ(choose_float_layers(graph, Method::kMax, calibration, -20), std::vector<std::string>{});
}

TEST(FloatLayers, AreAllIfNoneMayBeInteger) {
  Random random(kSeed);
  const Graph graph = network_with_noisy_layers(random);
  EXPECT_EQ(choose_float_layers(graph, Method::kMax, calibration_of(random), 99).size(),
            kNoisy + 1U);
}

// log(0) is -inf in fp32, and no set of layers makes that noise finite.
TEST(FloatLayers, NeedFiniteResults) {
  Random random(kSeed);
  Graph graph = network_with_noisy_layers(random);
  const NodeId positive = graph.add(OpKind::kRelu, "positive", {graph.outputs()[0]});
  graph.set_outputs({graph.add(OpKind::kLog, "log", {positive})});
  const std::string error =
      error_in([&] { choose_float_layers(graph, Method::kMax, calibration_of(random), 20); });
  EXPECT_NE(error.find("'noisy' on the calibration inputs are not finite"), std::string::npos)
      << error;
}

TEST(FloatLayers, NeedScalesOfPowersOfTwo) {
  Random random(kSeed);
  Options options(Method::kMax);
  options.free_scales = true;
  const Graph graph = network_with_noisy_layers(random);
  EXPECT_NE(error_in([&] {
              choose_float_layers(graph, options, calibration_of(random), 20);
            }).find("powers of two"),
            std::string::npos);
}

}  // namespace
}  // namespace vta::quantize
