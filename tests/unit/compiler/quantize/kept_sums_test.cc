// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/kept_sums.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/limits/memory_limit.h"
#include "base/numbers/random.h"
#include "runtime/host/host_operators.h"
#include "tests/support/random_tensor.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr uint64_t kSeed = 31;
constexpr int64_t kChannels = 5;

// A layer of 1 x 1 x 3 inputs with a shift, or with one per channel, and a random bias.
struct Layer {
  Layer(Random& random, const OpAttrs& attrs, const std::vector<int32_t>& shifts) {
    std::vector<NodeId> operands = {
        graph.add_input("x", {DType::kInt8, {2, 3, 4, 4}}),
        graph.add_constant("w", test::random_int8(random, {5, 3, 1, 1})),
        graph.add_constant("b", Tensor({kChannels}, biases(random)))};
    if (!shifts.empty()) operands.push_back(graph.add_constant("s", Tensor({kChannels}, shifts)));
    id = graph.add(OpKind::kQConv2d, "layer", operands, attrs);
    graph.set_outputs({id});
  }

  static std::vector<int32_t> biases(Random& random) {
    std::vector<int32_t> all(kChannels);
    for (int32_t& bias : all) bias = static_cast<int32_t>(random.between(-40000, 40000));
    return all;
  }
  const Node& node() const { return graph.node(id); }
  std::span<int32_t> bias() { return graph.node(node().inputs[2]).value.mutable_data<int32_t>(); }
  Tensor executed(const Tensor& x) const {
    std::vector<Tensor> operands = {x};
    for (size_t i = 1; i < node().inputs.size(); ++i)
      operands.push_back(graph.node(node().inputs[i]).value);
    return host::execute(node().kind, node().attrs, operands);
  }

  Graph graph;
  NodeId id = -1;
};

OpAttrs with_shift(int64_t shift, bool relu) {
  OpAttrs attrs;
  attrs.kernel = {1, 1};
  attrs.shift = shift;
  attrs.relu = relu;
  attrs.lo = relu ? 0 : -127;
  attrs.hi = 127;
  return attrs;
}

void expect_result(const Layer& layer, const KeptSums& kept, const Tensor& x, const char* what) {
  const Tensor expected = layer.executed(x), actual = kept.result(layer.graph, layer.node(), 0);
  ASSERT_EQ(expected.type(), actual.type());
  EXPECT_TRUE(std::ranges::equal(expected.data<int8_t>(), actual.data<int8_t>()))
      << "seed " << kSeed << ", shift " << layer.node().attrs.shift << ", " << what;
}

TEST(KeptSums, GiveTheResultsForBiasesThatMoveByParts) {
  Random random(kSeed);
  for (int64_t shift = 0; shift <= 12; ++shift) {
    Layer layer(random, with_shift(shift, random.chance(50)), {});
    const Tensor x = test::random_int8(random, {2, 3, 4, 4});
    std::optional<KeptSums> kept = KeptSums::of(layer.graph, layer.node(), 1);
    ASSERT_TRUE(kept);
    kept->keep(layer.graph, layer.node(), x, 0);
    expect_result(layer, *kept, x, "the first bias");
    const int64_t part = shift < 6 ? 1 : int64_t{1} << (shift - 6);
    for (int32_t& bias : layer.bias())
      bias += static_cast<int32_t>(random.between(-(1 << 14), 1 << 14) * part);
    ASSERT_TRUE(kept->follow(layer.graph, layer.node()));
    expect_result(layer, *kept, x, "another bias");
  }
}

TEST(KeptSums, GiveTheResultsOfShiftsPerChannel) {
  Random random(kSeed);
  Layer layer(random, with_shift(0, true), {0, 3, 7, 9, 11});
  const Tensor x = test::random_int8(random, {2, 3, 4, 4});
  std::optional<KeptSums> kept = KeptSums::of(layer.graph, layer.node(), 1);
  ASSERT_TRUE(kept);
  kept->keep(layer.graph, layer.node(), x, 0);
  for (int32_t& bias : layer.bias()) bias -= 32;
  ASSERT_TRUE(kept->follow(layer.graph, layer.node()));
  expect_result(layer, *kept, x, "another bias");
}

TEST(KeptSums, DoNotFollowABiasThatMovesByLessThanAPartOrFar) {
  Random random(kSeed);
  Layer layer(random, with_shift(10, false), {});
  std::optional<KeptSums> kept = KeptSums::of(layer.graph, layer.node(), 1);
  ASSERT_TRUE(kept);
  layer.bias()[3] += 8;  // half of 2^(10 - 6)
  EXPECT_FALSE(kept->follow(layer.graph, layer.node()));
  layer.bias()[3] += 8;
  EXPECT_TRUE(kept->follow(layer.graph, layer.node()));
  layer.bias()[3] += 16 << 14;
  EXPECT_FALSE(kept->follow(layer.graph, layer.node()));
}

TEST(KeptSums, AreOfRoundingShiftsOnlyAndOfWhatFitsTheMemory) {
  Random random(kSeed);
  OpAttrs leaky = with_shift(8, false);
  leaky.leak = 1;
  leaky.leak_shift = 3;
  const Layer with_leak(random, leaky, {}), left(random, with_shift(-1, false), {}),
      plain(random, with_shift(8, false), {});
  EXPECT_FALSE(KeptSums::of(with_leak.graph, with_leak.node(), 1));
  EXPECT_FALSE(KeptSums::of(left.graph, left.node(), 1));
  EXPECT_TRUE(KeptSums::of(plain.graph, plain.node(), 1));
  EXPECT_FALSE(KeptSums::of(plain.graph, plain.node(), size_t{1} << 40));
}

}  // namespace
}  // namespace vta::quantize
