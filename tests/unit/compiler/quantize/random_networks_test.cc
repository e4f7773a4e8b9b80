// SPDX-License-Identifier: Apache-2.0
//
// Quantized networks of random layers: legal graphs with results close to float.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/quantize/quantize.h"
#include "compiler/quantize/run_graph.h"
#include "tests/support/random_network.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using test::RandomNetwork;

constexpr uint64_t kNumNetworks = 150;

bool is_close(const Tensor& exact, const Tensor& integer) {
  double signal = 0, noise = 0;
  for (int64_t i = 0; i < exact.num_elems(); ++i) {
    const double a = exact.data<float>()[i], b = integer.data<float>()[i];
    signal += a * a;
    noise += (a - b) * (a - b);
  }
  return noise <= signal / 10;
}

struct Tally {
  int close = 0, all = 0;
};

void compare(uint64_t seed, std::map<Method, Tally>& tallies) {
  RandomNetwork network(seed, RandomNetwork::Layers::kThin);
  const Graph exact = network.build();
  const std::vector<int64_t> shape = exact.node(exact.inputs()[0]).type.shape;
  std::vector<std::vector<Tensor>> inputs;
  for (int i = 0; i < 3; ++i) inputs.push_back({network.tensor(shape, 1)});
  for (Method method : {Method::kGlobal, Method::kMax, Method::kMse}) {
    const Graph integer = quantize(exact, method, inputs);
    graph::verify(integer);
    for (const auto& input : inputs) {
      const Tensor a = run_graph(exact, input)[0], b = run_graph(integer, input)[0];
      ASSERT_EQ(a.type(), b.type()) << "seed " << seed << "\n" << graph::to_text(integer);
      tallies[method].close += is_close(a, b) ? 1 : 0;
      ++tallies[method].all;
    }
  }
}

// If positive and negative terms cancel, rounding dominates the result: few networks do that. A
// scale of 1/16 and a truncated average are coarse for small results.
TEST(RandomNetworks, StayLegalAndMostlyCloseWhenQuantized) {
  std::map<Method, Tally> tallies;
  for (uint64_t seed = 1; seed <= kNumNetworks && !HasFatalFailure(); ++seed)
    compare(seed, tallies);
  EXPECT_GE(tallies[Method::kGlobal].close, 0.85 * tallies[Method::kGlobal].all);
  EXPECT_GE(tallies[Method::kMax].close, 0.95 * tallies[Method::kMax].all);
  EXPECT_GE(tallies[Method::kMse].close, 0.95 * tallies[Method::kMse].all);
}

}  // namespace
}  // namespace vta::quantize
