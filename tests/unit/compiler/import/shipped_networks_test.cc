// SPDX-License-Identifier: Apache-2.0
//
// The networks of configs/networks, run in fp32.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/files/array_file.h"
#include "compiler/graph/passes/erase_identities.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/import/network.h"
#include "compiler/quantize/quantize.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/image.h"
#include "tests/support/shared_data.h"

namespace vta::import {
namespace {

using graph::Graph;
using graph::NodeId;

// Every result of the graph on one input.
std::map<std::string, Tensor> run(const Graph& graph, const Tensor& input) {
  std::map<NodeId, Tensor> values;
  std::map<std::string, Tensor> results;
  for (NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    if (node.kind == OpKind::kInput) {
      values[id] = input;
    } else if (node.kind == OpKind::kConstant) {
      values[id] = node.value;
      continue;
    } else {
      std::vector<Tensor> operands;
      for (NodeId operand : node.inputs) operands.push_back(values.at(operand));
      values[id] = host::execute(node.kind, node.attrs, operands);
    }
    results[node.name] = values[id];
  }
  return results;
}

Tensor sample_of(const Network& network) {
  const std::vector<int64_t>& shape = network.graph.node(network.graph.inputs()[0]).type.shape;
  const ImageSpec& spec = *network.image;
  return host::preprocess(host::read_image(network.folder / network.sample), spec, shape);
}

size_t top1(const Tensor& logits) {
  const auto values = logits.data<float>();
  return static_cast<size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

void fold(Graph& graph) {
  graph::fold_batch_norm(graph);
  graph::fold_constants(graph);
  graph::erase_identities(graph);
  graph::verify(graph);
}

class ShippedNetwork : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedNetwork, LoadsVerifiesAndFolds) {
  Network network = load_network(GetParam());
  graph::verify(network.graph);
  EXPECT_EQ(network.graph.name, GetParam());
  const Tensor sample = sample_of(network);
  const NodeId out = network.graph.outputs()[0];
  const Tensor before = run(network.graph, sample).at(network.graph.node(out).name);
  fold(network.graph);
  for (NodeId id : network.graph.order()) {
    EXPECT_NE(network.graph.node(id).kind, OpKind::kBatchNorm);
  }
  const Tensor after =
      run(network.graph, sample).at(network.graph.node(network.graph.outputs()[0]).name);
  for (size_t i = 0; i < before.data<float>().size(); ++i) {
    EXPECT_NEAR(after.data<float>()[i], before.data<float>()[i], 1e-3);
  }
}

TEST_P(ShippedNetwork, LoadsTheSameGraphTwice) {
  NetworkOptions options;
  options.weights = "synthetic";
  options.seed = 3;
  EXPECT_EQ(graph::to_text(load_network(GetParam(), options).graph),
            graph::to_text(load_network(GetParam(), options).graph));
}

// The layers that, with `--quantize global`, have more than 5 % of their int8 values at the limits
// or fewer than 32 different values.
std::vector<std::string> results_out_of_range(Network network, size_t* num_results) {
  const Tensor sample = sample_of(network);
  fold(network.graph);
  const Graph integer = quantize::quantize(network.graph, quantize::Method::kGlobal, {});
  std::vector<std::string> names;
  quantize::run_graph(integer, {sample}, [&](const graph::Node& node, const Tensor& result) {
    if (result.dtype() != DType::kInt8 || node.kind == OpKind::kQuantize) return;
    ++*num_results;
    const auto values = result.data<int8_t>();
    const auto at_limit =
        std::ranges::count_if(values, [](int8_t x) { return std::abs(x) >= 127; });
    const std::set<int8_t> distinct(values.begin(), values.end());
    if (20 * at_limit > result.num_elems() || distinct.size() < 32) names.push_back(node.name);
  });
  return names;
}

TEST_P(ShippedNetwork, FillsTheRangeOfInt8WithSyntheticWeights) {
  NetworkOptions options;
  options.weights = "synthetic";
  Network network = load_network(GetParam(), options);
  size_t num_results = 0, num_convolutions = 0;
  for (NodeId id : network.graph.order())
    num_convolutions += network.graph.node(id).kind == OpKind::kConv2d;
  EXPECT_EQ(results_out_of_range(network, &num_results), std::vector<std::string>{});
  EXPECT_GT(num_results, num_convolutions) << "each convolution, and sums";

  // The check detects batch norms whose statistics do not match their input.
  for (float factor : {8.0f, 0.01f}) {
    Network wrong = network;
    for (NodeId id : wrong.graph.order()) {
      if (wrong.graph.node(id).kind != OpKind::kBatchNorm) continue;
      Tensor& gamma = wrong.graph.node(wrong.graph.node(id).inputs[1]).value;
      for (float& value : gamma.mutable_data<float>()) value *= factor;
    }
    EXPECT_NE(results_out_of_range(wrong, &num_results), std::vector<std::string>{}) << factor;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedNetwork,
                         ::testing::Values("resnet18", "resnet20_cifar", "digits"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Digits, ClassifiesItsHeldBackImages) {
  const Network network = load_network("digits");
  EXPECT_EQ(network.weights, "digits/digits.safetensors");
  const NamedArrays arrays = read_arrays(network.folder / "digits/test.npz");
  const std::vector<float> pixels = arrays.at("images").to_floats();
  const std::vector<int64_t> labels = arrays.at("labels").to_integers();
  ASSERT_EQ(arrays.at("images").shape, (std::vector<int64_t>{600, 1, 8, 8}));
  ASSERT_EQ(labels.size(), 600u);
  int correct = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto first = pixels.begin() + static_cast<std::ptrdiff_t>(i * 64);
    const Tensor image({1, 1, 8, 8}, std::vector<float>(first, first + 64));
    correct += top1(run(network.graph, image).at("fc")) == static_cast<size_t>(labels[i]) ? 1 : 0;
  }
  EXPECT_GE(correct, 588) << "98.0 % of 600";
}

TEST(Digits, ShipsItsFirstHeldBackImageAsSample) {
  const Network network = load_network("digits");
  const Tensor sample = sample_of(network);
  const std::vector<float> pixels =
      read_arrays(network.folder / "digits/test.npz").at("images").to_floats();
  for (size_t i = 0; i < 64; ++i) EXPECT_NEAR(sample.data<float>()[i], pixels[i], 1e-6) << i;
}

TEST(Resnet20, TakesTrainedWeights) {
  if (test::shared_data().empty()) GTEST_SKIP() << "[SKIP] no shared data";
  const std::string weights = test::shared_data() / "models/resnet20_cifar.npz";
  NetworkOptions options;
  options.weights = weights;
  const Network network = load_network("resnet20_cifar", options);
  EXPECT_EQ(network.weights, weights);
}

}  // namespace
}  // namespace vta::import
