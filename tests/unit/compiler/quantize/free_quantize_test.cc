// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/free_quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"
#include "compiler/quantize/run_graph.h"
#include "compiler/quantize/sensitivity.h"
#include "compiler/quantize/sum_bounds.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr uint64_t kSeed = 11;

Tensor normal(Random& random, std::vector<int64_t> shape, double deviation) {
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& value : tensor.mutable_data<float>())
    value = static_cast<float>(random.normal() * deviation);
  return tensor;
}

// Two convolutions with a relu, a residual sum, a concat and a transposed convolution.
Graph network(Random& random) {
  Graph graph;
  const auto conv = [&](const std::string& name, NodeId x, int64_t ic, int64_t oc, OpKind kind) {
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.pad = {1, 1, 1, 1};
    const bool transposed = kind == OpKind::kConv2dTranspose;
    const NodeId w = graph.add_constant(
        name + ".w", normal(random, {transposed ? ic : oc, transposed ? oc : ic, 3, 3}, 0.15));
    const NodeId b = graph.add_constant(name + ".b", normal(random, {oc}, 0.1));
    return graph.add(kind, name, {x, w, b}, attrs);
  };
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, 4, 9, 9}});
  const NodeId a = graph.add(OpKind::kRelu, "a", {conv("conv_a", x, 4, 20, OpKind::kConv2d)});
  const NodeId b = conv("conv_b", a, 20, 20, OpKind::kConv2d);
  const NodeId sum = graph.add(OpKind::kAdd, "sum", {b, a});
  OpAttrs axis;
  axis.axis = 1;
  const NodeId all = graph.add(OpKind::kConcat, "all", {sum, a}, axis);
  graph.set_outputs({conv("conv_c", all, 40, 6, OpKind::kConv2dTranspose)});
  return graph;
}

std::vector<std::vector<Tensor>> inputs(Random& random, int count) {
  std::vector<std::vector<Tensor>> result;
  for (int i = 0; i < count; ++i) result.push_back({normal(random, {1, 4, 9, 9}, 1)});
  return result;
}

Options free_scales() {
  Options options;
  options.free_scales = true;
  return options;
}

Options keeping(const std::string& layer) {
  Options options = free_scales();
  options.keep_float = {layer};
  return options;
}

Options rounding(WeightRounding rounding) {
  Options options = free_scales();
  options.rounding = rounding;
  return options;
}

double signal_to_noise(const Graph& real, const Graph& integer, const std::vector<Tensor>& x) {
  const Tensor a = run_graph(real, x).at(0), b = run_graph(integer, x).at(0);
  double signal = 0, noise = 0;
  for (size_t i = 0; i < a.data<float>().size(); ++i) {
    const double difference = double{a.data<float>()[i]} - b.data<float>()[i];
    signal += double{a.data<float>()[i]} * a.data<float>()[i];
    noise += difference * difference;
  }
  return 10 * std::log10(signal / noise);
}

TEST(FreeQuantize, MakesIntegerOperatorsWithLittleNoise) {
  Random random(kSeed);
  const Graph real = network(random);
  const Graph integer = quantize_freely(real, free_scales(), inputs(random, 8), {});
  graph::verify(integer);
  int num_scaled = 0;
  for (NodeId id : integer.order()) {
    const graph::Node& node = integer.node(id);
    EXPECT_NE(node.kind, OpKind::kConv2d);
    EXPECT_NE(node.kind, OpKind::kConv2dTranspose);
    EXPECT_NE(node.kind, OpKind::kAdd);
    num_scaled += node.attrs.scaled ? 1 : 0;
  }
  EXPECT_GE(num_scaled, 4);
  EXPECT_GT(signal_to_noise(real, integer, inputs(random, 1).at(0)), 30);
}

