// SPDX-License-Identifier: Apache-2.0
//
// Every network of configs/networks compiles for cores of batch 1 and 4, and every integer value of
// a session on the functional device equals the integer graph on the host bit for bit. fp32 values
// after them are compared with a tolerance. Images are small here; VTA_NIGHTLY in the environment
// selects the networks' own sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "compiler/compile.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"
#include "tests/support/sample_images.h"

namespace vta::test {
namespace {

struct Case {
  const char* network;
  int64_t small_side;  // of the images; 0: the network has a fixed size
  bool nightly_only = false;
};

// Deeper networks of a family have no additional operators.
constexpr Case kCases[] = {
    {"resnet18", 32},
    {"resnet34", 32, true},
    {"resnet50", 32},
    {"resnet101", 32, true},
    {"resnet18_v2", 32},
    {"resnet34_v2", 32, true},
    {"resnet50_v2", 32},
    {"resnet101_v2", 32, true},
    {"vgg11", 32},
    {"vgg16", 32, true},
    {"squeezenet1.0", 48},
    {"squeezenet1.1", 48},
    {"mobilenet", 32},
    {"mobilenet_v2", 32},
    {"mobilenet_v3_small", 32},
    {"shufflenet_v2", 0},
    {"densenet121", 32},
    {"inception_v3", 75},
    {"mlp", 0},
    {"dcgan", 0},
    {"yolov3-tiny", 64},
    {"resnet20_cifar", 0},
    {"digits", 0},
};

bool is_nightly() { return std::getenv("VTA_NIGHTLY") != nullptr; }

using Values = std::map<std::string, Tensor>;

bool is_integer(const Tensor& tensor) { return tensor.dtype() != DType::kFloat32; }

// Compares every integer value of the session with the graph. Returns their number.
int64_t expect_same_integers(const Values& made, const Values& expected) {
  int64_t compared = 0;
  for (const auto& [name, tensor] : made) {
    const auto found = expected.find(name);
    if (!is_integer(tensor) || found == expected.end()) continue;
    ++compared;
    EXPECT_EQ(tensor.type(), found->second.type()) << name;
    EXPECT_TRUE(std::ranges::equal(tensor.bytes(), found->second.bytes())) << name;
  }
  return compared;
}

void expect_close(const Tensor& output, const Tensor& expected) {
  ASSERT_EQ(output.type(), expected.type());
  if (is_integer(output)) return;  // compared with the other integers
  const auto a = output.data<float>(), b = expected.data<float>();
  float largest = 0;
  for (float value : b) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4F * largest) << i;
}

// If each layer has its own stream, the session shows all values, else only the last of each
// stream.
void expect_same_values(const import::Network& network, const std::string& core,
                        bool per_layer_streams) {
  CompileOptions options;
  options.core = load_core_config(core);
  options.per_layer_streams = per_layer_streams;
  graph::Graph integer_graph;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "partition") integer_graph = pass.graph;
  };
  const Program program = compile(network, options).program;
  const auto steps_on_core =
      std::ranges::count(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  EXPECT_GT(steps_on_core, 0) << core;
  const auto device = sim::open_functional_device("functional", options.core);
  Session session(program, *device, host::execute);
  const Tensor input = sample_images(network, program.values[program.inputs.at(0).value].type);
  Values made, expected;
  session.on_value = [&](const ProgramValue& value, const Tensor& t) { made[value.name] = t; };
  const std::vector<Tensor> outputs = session.run({input});
  const std::vector<Tensor> expected_outputs = quantize::run_graph(
      integer_graph, {input},
      [&](const graph::Node& node, const Tensor& t) { expected[node.name] = t; });
  EXPECT_GT(expect_same_integers(made, expected), per_layer_streams ? 2 : 0);
  ASSERT_EQ(outputs.size(), expected_outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) expect_close(outputs[i], expected_outputs[i]);
}

class ZooNetworks : public ::testing::TestWithParam<Case> {};

TEST_P(ZooNetworks, GiveWhatTheirIntegerGraphGives) {
  const Case& test = GetParam();
  if (test.nightly_only && !is_nightly()) GTEST_SKIP() << "nightly";
  import::NetworkOptions options;
  if (test.small_side > 0 && !is_nightly()) {
    options.input_size = {test.small_side, test.small_side};
  }
  const import::Network network = import::load_network(test.network, options);
  expect_same_values(network, "vta_1x16", /*per_layer_streams=*/false);
  expect_same_values(network, "vta_4x8", /*per_layer_streams=*/true);
}

INSTANTIATE_TEST_SUITE_P(All, ZooNetworks, ::testing::ValuesIn(kCases), [](const auto& test) {
  std::string name = test.param.network;
  std::erase_if(name, [](char c) { return c == '.' || c == '-'; });
  return name;
});

}  // namespace
}  // namespace vta::test
