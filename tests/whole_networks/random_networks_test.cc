// SPDX-License-Identifier: Apache-2.0
//
// Networks of random layers, through quantization and all passes to the core. Every value equals
// the integer graph on the host, on the functional core of every configuration and in every mode,
// and of some networks on Verilated cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "compiler/lower/passes.h"
#include "compiler/quantize/quantize.h"
#include "configs/core_config.h"
#include "runtime/host/host_operators.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/lockstep_device.h"
#include "tests/support/random_network.h"
#include "tests/support/rtl_cores.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using quantize::Method;
using Values = std::map<std::string, Tensor>;

constexpr Method kMethods[] = {Method::kGlobal, Method::kMax, Method::kMse};

// Three networks of four by a method, the fourth with free scales.
quantize::Options options_of(uint64_t seed) {
  if (seed % 4 != 3) return kMethods[seed % std::size(kMethods)];
  quantize::Options free(Method::kMax);
  free.free_scales = true;
  return free;
}

// A random float network after the passes, and its values for a random input.
struct Case {
  Graph graph;
  Tensor input;
  Values expected;
};

// Executes operator by operator, as sessions run host operators: run_graph() fuses fp32 operators
// and differs in the last bits.
Values values_of(const Graph& graph, const Tensor& input) {
  std::map<graph::NodeId, Tensor> values;
  Values named;
  for (graph::NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    if (node.kind == OpKind::kInput) {
      values[id] = input;
    } else if (node.kind == OpKind::kConstant) {
      values[id] = node.value;
    } else {
      std::vector<Tensor> operands;
      for (graph::NodeId operand : node.inputs) operands.push_back(values.at(operand));
      values[id] = host::execute(node.kind, node.attrs, operands);
    }
    named[node.name] = values[id];
  }
  return named;
}

Case make_case(uint64_t seed, const CoreConfig& core) {
  RandomNetwork network(seed, RandomNetwork::Layers::kOdd);
  const Graph exact = network.build();
  TensorType type = exact.node(exact.inputs()[0]).type;
  const std::vector<std::vector<Tensor>> calibration = {{network.tensor(type.shape, 1)}};
  Case c;
  c.graph = quantize::quantize(exact, options_of(seed), calibration);
  lower::fuse_shortcut(c.graph, core);
  c.graph = lower::rebatch(c.graph, core);
  lower::partition(c.graph, core);
  graph::verify(c.graph);
  type.shape[0] = core.batch;
  c.input = network.tensor(type.shape, 1);
  c.expected = values_of(c.graph, c.input);
  return c;
}

// Returns the number of values computed by the core.
int compare(const Case& c, driver::Device& device, lower::Mode mode, lower::Streams streams) {
  const lower::LoweredGraph lowered =
      lower::lower(c.graph, device.describe().core, mode, {.streams = streams});
  check(lowered.program);
  check_streams(lowered.program);
  Session session(lowered.program, device, host::execute);
  int core_values = 0;
  session.on_value = [&](const ProgramValue& value, const Tensor& tensor) {
    const Tensor& expected = c.expected.at(value.name);
    EXPECT_EQ(tensor.type(), expected.type()) << value.name;
    EXPECT_TRUE(std::ranges::equal(tensor.bytes(), expected.bytes())) << value.name;
    core_values += value.on_device ? 1 : 0;
  };
  session.run({c.input});
  return core_values;
}

// Overlapping layers need more tokens than a layer by itself; where the core has too few, layers
// have streams of their own.
void check_with_few_tokens(const Case& c, CoreConfig core, lower::Mode mode) {
  core.token_queue_depth = 4;
  check_streams(lower::lower(c.graph, core, mode).program);
}

class RandomNetworks : public testing::TestWithParam<std::string> {};

TEST_P(RandomNetworks, AreBitIdenticalToTheHostInEveryMode) {
  const support::Seeds seeds = support::test_seeds(1, support::test_count(100));
  uint64_t core_values = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end && !HasFailure(); ++seed) {
    const Case c = make_case(seed, core_named(GetParam()));
    for (const Way& way : kWays) {
      SCOPED_TRACE(fmt::format("seed {}, {}:\n{}", seed, way.name, graph::to_text(c.graph)));
      const CoreConfig core = core_named(GetParam(), way.extension);
      for (lower::Streams streams : {lower::Streams::kPerLayer, lower::Streams::kMerged}) {
        const auto device = sim::open_functional_device("functional", core);
        ASSERT_NO_THROW(core_values += compare(c, *device, way.mode, streams));
      }
      ASSERT_NO_THROW(check_with_few_tokens(c, core, way.mode));
    }
  }
  EXPECT_GE(core_values, 3 * (seeds.end - seeds.begin))
      << "on average at least one value per network and mode";
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomNetworks, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

class RandomNetworksInVerilog : public testing::TestWithParam<std::string> {};

TEST_P(RandomNetworksInVerilog, GiveTheValuesOfTheirGraphs) {
  const support::Seeds seeds = support::test_seeds(1, support::test_count(10));
  uint64_t reached = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end && !HasFailure(); ++seed) {
    const Case c = make_case(seed, core_named(GetParam()));
    const Way& way = kWays[seed / std::size(kMethods) % std::size(kWays)];
    SCOPED_TRACE(fmt::format("seed {}, {}:\n{}", seed, way.name, graph::to_text(c.graph)));
    const auto device =
        sim::open_lockstep_device("lockstep:functional,rtl", core_named(GetParam(), way.extension));
    ASSERT_NO_THROW(reached += compare(c, *device, way.mode, lower::Streams::kMerged) > 0 ? 1 : 0);
  }
  const uint64_t networks = seeds.end - seeds.begin;
  fmt::print("{} of {} networks reach the core\n", reached, networks);
  if (networks >= 10) EXPECT_GE(2 * reached, networks);  // one alone may have no layer for the core
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomNetworksInVerilog, testing::ValuesIn(support::rtl_cores()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