// A relu's result has 0 at its lowest level; all 256 are in use.
TEST(FreeQuantize, TakesAllLevelsForAResultWithoutNegativeNumbers) {
  Random random(kSeed);
  const Graph integer = quantize_freely(network(random), free_scales(), inputs(random, 8), {});
  int least = 127, largest = -128;
  run_graph(integer, inputs(random, 1).at(0), [&](const graph::Node& node, const Tensor& value) {
    if (node.name != "conv_a") return;
    for (int8_t level : value.data<int8_t>()) {
      least = std::min<int>(least, level);
      largest = std::max<int>(largest, level);
    }
  });
  EXPECT_EQ(least, -128);
  EXPECT_GT(largest, 60);
}

TEST(FreeQuantize, HasLeakyRelusAsPartsOfLayers) {
  Random random(kSeed);
  int num_relus = 0, num_leaks = 0;
  Graph real = network(random);
  for (NodeId id : real.order()) {
    graph::Node& node = real.node(id);
    if (node.kind == OpKind::kRelu) {
      node.kind = OpKind::kLeakyRelu;
      node.attrs.alpha = 0.1;
      ++num_relus;
    }
  }
  const Graph integer = quantize_freely(real, free_scales(), inputs(random, 8), {});
  graph::verify(integer);
  for (NodeId id : integer.order()) {
    const graph::Node& node = integer.node(id);
    EXPECT_NE(node.kind, OpKind::kLookup);
    EXPECT_NE(node.kind, OpKind::kConv2d);
    EXPECT_NE(node.kind, OpKind::kLeakyRelu);
    if (node.attrs.leak == 0) continue;
    ++num_leaks;
    EXPECT_NE(node.attrs.result_zero, 0);  // most numbers are positive
  }
  EXPECT_EQ(num_leaks, num_relus);
  EXPECT_GT(signal_to_noise(real, integer, inputs(random, 1).at(0)), 30);
}

// A convolution, hard swish, and a gate of its channels from their means.
Graph gated_network(Random& random) {
  Graph graph;
  const auto conv = [&](const std::string& name, NodeId x, int64_t ic, int64_t oc) {
    OpAttrs attrs;
    attrs.kernel = {1, 1};
    const NodeId w = graph.add_constant(
        name + ".w", normal(random, {oc, ic, 1, 1}, 2 / std::sqrt(static_cast<double>(ic))));
    return graph.add(OpKind::kConv2d, name, {x, w}, attrs);
  };
  OpAttrs sixth;
  sixth.alpha = 1.0 / 6;
  sixth.beta = 0.5;
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, 4, 9, 9}});
  const NodeId swish = graph.add(OpKind::kHardSwish, "swish", {conv("a", x, 4, 20)});
  const NodeId means = graph.add(OpKind::kGlobalAvgPool2d, "means", {swish});
  const NodeId gate = graph.add(OpKind::kHardSigmoid, "gate", {conv("b", means, 20, 20)}, sixth);
  const NodeId product = graph.add(OpKind::kMul, "product", {swish, gate});
  graph.set_outputs({conv("c", product, 20, 6)});
  return graph;
}

TEST(FreeQuantize, GatesAndProductsAreIntegerOperatorsOfTheCore) {
  Random random(kSeed);
  const Graph real = gated_network(random);
  const Graph integer = quantize_freely(real, free_scales(), inputs(random, 8), {});
  graph::verify(integer);
  check_sums(integer);
  std::vector<OpKind> kinds;
  for (NodeId id : integer.order()) {
    const graph::Node& node = integer.node(id);
    if (node.kind != OpKind::kConstant) kinds.push_back(node.kind);
  }
  EXPECT_EQ(kinds, (std::vector{OpKind::kInput, OpKind::kQuantize, OpKind::kQConv2d, OpKind::kQMul,
                                OpKind::kQAvgPool2d, OpKind::kQConv2d, OpKind::kQAdd, OpKind::kQMul,
                                OpKind::kQConv2d, OpKind::kDequantize}));
  EXPECT_GT(signal_to_noise(real, integer, inputs(random, 1).at(0)), 28);
}

