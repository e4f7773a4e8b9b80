// SPDX-License-Identifier: Apache-2.0
//
// The networks of configs/networks have their published sizes.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "compiler/import/build_graph.h"

namespace vta::import {
namespace {

struct Figures {
  const char* network;
  int64_t parameters;  // exact, from torchvision and timm; others: see below
  double giga_macs;    // multiply-accumulates of convolutions and dense layers / 10^9, as published
  double macs_digits;  // the last digit that is published
};

// GMACs: torchvision's weights pages ("GFLOPS"); MobileNet: its paper, 569 million; YOLOv3-tiny:
// Darknet's page, 5.56 billion operations, two for each. Parameters: torchvision and timm
// (resnetv2, mobilenetv1_100); YOLOv3-tiny: the released weights file holds 8,858,734 numbers,
// 6,368 of them running means and variances. mlp and dcgan are TVM's test networks: computed from
// their shapes.
constexpr Figures kPublished[] = {
    {"resnet18", 11'689'512, 1.814, 0.001},
    {"resnet34", 21'797'672, 3.664, 0.001},
    {"resnet50", 25'557'032, 4.089, 0.001},
    {"resnet101", 44'549'160, 7.801, 0.001},
    {"resnet18_v2", 11'687'720, 1.814, 0.001},
    {"resnet34_v2", 21'795'880, 3.664, 0.001},
    {"resnet50_v2", 25'549'352, 4.089, 0.001},
    {"resnet101_v2", 44'541'480, 7.801, 0.001},
    {"vgg11", 132'863'336, 7.609, 0.001},
    {"vgg16", 138'357'544, 15.47, 0.01},
    {"squeezenet1.0", 1'248'424, 0.819, 0.001},
    {"squeezenet1.1", 1'235'496, 0.349, 0.001},
    {"mobilenet", 4'231'976, 0.569, 0.001},
    {"mobilenet_v2", 3'504'872, 0.301, 0.001},
    {"mobilenet_v3_small", 2'542'856, 0.057, 0.001},
    {"shufflenet_v2", 2'278'604, 0.145, 0.001},
    {"densenet121", 7'978'856, 2.834, 0.001},
    {"inception_v3", 23'834'568, 5.713, 0.001},
    {"yolov3-tiny", 8'852'366, 5.56 / 2, 0.005},
    {"mlp", 109'386, 0.000109184, 1e-9},
    {"dcgan", 12'656'384, 0.41058304, 1e-9},
    {"resnet20_cifar", 269'722, 0.041, 0.001},
};

class Zoo : public ::testing::TestWithParam<Figures> {};

// MACs of a convolution, transposed convolution or dense layer; 0 for others.
int64_t macs_of(const graph::Graph& graph, const graph::Node& node) {
  if (node.kind != OpKind::kConv2d && node.kind != OpKind::kConv2dTranspose &&
      node.kind != OpKind::kDense) {
    return 0;
  }
  const TensorType& x = graph.node(node.inputs[0]).type;
  const TensorType& w = graph.node(node.inputs[1]).type;
  // Each weight has one product per pixel of the result, or of the input if transposed.
  const TensorType& pixels = node.kind == OpKind::kConv2dTranspose ? x : node.type;
  return w.num_elems() * pixels.num_elems() / pixels.shape[1];
}

TEST_P(Zoo, HasThePublishedParametersAndMacs) {
  const NetworkDescription network = parse_network(read_text_file(
      fmt::format("{}/configs/networks/{}.json", VTA_SOURCE_FOLDER, GetParam().network)));
  EXPECT_EQ(network.name, GetParam().network);
  int64_t parameters = 0;
  const graph::Graph graph = build_graph(network, [&](const Parameter& parameter) {
    const Tensor zeros(TensorType{DType::kFloat32, parameter.shape});
    const bool is_statistic =
        parameter.role == Parameter::Role::kMean || parameter.role == Parameter::Role::kVariance;
    if (!is_statistic) parameters += zeros.num_elems();
    return zeros;
  });
  EXPECT_EQ(parameters, GetParam().parameters);
  int64_t macs = 0;
  for (graph::NodeId id : graph.order()) macs += macs_of(graph, graph.node(id));
  EXPECT_NEAR(static_cast<double>(macs) / 1e9, GetParam().giga_macs, GetParam().macs_digits / 2);
}

INSTANTIATE_TEST_SUITE_P(Published, Zoo, ::testing::ValuesIn(kPublished), [](const auto& test) {
  std::string name = test.param.network;
  std::erase_if(name, [](char c) { return c == '.' || c == '-'; });
  return name;
});

}  // namespace
}  // namespace vta::import
