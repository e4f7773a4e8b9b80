// SPDX-License-Identifier: Apache-2.0
//
// Random convolutions, with and without a residual add, on every core in every mode, compared with
// the integer reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/numbers/random.h"
#include "compiler/lower/acc_halves.h"
#include "compiler/lower/border.h"
#include "compiler/lower/tiling_search.h"
#include "configs/core_config.h"
#include "tests/support/random_leak.h"
#include "tests/support/random_tensor.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

struct Case {
  Graph graph;
  std::vector<Tensor> inputs;
};

void draw_requantization(Random& random, int64_t usual_shift, OpAttrs& attrs) {
  attrs.shift = random.chance(80) ? usual_shift : random.between(-3, 20);
  attrs.relu = random.chance(50);
  attrs.lo = attrs.relu ? 0 : -127;
  if (random.chance(10)) attrs.lo = random.between(-128, 5);
  attrs.hi = 127;
  if (random.chance(30)) test::draw_leak(random, attrs);
}

OpAttrs draw_convolution(Random& random, int64_t block) {
  OpAttrs attrs;
  const int64_t largest = random.chance(85) ? 3 : 7;
  attrs.kernel = {random.between(1, largest), random.between(1, largest)};
  attrs.stride = {random.between(1, 3), random.between(1, 3)};
  for (int64_t& pad : attrs.pad)
    pad = random.chance(90) ? random.between(0, 3) : random.between(0, 20);
  if (random.chance(15)) attrs.dilation = {random.between(1, 3), random.between(1, 2)};
  draw_requantization(random, block == 16 ? 8 : 7, attrs);
  return attrs;
}

// Free scales: the operand of factors.
void draw_factors(Random& random, OpAttrs& attrs) {
  attrs.scaled = true;
  attrs.relu = false;
  attrs.pre_shift = random.chance(60) ? 0 : random.between(1, 4);
  attrs.shift = random.chance(90) ? random.between(16, 20) : random.between(0, 10);
  if (random.chance(70)) attrs.lo = -128;
  test::draw_leak_zero(random, attrs);
}

// A zero point of the input, if the corrections of the border fit the core.
void draw_zero(Random& random, const CoreConfig& core, const TensorType& x,
               const TensorType& result, OpAttrs& attrs) {
  const lower::ConvShape shape = lower::conv_shape_of(OpKind::kQConv2d, attrs, x, result, core);
  const int64_t zero = random.chance(50) ? -128 : random.between(-128, 127);
  const int64_t corrections = lower::Border(shape, zero).num_corrections();
  if (corrections + lower::kMinScaledHalfElems <= core.acc_depth() / 2) attrs.zero = zero;
}

// Depthwise, or groups narrower or wider than a block.
void draw_groups(Random& random, int64_t most, int64_t& groups, int64_t& ic, int64_t& oc) {
  const bool depthwise = random.chance(40);
  const int64_t group_ic = depthwise ? 1 : random.between(1, most / 2);
  const int64_t group_oc = depthwise ? random.between(1, 2) : random.between(1, most / 2);
  groups = random.between(1, std::max<int64_t>(1, most / std::max(group_ic, group_oc)));
  ic = groups * group_ic;
  oc = groups * group_oc;
}

// Pads crop the result of a transposed convolution; at least one pixel remains.
void draw_transposed_pads(Random& random, OpAttrs& attrs, std::array<int64_t, 2> image) {
  for (size_t axis = 0; axis < 2; ++axis) {
    attrs.output_pad[axis] = random.chance(70) ? 0 : random.between(0, 2);
    const int64_t full = (image[axis] - 1) * attrs.stride[axis] +
                         (attrs.kernel[axis] - 1) * attrs.dilation[axis] + attrs.output_pad[axis] +
                         1;
    attrs.pad[axis] = random.between(0, std::min<int64_t>(3, full - 1));
    attrs.pad[axis + 2] = random.between(0, std::min<int64_t>(3, full - 1 - attrs.pad[axis]));
  }
}