// Inputs whose numbers are alike, as the pixels of an image are.
std::vector<std::vector<Tensor>> smooth_inputs(Random& random, int count) {
  std::vector<std::vector<Tensor>> result;
  for (int i = 0; i < count; ++i) {
    Tensor x = normal(random, {1, 64}, 0.2);
    const auto offset = static_cast<float>(random.normal());
    for (float& value : x.mutable_data<float>()) value += offset;
    result.push_back({x});
  }
  return result;
}

// 64 numbers to 20. A large weight in each row gives the others few levels.
Graph dense_network(Random& random) {
  Graph graph;
  Tensor weights = normal(random, {20, 64}, 0.1);
  for (size_t row = 0; row < 20; ++row) weights.mutable_data<float>()[row * 64] = 1;
  const NodeId w = graph.add_constant("w", weights);
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, 64}});
  graph.set_outputs({graph.add(OpKind::kDense, "dense", {x, w})});
  return graph;
}

TEST(FreeQuantize, RoundsWeightsToTheInputsOfTheirLayer) {
  Random random(kSeed);
  const Graph real = dense_network(random);
  const auto calibration = smooth_inputs(random, 64), others = smooth_inputs(random, 64);
  const auto mean_of = [&](const Options& options) {
    const Graph integer = quantize_freely(real, options, calibration, {});
    graph::verify(integer);
    double sum = 0;
    for (const auto& set : others) sum += signal_to_noise(real, integer, set);
    return sum / static_cast<double>(others.size());
  };
  const double nearest = mean_of(rounding(WeightRounding::kNearest));
  EXPECT_GT(mean_of(rounding(WeightRounding::kAdaptive)), nearest + 2);
  EXPECT_EQ(mean_of(free_scales()), mean_of(rounding(WeightRounding::kAdaptive)));
}

// Numbers far from 0, so that the errors of the weights do not cancel in a channel's mean.
TEST(FreeQuantize, RoundsWeightsWithoutMovingMeans) {
  Random random(kSeed);
  const Graph real = dense_network(random);
  std::vector<std::vector<Tensor>> calibration;
  for (int i = 0; i < 64; ++i) {
    Tensor numbers = normal(random, {1, 64}, 0.2);
    for (float& value : numbers.mutable_data<float>()) value = std::abs(value) + 1;
    calibration.push_back({numbers});
  }
  const Graph integer = quantize_freely(real, rounding(WeightRounding::kAdaptive), calibration, {});
  std::vector<double> errors(20);
  for (const auto& set : calibration) {
    const Tensor wanted = run_graph(real, set).at(0), got = run_graph(integer, set).at(0);
    for (size_t c = 0; c < errors.size(); ++c)
      errors[c] += (got.data<float>()[c] - wanted.data<float>()[c]) / 64;
  }
  const double largest =
      std::abs(std::ranges::max(errors, {}, [](double e) { return std::abs(e); }));
  EXPECT_LT(largest, 0.02);
}

// The result leaves a fifth of its levels for larger numbers than those of the calibration.
TEST(FreeQuantize, LeavesRoomForLargerScores) {
  Random random(kSeed);
  const auto calibration = inputs(random, 8);
  const Graph integer = quantize_freely(network(random), free_scales(), calibration, {});
  int least = 127, largest = -128;
  for (const auto& x : calibration) {
    run_graph(integer, x, [&](const graph::Node& node, const Tensor& value) {
      if (node.name != "conv_c" || value.dtype() != DType::kInt8) return;
      for (int8_t level : value.data<int8_t>()) {
        least = std::min<int>(least, level);
        largest = std::max<int>(largest, level);
      }
    });
  }
  EXPECT_NEAR(largest - least, 255 / 1.25, 3);
}

