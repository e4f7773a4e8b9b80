// SPDX-License-Identifier: Apache-2.0
//
// Convolutions whose windows become channels: random ones on every core in every mode, compared
// with the integer reference of the convolution as it was, and single folds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/numbers/random.h"
#include "compiler/lower/passes.h"
#include "configs/core_config.h"
#include "runtime/host/host_operators.h"
#include "tests/support/random_tensor.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

// Multiples of 1/8, beyond the range of int8 at 2 fractional bits; some are not numbers.
Tensor random_image(Random& random, const std::vector<int64_t>& shape) {
  Tensor image(TensorType{DType::kFloat32, shape});
  for (float& x : image.mutable_data<float>()) {
    x = static_cast<float>(random.between(-300, 300)) / 8;
    if (random.chance(1)) x = std::numeric_limits<float>::quiet_NaN();
  }
  return image;
}

OpAttrs random_window(Random& random) {
  OpAttrs attrs;
  const int64_t longest = random.chance(70) ? 3 : 8;
  attrs.kernel = {random.between(1, longest), random.between(1, longest)};
  attrs.stride = {random.between(1, 4), random.between(1, 4)};
  if (random.chance(40)) attrs.dilation = {random.between(1, 4), random.between(1, 3)};
  for (int64_t& pad : attrs.pad)
    pad = random.chance(90) ? random.between(0, 4) : random.between(0, 20);
  return attrs;
}

// Sizes of an image that holds the dilated kernel.
std::vector<int64_t> random_shape(Random& random, const OpAttrs& window, int64_t channels,
                                  int64_t images) {
  std::vector<int64_t> shape = {images, channels};
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t reach = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
    const int64_t least = reach - window.pad[axis] - window.pad[axis + 2];
    shape.push_back(std::max(least, random.between(1, 16)));
  }
  return shape;
}

// The divisors of both numbers.
int64_t random_groups(Random& random, int64_t ic, int64_t oc) {
  if (random.chance(60)) return 1;
  std::vector<int64_t> groups;
  for (int64_t g = 1; g <= ic; ++g) {
    if (ic % g == 0 && oc % g == 0) groups.push_back(g);
  }
  return groups[static_cast<size_t>(random.between(0, static_cast<int64_t>(groups.size()) - 1))];
}

struct Case {
  Graph graph;
  std::vector<Tensor> inputs;
  NodeId conv;
};

// (Quantize ->) convolution of fewer channels than a block.
Case draw_case(Random& random, const CoreConfig& core) {
  OpAttrs attrs = random_window(random);
  const int64_t ic = random.between(1, core.block_in - 1), oc = random.between(1, 40);
  attrs.groups = random_groups(random, ic, oc);
  attrs.shift = random.between(4, 9);
  attrs.relu = random.chance(50);
  attrs.lo = attrs.relu ? 0 : -127;
  attrs.hi = 127;
  const int64_t images = random.between(1, core.batch + (random.chance(20) ? 2 : 0));
  const auto shape = random_shape(random, attrs, ic, images);
  Case c;
  if (random.chance(50)) {
    c.inputs = {random_image(random, shape)};
    OpAttrs quantize;
    quantize.frac_bits = 2;
    c.graph.add(OpKind::kQuantize, "q", {c.graph.add_input("x", c.inputs[0].type())}, quantize);
  } else {
    c.inputs = {random_tensor<int8_t>(random, shape, -128, 127)};
    c.graph.add_input("x", c.inputs[0].type());
  }
  const NodeId x = c.graph.order().back();
  const NodeId w = c.graph.add_constant(
      "w", random_tensor<int8_t>(random, {oc, ic / attrs.groups, attrs.kernel[0], attrs.kernel[1]},
                                 -30, 30));
  const NodeId b = c.graph.add_constant("b", random_tensor<int32_t>(random, {oc}, -2000, 2000));
  std::vector<NodeId> operands = {x, w, b};
  if (random.chance(30)) {
    operands.push_back(c.graph.add_constant("n", random_tensor<int32_t>(random, {oc}, 0, 12)));
    attrs.shift = 0;
  }
  c.conv = c.graph.add(OpKind::kQConv2d, "conv", operands, attrs);
  c.graph.node(c.conv).on_core = true;
  c.graph.set_outputs({c.conv});
  return c;
}