// Input -> convolution (-> dense or residual add of a second input).
Case draw_case(Random& random, const CoreConfig& core) {
  const int64_t block = core.block_in;
  const bool small = core.inp_depth() < 100;
  OpAttrs attrs = draw_convolution(random, block);
  const int64_t most = block * (small ? 3 : 6);
  int64_t ic = random.between(1, most), oc = random.between(1, most);
  if (random.chance(40)) draw_groups(random, most, attrs.groups, ic, oc);
  const int64_t longest = small ? 9 : 20;
  int64_t ih = random.between(1, longest), iw = random.between(1, longest);
  const bool transposed = random.chance(25);
  // At least one output: the dilated kernel fits the padded image.
  const int64_t reach_h = (attrs.kernel[0] - 1) * attrs.dilation[0] + 1,
                reach_w = (attrs.kernel[1] - 1) * attrs.dilation[1] + 1;
  ih = std::max(ih, reach_h - attrs.pad[0] - attrs.pad[2]);
  iw = std::max(iw, reach_w - attrs.pad[1] - attrs.pad[3]);
  if (transposed) {
    ih = random.between(1, longest / 2);
    iw = random.between(1, longest / 2);
    draw_transposed_pads(random, attrs, {ih, iw});
  }
  const int64_t images = random.between(1, core.batch + (random.chance(20) ? 2 : 0));

  Case c;
  const Tensor x = random_tensor<int8_t>(random, {images, ic, ih, iw}, -127, 127);
  const NodeId data = c.graph.add_input("x", x.type());
  const int64_t first = transposed ? ic : oc, second = (transposed ? oc : ic) / attrs.groups;
  const NodeId w = c.graph.add_constant(
      "w",
      random_tensor<int8_t>(random, {first, second, attrs.kernel[0], attrs.kernel[1]}, -30, 30));
  const NodeId b = c.graph.add_constant("b", random_tensor<int32_t>(random, {oc}, -20000, 20000));
  std::vector<NodeId> operands = {data, w, b};
  const bool fits_addend = core.acc_depth() / 2 >= lower::kMinScaledHalfElems;
  if (random.chance(30)) {
    operands.push_back(c.graph.add_constant("n", random_tensor<int32_t>(random, {oc}, 0, 16)));
    attrs.shift = 0;
  } else if (random.chance(50) && fits_addend) {
    operands.push_back(c.graph.add_constant("n", random_tensor<int32_t>(random, {oc}, 0, 5000)));
    draw_factors(random, attrs);
  }
  if (!transposed && random.chance(50)) {
    const TensorType type =
        infer_type(OpKind::kQConv2d, attrs, {x.type(), c.graph.node(w).type, c.graph.node(b).type});
    draw_zero(random, core, x.type(), type, attrs);
  }
  NodeId result = c.graph.add(transposed ? OpKind::kQConv2dTranspose : OpKind::kQConv2d, "conv",
                              operands, attrs);
  c.inputs = {x};
  if (random.chance(40)) {
    const TensorType type = c.graph.node(result).type;
    const NodeId other = c.graph.add_input("y", type);
    c.inputs.push_back(random_tensor<int8_t>(random, type.shape, -127, 127));
    OpAttrs add;
    add.shift_a = random.chance(50) ? 0 : random.between(0, 4);
    add.shift_b = random.chance(50) ? 0 : random.between(0, 4);
    draw_requantization(random, std::max(add.shift_a, add.shift_b), add);
    if (random.chance(40) && fits_addend) {
      add.scaled = true;
      add.relu = false;
      add.shift_a = add.shift_b = 0;
      add.factor_a = random.between(0, 32767);
      add.factor_b = random.between(0, 32767);
      add.addend = random.between(-2000000, 2000000);
      add.shift = random.between(8, 16);
      test::draw_leak_zero(random, add);
    }
    const bool swap = random.chance(50);
    result = c.graph.add(OpKind::kQAdd, "add",
                         swap ? std::vector{other, result} : std::vector{result, other}, add);
  }
  c.graph.set_outputs({result});
  for (NodeId id : c.graph.order()) {
    const OpKind kind = c.graph.node(id).kind;
    c.graph.node(id).on_core = kind != OpKind::kInput && kind != OpKind::kConstant;
  }
  return c;
}

class RandomConvolution : public testing::TestWithParam<std::string> {};

TEST_P(RandomConvolution, IsBitIdenticalToTheReferenceInEveryMode) {
  const int count = static_cast<int>(support::test_count(500));
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const Case c = draw_case(random, core_named(GetParam()));
    const Tensor expected = run_by_reference(c.graph, c.inputs).at(0);
    for (const Way& way : kWays) {
      SCOPED_TRACE(
          fmt::format("{}, seed {}, {}:\n{}", GetParam(), seed, way.name, graph::to_text(c.graph)));
      CoreRun run;
      ASSERT_NO_THROW(
          run = run_on_core(c.graph, core_named(GetParam(), way.extension), way.mode, c.inputs));
      ASSERT_TRUE(std::ranges::equal(run.outputs.at(0).bytes(), expected.bytes()))
          << "tiles " << run.lowered.layers.at(0).tiles;
    }
  }
}

// Every schedule that a tuner may try computes the same bytes.
TEST_P(RandomConvolution, IsBitIdenticalWithAnyTilingOfItsSpace) {
  const int count = static_cast<int>(support::test_count(150));
  int scheduled = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed) + 100'000);
    const Case c = draw_case(random, core_named(GetParam()));
    const Way& way = kWays[static_cast<size_t>(seed) % std::size(kWays)];
    const CoreConfig core = core_named(GetParam(), way.extension);
    SCOPED_TRACE(
        fmt::format("{}, seed {}, {}:\n{}", GetParam(), seed, way.name, graph::to_text(c.graph)));
    lower::ScheduleBook book;
    for (const lower::LayerPlan& layer : lower::lower(c.graph, core, way.mode).layers) {
      if (!layer.task) continue;
      const lower::TilingProblem& problem = layer.task->problem;
      const lower::Tiling tiling =
          draw_tiling(random, lower::legal_tilings(problem, core), problem, core);
      if (lower::why_illegal(problem, tiling, core)) continue;  // micro-op distance
      book.set(layer.task->text, {tiling, "test"});
    }
    CoreRun run;
    ASSERT_NO_THROW(run = run_on_core(c.graph, core, way.mode, c.inputs, {.schedules = &book}));
    for (const lower::LayerPlan& layer : run.lowered.layers) {
      const auto* entry = layer.task ? book.find(layer.task->text) : nullptr;
      if (entry == nullptr) continue;
      EXPECT_TRUE(layer.task->tiling.same_choices(entry->tiling));
      ++scheduled;
    }
    const Tensor expected = run_by_reference(c.graph, c.inputs).at(0);
    ASSERT_TRUE(std::ranges::equal(run.outputs.at(0).bytes(), expected.bytes()))
        << "tiles " << run.lowered.layers.at(0).tiles;
  }
  EXPECT_GT(scheduled, count * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Cores, RandomConvolution, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