TEST(FreeQuantize, LeavesNoRoomBeyondTheLimitsOfTheLastActivation) {
  Random random(kSeed);
  Graph real = network(random);
  OpAttrs six;
  six.hi = 6;
  real.set_outputs({real.add(OpKind::kClip, "clip", {real.outputs().at(0)}, six)});
  auto calibration = inputs(random, 8);
  for (float& value : calibration[0][0].mutable_data<float>()) value *= 20;  // so that 6 is met
  const Graph integer = quantize_freely(real, free_scales(), calibration, {});
  const graph::Node& last = integer.node(integer.outputs().at(0));
  ASSERT_EQ(last.kind, OpKind::kDequantize);
  EXPECT_NEAR(last.attrs.unit, 6.0 / 255, 1e-6);
}

// 4 is beyond the second activation, so that 3 is what the layer keeps. A clip at less than 2/3 of
// the range is not absorbed: a rounding that is skipped may move results by 1.5 levels.
TEST(FreeQuantize, MeasuresALayerAfterAllActivationsThatItAbsorbs) {
  Graph real;
  const NodeId x = real.add_input("x", {DType::kFloat32, {1, 1, 2, 2}});
  const NodeId w = real.add_constant("w", Tensor({1, 1, 1, 1}, std::vector<float>{1}));
  OpAttrs conv, three;
  conv.kernel = {1, 1};
  three.hi = 3;
  const NodeId a = real.add(OpKind::kConv2d, "a", {x, w}, conv);
  const NodeId clip =
      real.add(OpKind::kClip, "clip", {real.add(OpKind::kRelu, "relu", {a})}, three);
  real.set_outputs({real.add(OpKind::kConv2d, "b", {clip, w}, conv)});
  const std::vector<std::vector<Tensor>> calibration = {
      {Tensor({1, 1, 2, 2}, std::vector<float>{-2, 1, 2, 4})}};
  const FreePlan plan = make_free_plan(real, free_scales(), calibration, {});
  const Sensitivity noise = measure_noise(real, plan, calibration);
  ASSERT_EQ(noise.layers.size(), 2u);
  EXPECT_EQ(noise.layers[0].layer, "a");
  EXPECT_EQ(noise.layers[0].results.hi, 3);
  EXPECT_EQ(noise.layers[0].clipped, 0);
  EXPECT_GT(noise.layers[0].snr_db, 30);
}

// The ALU cannot multiply by the ratio of scales, 8192 to 0.001.
TEST(FreeQuantize, LeavesAnAverageOfFarSmallerNumbersInFloat) {
  Graph real;
  const NodeId x = real.add_input("x", {DType::kFloat32, {1, 1, 2, 2}});
  const NodeId w = real.add_constant("w", Tensor({1, 1, 1, 1}, std::vector<float>{1}));
  OpAttrs conv, pool;
  conv.kernel = {1, 1};
  pool.kernel = {2, 2};
  const NodeId a = real.add(OpKind::kConv2d, "a", {x, w}, conv);
  const NodeId mean = real.add(OpKind::kAvgPool2d, "mean", {a}, pool);
  real.set_outputs({real.add(OpKind::kConv2d, "b", {mean, w}, conv)});
  const std::vector<float> pixels = {8192, -8192, 8192, -8192 + 0.004F};
  const Graph integer = quantize_freely(real, free_scales(), {{Tensor({1, 1, 2, 2}, pixels)}}, {});
  EXPECT_NO_THROW(check_sums(integer));
  const auto is_average = [&](NodeId id) { return integer.node(id).kind == OpKind::kAvgPool2d; };
  EXPECT_EQ(std::ranges::count_if(integer.order(), is_average), 1);
}

TEST(FreeQuantize, KeepsNamedLayersInFloatAndNeedsInputs) {
  Random random(kSeed);
  const Graph real = network(random);
  const Graph integer = quantize_freely(real, keeping("conv_b"), inputs(random, 2), {});
  int num_real = 0;
  for (NodeId id : integer.order()) num_real += integer.node(id).kind == OpKind::kConv2d ? 1 : 0;
  EXPECT_EQ(num_real, 1);
  EXPECT_THROW(quantize_freely(real, free_scales(), {}, {}), Error);
}

}  // namespace
}  // namespace vta::quantize
