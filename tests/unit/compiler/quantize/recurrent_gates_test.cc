// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/recurrent_gates.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "compiler/quantize/plan.h"
#include "compiler/quantize/sensitivity.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr int64_t kHidden = 16, kSteps = 6;

OpAttrs slice(int64_t begin, int64_t end) {
  OpAttrs attrs;
  attrs.begin = {0, begin};
  attrs.end = {1, end};
  attrs.step = {1, 1};
  return attrs;
}

// An LSTM of kSteps steps on one input, and a dense layer after it, as ONNX's operator is imported.
// The steps share their weights.
Graph lstm(uint64_t seed) {
  Random random(seed);
  const auto constant = [&](std::vector<int64_t> shape) {
    Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
    for (float& x : tensor.mutable_data<float>())
      x = static_cast<float>(random.between(-1000, 1000)) / 1500;
    return tensor;
  };
  Graph graph;
  graph.name = "lstm";
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, kHidden}});
  const NodeId w = graph.add_constant("w", constant({4 * kHidden, kHidden}));
  const NodeId r = graph.add_constant("r", constant({4 * kHidden, kHidden}));
  const NodeId of_x = graph.add(OpKind::kDense, "of_x", {x, w});
  NodeId c = graph.add_constant("c", constant({1, kHidden}));
  NodeId h = x;
  for (int64_t i = 0; i < kSteps; ++i) {
    const std::string t = std::to_string(i) + ".";
    const NodeId of_h = graph.add(OpKind::kDense, t + "of_h", {h, r});
    const NodeId sum = graph.add(OpKind::kAdd, t + "sum", {of_x, of_h});
    const auto part = [&](const std::string& name, int64_t k, OpKind kind) {
      const NodeId sliced = graph.add(OpKind::kStridedSlice, t + name + "_slice", {sum},
                                      slice(k * kHidden, (k + 1) * kHidden));
      return graph.add(kind, t + name, {sliced});
    };
    const NodeId in = part("i", 0, OpKind::kSigmoid), forget = part("f", 1, OpKind::kSigmoid),
                 out = part("o", 2, OpKind::kSigmoid), cell = part("g", 3, OpKind::kTanh);
    const NodeId kept = graph.add(OpKind::kMul, t + "kept", {forget, c});
    const NodeId added = graph.add(OpKind::kMul, t + "added", {in, cell});
    c = graph.add(OpKind::kAdd, t + "c", {kept, added});
    h = graph.add(OpKind::kMul, t + "h", {out, graph.add(OpKind::kTanh, t + "tanh", {c})});
  }
  const NodeId last = graph.add_constant("last.w", constant({kHidden, kHidden}));
  graph.set_outputs({graph.add(OpKind::kDense, "last", {h, last})});
  return graph;
}

std::vector<std::vector<Tensor>> calibration_of(int count) {
  Random random(5);
  std::vector<std::vector<Tensor>> inputs;
  for (int i = 0; i < count; ++i) {
    Tensor x(TensorType{DType::kFloat32, {1, kHidden}});
    for (float& value : x.mutable_data<float>())
      value = static_cast<float>(random.between(-2000, 2000)) / 1000;
    inputs.push_back({x});
  }
  return inputs;
}

TEST(RecurrentGates, AreAllBetweenTheLayersOfAnLstm) {
  const Graph graph = lstm(1);
  const std::set<NodeId> gates = recurrent_gates(graph);
  for (NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    const bool is_gate = node.kind != OpKind::kDense && node.kind != OpKind::kConstant &&
                         node.kind != OpKind::kInput;
    EXPECT_EQ(gates.contains(id), is_gate) << node.name;
  }
}

// A squeeze-and-excite block, and a sigmoid before a layer.
TEST(RecurrentGates, AreNotSigmoidsThatScaleAFeatureMap) {
  Graph graph;
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, 16, 8, 8}});
  const NodeId mean = graph.add(OpKind::kGlobalAvgPool2d, "mean", {x});
  const NodeId gate = graph.add(OpKind::kSigmoid, "gate", {mean});
  const NodeId scaled = graph.add(OpKind::kMul, "scaled", {x, gate});
  graph.set_outputs({graph.add(OpKind::kTanh, "tanh", {scaled})});
  EXPECT_TRUE(recurrent_gates(graph).empty());
}

TEST(RecurrentGates, StayFloatSoThatStatesAreNotRoundedInEachStep) {
  const Graph graph = lstm(2);
  const auto calibration = calibration_of(4);
  const Plan plan = make_plan(graph, Method::kMax, calibration, {});
  size_t num_layers = 0;
  for (NodeId id : plan.result.graph.order()) {
    const graph::Node& node = plan.result.graph.node(id);
    EXPECT_NE(node.kind, OpKind::kLookup) << node.name;
    EXPECT_NE(node.kind, OpKind::kQMul) << node.name;
    num_layers += node.kind == OpKind::kQDense ? 1 : 0;
  }
  EXPECT_EQ(num_layers, kSteps + 2U);
  EXPECT_GT(measure_noise(plan, calibration).snr_db, 30);
}

// 8 inputs: with adaptive rounding, from which they are excluded.
TEST(RecurrentGates, StepsShareTheirRoundedWeights) {
  const Graph graph = lstm(3);
  for (int num_inputs : {4, 8}) {
    const Plan plan = make_plan(graph, Method::kMse, calibration_of(num_inputs), {});
    std::set<const int8_t*> arrays;
    for (NodeId id : plan.result.graph.order()) {
      const graph::Node& node = plan.result.graph.node(id);
      if (node.kind == OpKind::kQDense && node.name.ends_with("of_h"))
        arrays.insert(plan.result.graph.node(node.inputs[1]).value.data<int8_t>().data());
    }
    EXPECT_LE(arrays.size(), 2U) << num_inputs << " inputs: one array for each choice of scales";
  }
}

}  // namespace
}  // namespace vta::quantize
