// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/alu_tap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/lower/tiling_search.h"
#include "tests/support/random_tensor.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"
#include "tests/unit/compiler/lower/depthwise_shape.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;
using lower::AluTap;

TEST(AluTap, IsTheMiddleOfADepthwiseKernelOfStrideOne) {
  EXPECT_EQ(lower::alu_tap(depthwise_shape(2, 14)), (AluTap{1, 1}));
  EXPECT_EQ(lower::alu_tap(depthwise_shape(2, 14, 5)), (AluTap{2, 2}));
  EXPECT_EQ(lower::alu_tap(depthwise_shape(2, 14, 1)), std::nullopt);
  lower::ConvShape shape = depthwise_shape(2, 14);
  shape.rows.stride = 2;
  shape.rows.out = 7;
  EXPECT_EQ(lower::alu_tap(shape), std::nullopt);
  shape = depthwise_shape(2, 14);
  shape.group_ic = 2;
  EXPECT_EQ(lower::alu_tap(shape), std::nullopt);
  shape = depthwise_shape(2, 14);
  shape.columns.pad = 0;
  shape.columns.out = 12;
  EXPECT_EQ(lower::alu_tap(shape), std::nullopt);
}

// The ALU's products are in the tile before GEMM starts, so that every tap of GEMM adds and may
// leave out its padding.
TEST(AluTap, LeavesTheOtherProductsWithoutPadding) {
  const lower::ConvShape shape = depthwise_shape(1, 7);
  const auto ranges = tap_ranges(shape.rows, axis_taps(shape.rows), 0, 3, {0, 7}, true);
  EXPECT_EQ(lower::products_beside({1, 1}, ranges, ranges), 19 * 19 - 49);
}

lower::TilingProblem problem_of(const lower::ConvShape& shape) {
  lower::TilingProblem problem;
  problem.shape = shape;
  problem.may_take_tap = problem.split = problem.overlaps = true;
  return problem;
}

// A tap less for GEMM is a load more, which a layer that its weights limit has no time for.
TEST(AluTap, IsChosenBesideManyProducts) {
  const CoreConfig core = load_core_config("vta_1x16");
  lower::TilingProblem problem = problem_of(depthwise_shape(9, 56));
  EXPECT_TRUE(find_tiling(problem, core)->tiling.tap_in_alu);
  problem.may_take_tap = false;
  EXPECT_FALSE(find_tiling(problem, core)->tiling.tap_in_alu);
  EXPECT_FALSE(find_tiling(problem_of(depthwise_shape(60, 7)), core)->tiling.tap_in_alu);
}

TEST(AluTap, NeedsATermOfAllTaps) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::TilingProblem problem = problem_of(depthwise_shape(9, 56));
  lower::Tiling tiling{.th = 8, .tw = 28, .tkh = 3, .tkw = 3, .tap_in_alu = true};
  EXPECT_EQ(why_illegal(problem, tiling, core), std::nullopt);
  tiling.tkh = 1;
  EXPECT_EQ(why_illegal(problem, tiling, core), "the ALU cannot multiply a tap");
}

// A depthwise convolution that keeps positions, with any epilogue that is not leaky.
Graph draw_depthwise(Random& random, const CoreConfig& core, Tensor& x) {
  const int64_t channels = random.between(2, 3 * static_cast<int64_t>(core.block_in));
  OpAttrs attrs;
  attrs.groups = channels;
  for (size_t axis = 0; axis < 2; ++axis) {
    attrs.kernel[axis] = random.between(axis == 0 ? 1 : 2, 5);
    attrs.dilation[axis] = random.chance(80) ? 1 : 2;
    const int64_t middle = random.between(0, attrs.kernel[axis] - 1);
    attrs.pad[axis] = middle * attrs.dilation[axis];
    attrs.pad[axis + 2] = (attrs.kernel[axis] - 1) * attrs.dilation[axis] - attrs.pad[axis];
  }
  attrs.shift = random.between(4, 9);
  attrs.lo = -127;
  attrs.hi = 127;
  if (random.chance(30)) attrs.zero = random.between(-128, 127);
  x = random_tensor<int8_t>(
      random, {random.between(1, core.batch), channels, random.between(1, 9), random.between(1, 9)},
      -127, 127);
  Graph graph;
  std::vector<NodeId> operands = {
      graph.add_input("x", x.type()),
      graph.add_constant(
          "w",
          random_tensor<int8_t>(random, {channels, 1, attrs.kernel[0], attrs.kernel[1]}, -60, 60)),
      graph.add_constant("b", random_tensor<int32_t>(random, {channels}, -20000, 20000))};
  if (random.chance(30)) {
    operands.push_back(graph.add_constant("n", random_tensor<int32_t>(random, {channels}, 0, 16)));
    attrs.shift = 0;
  }
  const NodeId conv = graph.add(OpKind::kQConv2d, "conv", operands, attrs);
  graph.node(conv).on_core = true;
  graph.set_outputs({conv});
  return graph;
}

class AluTapOnCore : public testing::TestWithParam<std::string> {};

// Whatever the cost, with every tile and number of slots that the space has.
TEST_P(AluTapOnCore, IsBitIdenticalToTheReference) {
  const CoreConfig core = core_named(GetParam());
  const int count = static_cast<int>(support::test_count(60));
  int tested = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    Tensor x;
    const Graph graph = draw_depthwise(random, core, x);
    SCOPED_TRACE(fmt::format("{}, seed {}:\n{}", core.name, seed, graph::to_text(graph)));
    const auto lowered = lower::lower(graph, core, lower::Mode::kFused);
    const lower::TuningTask task = lowered.layers.at(0).task.value();
    std::vector<lower::Tiling> space = legal_tilings(task.problem, core);
    std::erase_if(space, [](const lower::Tiling& tiling) { return !tiling.tap_in_alu; });
    if (space.empty()) continue;
    const lower::Tiling tiling = draw_tiling(random, space, task.problem, core);
    const CoreRun run = run_with_tiling(graph, core, task.text, tiling, {x});
    ASSERT_TRUE(
        std::ranges::equal(run.outputs.at(0).bytes(), run_by_reference(graph, {x}).at(0).bytes()))
        << run.lowered.layers.at(0).tiles;
    EXPECT_NE(run.lowered.layers.at(0).tiles.find("tap in ALU"), std::string::npos);
    ++tested;
  }
  EXPECT_GT(tested, 0);
}

INSTANTIATE_TEST_SUITE_P(Cores, AluTapOnCore, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