class UnfoldInputsOf : public testing::TestWithParam<std::string> {};

TEST_P(UnfoldInputsOf, IsBitIdenticalToTheConvolutionInEveryMode) {
  const int count = static_cast<int>(support::test_count(150));
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const Case c = draw_case(random, core_named(GetParam()));
    const Tensor expected = run_by_reference(c.graph, c.inputs).at(0);
    for (const Way& way : kWays) {
      SCOPED_TRACE(
          fmt::format("{}, seed {}, {}:\n{}", GetParam(), seed, way.name, graph::to_text(c.graph)));
      const CoreConfig core = core_named(GetParam(), way.extension);
      Graph unfolded = c.graph;
      lower::unfold_inputs(unfolded, core, way.mode);
      ASSERT_NO_THROW(graph::verify(unfolded)) << graph::to_text(unfolded);
      ASSERT_TRUE(
          std::ranges::equal(run_by_reference(unfolded, c.inputs).at(0).bytes(), expected.bytes()))
          << graph::to_text(unfolded);
      CoreRun run;
      ASSERT_NO_THROW(run = run_on_core(unfolded, core, way.mode, c.inputs));
      ASSERT_TRUE(std::ranges::equal(run.outputs.at(0).bytes(), expected.bytes()))
          << graph::to_text(unfolded);
      const OpAttrs& attrs = c.graph.node(c.conv).attrs;
      const int64_t weights = c.graph.node(c.graph.node(c.conv).inputs[1]).type.num_elems();
      const int64_t pixels = expected.dim(2) * expected.dim(3);
      EXPECT_EQ(run.lowered.layers.at(0).macs, static_cast<uint64_t>(weights * pixels))
          << "of the network, with " << attrs.groups << " groups";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, UnfoldInputsOf, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

// The attributes of the unfold2d and of the convolution after it.
struct Folded {
  std::string unfold, conv;
  uint64_t gemm_counter = 0;
};

Folded fold(std::vector<int64_t> image, int64_t oc, const std::string& window) {
  Graph graph;
  const NodeId x = graph.add_input("x", {DType::kFloat32, image});
  const NodeId q = graph.add(OpKind::kQuantize, "q", {x}, {});
  OpAttrs attrs = attrs_from_string(OpKind::kQConv2d, window);
  attrs.hi = 127;
  const NodeId w = graph.add_constant(
      "w", Tensor(TensorType{DType::kInt8, {oc, image[1], attrs.kernel[0], attrs.kernel[1]}}));
  const NodeId b = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {oc}}));
  const NodeId conv = graph.add(OpKind::kQConv2d, "conv", {q, w, b}, attrs);
  graph.node(conv).on_core = true;
  graph.set_outputs({conv});
  const CoreConfig core = core_named("vta_1x16");
  lower::unfold_inputs(graph, core, lower::Mode::kFused);
  const graph::Node& after = graph.node(conv);
  const graph::Node& unfold = graph.node(after.inputs[0]);
  EXPECT_EQ(unfold.kind, OpKind::kUnfold2d);
  const auto lowered = lower::lower(graph, core, lower::Mode::kFused);
  return {to_string(unfold.kind, unfold.attrs), to_string(after.kind, after.attrs),
          lowered.layers.at(0).counts.gemm_counter};
}

