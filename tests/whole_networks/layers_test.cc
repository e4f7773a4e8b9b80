// SPDX-License-Identifier: Apache-2.0
//
// Every value of the shipped networks, layer by layer: the core's results equal the integer
// reference bit for bit, in both modes.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/calibration.h"
#include "compiler/graph/passes/erase_identities.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/lower/passes.h"
#include "compiler/quantize/quantize.h"
#include "runtime/host/host_operators.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/integer_reference.h"

namespace vta::test {
namespace {

// The int8 graph of compile() before partitioning.
graph::Graph int8_graph(const std::string& name, const CoreConfig& core) {
  const import::Network network = import::load_network(name);
  graph::Graph graph = network.graph;
  graph::fold_batch_norm(graph);
  graph::fold_constants(graph);
  graph::erase_identities(graph);
  const std::vector<std::vector<Tensor>> calibration = own_calibration(network).sets;
  graph = quantize::quantize(graph, quantize::method_from_string(network.default_quantize),
                             calibration);
  lower::fuse_shortcut(graph, core);
  return lower::rebatch(graph, core);
}

Tensor execute(const graph::Node& node, const std::vector<Tensor>& inputs) {
  const OpKind kind = node.kind;
  return is_in_reference(kind) ? reference_execute(kind, node.attrs, inputs)
                               : host::execute(kind, node.attrs, inputs);
}

// Every value of the graph, by name.
std::map<std::string, Tensor> reference_values(const graph::Graph& graph, const Tensor& input) {
  std::map<std::string, Tensor> values;
  for (graph::NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    std::vector<Tensor> inputs;
    for (graph::NodeId source : node.inputs) inputs.push_back(values.at(graph.node(source).name));
    if (node.kind == OpKind::kInput) {
      values[node.name] = input;
    } else if (node.kind == OpKind::kConstant) {
      values[node.name] = node.value;
    } else {
      values[node.name] = execute(node, inputs);
    }
  }
  return values;
}

std::vector<std::string> layers_of(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (graph::NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    if (node.kind != OpKind::kInput && node.kind != OpKind::kConstant) names.push_back(node.name);
  }
  return names;
}

struct Case {
  const char* network;
  const char* core;
};

class Layers : public testing::TestWithParam<Case> {};

TEST_P(Layers, AreBitIdenticalToTheReferenceInBothModes) {
  const auto& [network, core] = GetParam();
  const std::string file = fmt::format("{}.json", network);
  const graph::Graph graph = int8_graph(file, load_core_config(core));
  const std::vector<std::string> layers = layers_of(graph);
  EXPECT_GE(layers.size(), 10u);
  std::map<std::string, Tensor> expected;
  for (const lower::Mode mode : {lower::Mode::kFused, lower::Mode::kCompatible}) {
    const NetworkRun run = run_network(file, core, mode);
    if (expected.empty()) expected = reference_values(graph, run.inputs[0]);
    for (const auto& [name, tensor] : run.values) {
      if (name.ends_with(".unfold")) continue;  // tested by the convolution that reads it
      ASSERT_TRUE(expected.contains(name)) << name;
      EXPECT_EQ(tensor.type(), expected[name].type()) << name;
      EXPECT_TRUE(std::ranges::equal(tensor.bytes(), expected[name].bytes()))
          << to_string(mode) << ": " << name;
    }
    // In mode fused, the inputs of a residual add stay on the core.
    if (mode == lower::Mode::kFused) continue;
    for (const std::string& layer : layers) EXPECT_TRUE(run.values.contains(layer)) << layer;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Layers,
    testing::Values(Case{"resnet18", "vta_1x16"}, Case{"resnet20_cifar", "vta_1x16"},
                    Case{"resnet20_cifar", "vta_4x8"}, Case{"digits", "vta_1x16"},
                    Case{"digits", "vta_4x8"}, Case{"digits", "tiny_1x8"}),
    [](const auto& test) { return std::string(test.param.network) + "_" + test.param.core; });

}  // namespace
}  // namespace vta::test
