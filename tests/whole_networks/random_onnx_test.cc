// SPDX-License-Identifier: Apache-2.0
//
// Random networks as ONNX models: in fp32 the imported graph computes what the network does, and
// the compiled program computes on the core what its integer graph does by the reference.
// VTA_TEST_COUNT networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "compiler/quantize/run_graph.h"
#include "sim/functional/functional_device.h"
#include "tests/support/onnx_of_graph.h"
#include "tests/support/random_network.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

constexpr uint64_t kFirstSeed = 1, kNetworks = 40;
constexpr float kMaxDifference = 1e-4f;  // of the largest value

void expect_close(const Tensor& found, const Tensor& expected) {
  ASSERT_EQ(found.type(), expected.type());
  float largest = 1;
  for (const float x : expected.data<float>()) largest = std::max(largest, std::abs(x));
  for (size_t i = 0; i < expected.data<float>().size(); ++i)
    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], kMaxDifference * largest) << i;
}

void check(uint64_t seed, const CoreConfig& core) {
  RandomNetwork random(seed, RandomNetwork::Layers::kOdd);
  const graph::Graph exact = random.build();
  const std::vector<int64_t> shape = exact.node(exact.inputs()[0]).type.shape;
  const Tensor input = random.tensor(shape, 1);
  SCOPED_TRACE(fmt::format("seed {}:\n{}", seed, graph::to_text(exact)));

  const ScratchFolder folder;
  write_file(folder.path() / "random.onnx", onnx_of(exact, seed));
  const import::Network network = import::load_network((folder.path() / "random.onnx").string());
  expect_close(quantize::run_graph(network.graph, {input}).at(0),
               quantize::run_graph(exact, {input}).at(0));

  CompileOptions options;
  options.core = core;
  options.calibration = {{input}};
  graph::Graph integer_graph;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "rebatch") integer_graph = pass.graph;
  };
  const Program program = compile(network, options).program;
  check_streams(program);
  std::vector<int64_t> batch = shape;
  batch[0] = core.batch;
  const Tensor images = random.tensor(batch, 1);
  const auto device = sim::open_functional_device("functional", core);
  Session session(program, *device, execute);
  const Tensor expected = run_by_reference(integer_graph, {images}).at(0),
               found = session.run({images}).at(0);
  ASSERT_EQ(found.type(), expected.type());
  ASSERT_TRUE(std::ranges::equal(found.bytes(), expected.bytes()));
}

class RandomOnnx : public testing::TestWithParam<std::string> {};

TEST_P(RandomOnnx, ModelsAreImportedAndRunAsTheirNetworks) {
  const support::Seeds seeds = support::test_seeds(kFirstSeed, support::test_count(kNetworks));
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(seeds.begin),
              static_cast<unsigned long long>(seeds.end - 1));
  for (uint64_t seed = seeds.begin; seed < seeds.end && !HasFailure(); ++seed)
    ASSERT_NO_THROW(check(seed, core_named(GetParam()))) << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomOnnx, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