// An element has 147 products, 10 blocks of 16. No window starts at the last row of padding.
TEST(UnfoldInputs, FoldsAWholeKernel) {
  const Folded folded =
      fold({1, 3, 224, 224}, 64, "{kernel = [7, 7], stride = [2, 2], pad = [3, 3, 3, 3]}");
  EXPECT_EQ(folded.unfold, "{kernel = [7, 7], stride = [2, 2], pad = [3, 3, 2, 2]}");
  EXPECT_EQ(folded.conv, "{hi = 127, products = 147}");
  EXPECT_EQ(folded.gemm_counter, 112u * 112 * 4 * 10);
}

// A kernel row of 8 values fills half a block, two rows fill it: 4 taps.
TEST(UnfoldInputs, FoldsRowsInPartIfThatFillsBlocks) {
  const Folded folded = fold({1, 1, 40, 64}, 16, "{kernel = [32, 8], dilation = [1, 1]}");
  EXPECT_EQ(folded.gemm_counter, 9u * 57 * 16) << folded.unfold << folded.conv;
}

TEST(UnfoldInputs, LeavesAKernelOfOneTapAndQuantizesWhilePacking) {
  const Folded folded = fold({1, 3, 8, 8}, 16, "{kernel = [1, 1], pad = [1, 1, 1, 1]}");
  EXPECT_EQ(folded.unfold, "");
  EXPECT_EQ(folded.conv, "{pad = [1, 1, 1, 1], hi = 127}");
}

TEST(UnfoldInputs, LeavesOutPixelsThatNoTapReads) {
  const Folded folded = fold({1, 3, 8, 8}, 16, "{kernel = [1, 1], stride = [2, 3]}");
  EXPECT_EQ(folded.unfold, "{stride = [2, 3]}");
  EXPECT_EQ(folded.conv, "{hi = 127, products = 3}");
}

// Values of the core are packed already; convolutions on the host do not use blocks.
TEST(UnfoldInputs, DoesNotChangeOtherConvolutions) {
  Graph graph = graph::from_text(R"(graph thin
%x = input() : int8[1, 3, 9, 8]
%w = constant() : int8[5, 3, 3, 3]
%b = constant() : int32[5]
%host = qconv2d(%x, %w, %b) {kernel = [3, 3], pad = [1, 1, 1, 1], hi = 127} : int8[1, 5, 9, 8]
%v = constant() : int8[16, 16, 3, 3]
%c = constant() : int32[16]
%y = input() {index = 1} : int8[1, 16, 9, 8]
%wide = qconv2d(%y, %v, %c) {kernel = [3, 3], hi = 127} : int8[1, 16, 7, 6] @core
return %host, %wide
)");
  const std::string before = graph::to_text(graph);
  lower::unfold_inputs(graph, core_named("vta_1x16"), lower::Mode::kFused);
  EXPECT_EQ(graph::to_text(graph), before);
}

TEST(PackUnfolded, EqualsPackOfTheHostsUnfold) {
  for (uint64_t seed = 1; seed <= support::test_count(300); ++seed) {
    Random random(seed);
    CoreConfig core;
    core.batch = 1u << random.between(0, 2);
    core.block_in = core.block_out = 1u << random.between(0, 6);
    OpAttrs attrs = random_window(random);
    const auto shape = random_shape(random, attrs, random.between(1, 20), random.between(1, 5));
    const bool quantizes = random.chance(50);
    if (quantizes) attrs.frac_bits = 2;
    const Tensor x =
        quantizes ? random_image(random, shape) : random_tensor<int8_t>(random, shape, -128, 127);
    const Tensor unfolded = host::execute(OpKind::kUnfold2d, attrs, {x});
    std::vector<uint8_t> expected(packed_size_bytes(unfolded.type(), core));
    std::vector<uint8_t> packed(expected.size(), 0xa5);
    pack(unfolded, core, expected);
    pack_unfolded(x, attrs, unfolded.type(), core, packed);
    ASSERT_EQ(packed, expected) << "seed " << seed << ", batch " << core.batch << ", block "
                                << core.block_in << ", " << to_string(x.type()) << ", "
                                << to_string(OpKind::kUnfold2d, attrs);
  }
}

}  // namespace
}  // namespace vta::test
