// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/sensitivity.h"

#include <gtest/gtest.h>

#include <utility>

#include "compiler/quantize/layer_noise.h"
#include "compiler/quantize/plan.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr int64_t kChannels = 16;

// A layer that doubles its inputs, with a weight of -0.5 for a channel that is 0, and another
// layer.
Graph doubling_network() {
  Graph graph;
  graph.name = "doubling";
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, kChannels}});
  Tensor doubling(TensorType{DType::kFloat32, {kChannels, kChannels}});
  for (int64_t i = 0; i < kChannels; ++i) doubling.mutable_data<float>()[i * kChannels + i] = 2;
  doubling.mutable_data<float>()[kChannels] = -0.5f;  // row 1 of channel 0
  const NodeId w = graph.add_constant("w", doubling);
  const NodeId layer = graph.add(OpKind::kDense, "doubles", {x, w});
  graph.set_outputs(
      {graph.add(OpKind::kDense, "last", {layer, graph.add_constant("v", doubling)})});
  return graph;
}

// Channel i is i: results of 0 to 30, where int8 ends at 7.94 by the global scale of 1/16.
TEST(Sensitivity, HasTheRangesOfWeightsAndResults) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < kChannels; ++i) numbers.push_back(static_cast<float>(i));
  const std::vector<std::vector<Tensor>> inputs = {{Tensor({1, kChannels}, numbers)}};
  const Plan plan = make_plan(doubling_network(), Method::kGlobal, inputs, {});
  const LayerSensitivity layer = measure_noise(plan, inputs).layers.at(0);
  EXPECT_EQ(layer.layer, "doubles");
  EXPECT_EQ(layer.weights.lo, -0.5f);
  EXPECT_EQ(layer.weights.hi, 2);
  EXPECT_EQ(layer.results.lo, 0);
  EXPECT_EQ(layer.results.hi, 30);
  EXPECT_DOUBLE_EQ(layer.int8_min, -127.0 / 16);
  EXPECT_DOUBLE_EQ(layer.int8_max, 127.0 / 16);
  EXPECT_DOUBLE_EQ(layer.clipped, 12.0 / 16);  // 8 and more
}

// Level -128 is one of free scales alone.
TEST(Sensitivity, CountsWhatTheKindOfScalesClips) {
  const std::vector<std::vector<Tensor>> inputs = {{Tensor({1, 2}, std::vector<float>{-128, 100})}};
  Graph real, integer;
  real.set_outputs({real.add(OpKind::kRelu, "y", {real.add_input("x", inputs[0][0].type())})});
  const NodeId x = integer.add_input("x", inputs[0][0].type());
  const auto noise_with = [&](double unit, int64_t zero) {
    OpAttrs attrs;
    attrs.unit = unit;
    attrs.zero = zero;
    Graph graph = integer;
    const NodeId levels = graph.add(OpKind::kQuantize, "levels", {x}, attrs);
    graph.set_outputs({graph.add(OpKind::kDequantize, "y", {levels}, attrs)});
    MeasuredLayer layer{.layer = real.inputs()[0], .result = real.inputs()[0], .integer = levels};
    layer.dequantize.unit = unit;
    layer.dequantize.zero = zero;
    return measure_layers(real, graph, {layer}, inputs).layers.at(0);
  };
  const LayerNoise shifts = noise_with(0, 0), free = noise_with(1, 0), below = noise_with(1, 127);
  EXPECT_EQ(std::pair(shifts.int8_min, shifts.int8_max), std::pair(-127.0, 127.0));
  EXPECT_EQ(shifts.clipped, 0.5);
  EXPECT_EQ(std::pair(free.int8_min, free.int8_max), std::pair(-128.0, 127.0));
  EXPECT_EQ(free.clipped, 0);
  EXPECT_EQ(std::pair(below.int8_min, below.int8_max), std::pair(-255.0, 0.0));
  EXPECT_EQ(below.clipped, 0.5);  // 100
}

}  // namespace
}  // namespace vta::quantize
