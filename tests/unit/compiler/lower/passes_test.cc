// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/passes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/packed_text.h"
#include "tests/support/error_in.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::NodeId;

constexpr char kShortcut[] = R"(graph shortcut
  %x = input() : int8[1, 16, 9, 8]
  %slice = strided_slice(%x) {begin = [0, 0, 0, 0], end = [1, 16, 9, 8], step = [1, 1, 2, 2]} : int8[1, 16, 5, 4]
  %pad = pad(%slice) {before = [0, 8, 0, 0], after = [0, 8, 0, 0]} : int8[1, 32, 5, 4]
  return %pad
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(FuseShortcut, MakesAConvolutionThatCopies) {
  Graph graph = graph::from_text(kShortcut);
  EXPECT_TRUE(fuse_shortcut(graph, test::core_named("vta_1x16")));
  graph::verify(graph);
  const graph::Node& conv = graph.node(graph.outputs()[0]);
  ASSERT_EQ(conv.kind, OpKind::kQConv2d);
  EXPECT_EQ(conv.type.shape, (std::vector<int64_t>{1, 32, 5, 4}));
  Tensor x(TensorType{DType::kInt8, {1, 16, 9, 8}});
  auto values = x.mutable_data<int8_t>();
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int8_t>(i * 37);
  const Tensor result = test::run_by_reference(graph, {x}).at(0);
  for (int64_t c = 0; c < 32; ++c) {
    for (int64_t y = 0; y < 5; ++y) {
      for (int64_t column = 0; column < 4; ++column) {
        const bool is_new = c < 8 || c >= 24;
        const int8_t expected = is_new ? int8_t{0} : values[((c - 8) * 9 + 2 * y) * 8 + 2 * column];
        ASSERT_EQ(result.data<int8_t>()[(c * 5 + y) * 4 + column], expected);
      }
    }
  }
  EXPECT_FALSE(fuse_shortcut(graph, test::core_named("vta_1x16"))) << "idempotent";
}

TEST(FuseShortcut, ChoosesAnotherNameIfItsNameIsTaken) {
  Graph graph = graph::from_text(replaced(kShortcut, "%slice", "%pad.conv"));
  const NodeId taken = graph.add(OpKind::kQAdd, "pad.bias", {0, 0});
  graph.set_outputs({graph.outputs()[0], taken});
  EXPECT_TRUE(fuse_shortcut(graph, test::core_named("vta_1x16")));
  EXPECT_NO_THROW(graph::verify(graph));
}

TEST(FuseShortcut, DoesNotChangeOtherSlicesAndPads) {
  const auto unchanged = [](const std::string& text) {
    Graph graph = graph::from_text(text);
    return !fuse_shortcut(graph, test::core_named("vta_1x16"));
  };
  const std::string text = kShortcut;
  EXPECT_TRUE(unchanged(replaced(text, "int8", "float32")));
  EXPECT_TRUE(unchanged(replaced(replaced(text, "before = [0, 8, 0, 0]", "before = [0, 8, 1, 0]"),
                                 "int8[1, 32, 5, 4]", "int8[1, 32, 6, 4]")));
  EXPECT_TRUE(unchanged(replaced(replaced(text, "begin = [0, 0, 0, 0]", "begin = [0, 0, 1, 0]"),
                                 ", 5, 4]", ", 4, 4]")));
  EXPECT_TRUE(unchanged(replaced(text, "return %pad", "return %pad, %slice")));
}

constexpr char kPooledConcat[] = R"(graph fire
  %x = input() : int8[1, 16, 9, 9]
  %w = constant() : int8[16, 16, 1, 1]
  %b = constant() : int32[16]
  %a = qconv2d(%x, %w, %b) {hi = 127} : int8[1, 16, 9, 9]
  %c = qconv2d(%x, %w, %b) {lo = -127, hi = 127} : int8[1, 16, 9, 9]
  %cat = concat(%a, %c) {axis = 1} : int8[1, 32, 9, 9]
  %pool = max_pool2d(%cat) {kernel = [3, 3], stride = [2, 2]} : int8[1, 32, 4, 4]
  %y = flatten(%pool) : int8[1, 512]
  return %y
)";

TEST(HoistPools, MovesAPoolFromAConcatToItsConvolutions) {
  Graph graph = graph::from_text(kPooledConcat);
  EXPECT_TRUE(hoist_pools(graph));
  EXPECT_NO_THROW(graph::verify(graph));
  const std::string text = graph::to_text(graph);
  const auto at = [&](const std::string& line) { return text.find(line); };
  EXPECT_NE(at("%pool.a = max_pool2d(%a) {kernel = [3, 3], stride = [2, 2]} : int8[1, 16, 4, 4]"),
            std::string::npos)
      << text;
  EXPECT_NE(at("%cat.pooled = concat(%pool.a, %pool.c) {axis = 1} : int8[1, 32, 4, 4]"),
            std::string::npos)
      << text;
  EXPECT_NE(at("%y = flatten(%cat.pooled)"), std::string::npos) << text;
  EXPECT_FALSE(hoist_pools(graph)) << "idempotent";
}

TEST(HoistPools, DoesNotChangeOtherConcats) {
  const auto changes = [](const std::string& from, const std::string& to) {
    Graph graph = graph::from_text(replaced(kPooledConcat, from, to));
    return hoist_pools(graph);
  };
  EXPECT_TRUE(changes("fire", "other"));
  EXPECT_FALSE(changes("return %y", "return %y, %a")) << "another use of an operand";
  EXPECT_FALSE(changes("return %y", "return %y, %cat")) << "another use of the concat";
  EXPECT_FALSE(changes("return %y", "return %y, %pool")) << "an output keeps its name";
  EXPECT_FALSE(changes("concat(%a, %c)", "concat(%a, %a)")) << "one operand twice";
  EXPECT_FALSE(
      changes("%c = qconv2d(%x, %w, %b) {lo = -127, hi = 127}", "%c = qadd(%x, %x) {hi = 127}"));
}

TEST(Rebatch, ChangesOnlyTheBatchSize) {
  const Graph graph = rebatch(graph::from_text(kShortcut), test::core_named("vta_4x8"));
  graph::verify(graph);
  EXPECT_EQ(graph.node(graph.outputs()[0]).type.shape, (std::vector<int64_t>{4, 32, 5, 4}));
  EXPECT_EQ(graph::to_text(rebatch(graph, test::core_named("vta_1x16"))),
            graph::to_text(graph::from_text(kShortcut)));
}

// Images on other axes than the first, and on axes with other positions.
constexpr const char* kOddImages[] = {
    R"(graph first_axis_as_long_as_the_batch
%x = input() : float32[1, 3, 4]
%t = transpose(%x) {perm = [2, 0, 1]} : float32[4, 1, 3]
%s = strided_slice(%t) {begin = [0, 0, 0], end = [4, 1, 2], step = [1, 1, 1]} : float32[4, 1, 2]
%m = reduce_mean(%s) {axes = [0], keep_dims = false} : float32[1, 2]
return %m
)",
    R"(graph rows_of_all_images
%x = input() : float32[1, 4, 3]
%t = transpose(%x) {perm = [1, 0, 2]} : float32[4, 1, 3]
%rows = reshape(%t) {shape = [4, 3]} : float32[4, 3]
%w = constant() : float32[2, 3] = [1, 2, 3, -1, 0, 1]
%dense = dense(%rows, %w) : float32[4, 2]
%k = constant() : float32[4, 2] = [1, 2, 3, 4, 5, 6, 7, 8]
%sum = add(%dense, %k) : float32[4, 2]
%back = reshape(%sum) {shape = [4, 1, 2]} : float32[4, 1, 2]
%y = transpose(%back) {perm = [1, 0, 2]} : float32[1, 4, 2]
return %y
)",
    R"(graph images_before_rows
%x = input() : float32[1, 4, 3]
%rows = reshape(%x) {shape = [4, 3]} : float32[4, 3]
%k = constant() : float32[4, 1] = [1, 2, 3, 4]
%sum = mul(%k, %rows) : float32[4, 3]
%soft = softmax(%sum) {axis = 1} : float32[4, 3]
%y = reshape(%soft) {shape = [1, 3, 4]} : float32[1, 3, 4]
return %y
)",
    R"(graph products
%x = input() : float32[1, 2, 3]
%t = transpose(%x) {perm = [0, 2, 1]} : float32[1, 3, 2]
%p = matmul(%x, %t) : float32[1, 2, 2]
%k = constant() : float32[2, 2] = [1, 2, 3, 4]
%q = matmul(%k, %p) : float32[1, 2, 2]
return %q
)",
    R"(graph constants_without_images
%x = input() : int8[1, 2, 2, 2]
%k = constant() : int8[1, 2, 2, 2] = [1, 2, 3, 4, 5, 6, 7, 8]
%twice = qadd(%k, %k) {lo = -127, hi = 127} : int8[1, 2, 2, 2]
%sum = qadd(%x, %twice) {lo = -127, hi = 127} : int8[1, 2, 2, 2]
%all = concat(%k, %sum) {axis = 1} : int8[1, 4, 2, 2]
return %all
)",
    R"(graph one_image_of_one
%x = input() : float32[1, 2, 3]
%s = strided_slice(%x) {begin = [0, 0, 0], end = [-1, 2, 3], step = [-1, 1, 1]} : float32[1, 2, 3]
%flat = flatten(%s) : float32[1, 6]
return %flat
)"};

Tensor numbers(const TensorType& type, int64_t seed) {
  Tensor result(type);
  for (int64_t i = 0; i < type.num_elems(); ++i) {
    const auto value = static_cast<int8_t>((i * 7 + seed * 13) % 23 - 11);
    if (type.dtype == DType::kInt8) {
      result.mutable_data<int8_t>()[i] = value;
    } else {
      result.mutable_data<float>()[i] = value;
    }
  }
  return result;
}

TEST(Rebatch, KeepsThePlacesOfInputs) {
  Graph graph = graph::from_text(kShortcut);
  const NodeId x = graph.inputs()[0];
  const NodeId other = graph.add_input("other", graph.node(x).type);
  graph.node(other).attrs.index = 0;
  graph.node(x).attrs.index = 1;
  graph.set_outputs({graph.outputs()[0], graph.add(OpKind::kQAdd, "sum", {other, other})});
  const Graph all = rebatch(graph, test::core_named("vta_4x8"));
  graph::verify(all);
  EXPECT_EQ(all.node(all.inputs()[0]).name, "other");
}

TEST(Rebatch, KeepsTheResultOfEachImage) {
  const CoreConfig core = test::core_named("vta_4x8");
  for (const char* text : kOddImages) {
    const Graph one = graph::from_text(text);
    const Graph all = rebatch(one, core);
    SCOPED_TRACE(graph::to_text(all));
    graph::verify(all);
    Tensor stacked(all.node(all.inputs()[0]).type);
    std::vector<uint8_t> input, expected;
    for (int64_t i = 0; i < core.batch; ++i) {
      const Tensor image = numbers(one.node(one.inputs()[0]).type, i);
      input.insert(input.end(), image.bytes().begin(), image.bytes().end());
      const Tensor result = test::run_by_reference(one, {image}).at(0);
      expected.insert(expected.end(), result.bytes().begin(), result.bytes().end());
    }
    std::ranges::copy(input, stacked.mutable_bytes().begin());
    EXPECT_TRUE(std::ranges::equal(test::run_by_reference(all, {stacked}).at(0).bytes(), expected));
  }
}

TEST(Rebatch, DoesNotChangeAGraphOfTheCoresBatchSize) {
  for (const char* text : kOddImages) {
    const Graph graph = graph::from_text(text);
    EXPECT_EQ(graph::to_text(rebatch(graph, test::core_named("vta_1x16"))), graph::to_text(graph));
  }
}

std::string rebatch_error(const std::string& layer) {
  const Graph graph =
      graph::from_text("graph g\n%x = input() : float32[1, 2, 4, 4]\n" + layer + "\nreturn %y\n");
  return error_in([&] { rebatch(graph, test::core_named("vta_4x8")); }, ErrorCode::kUnsupported);
}

TEST(Rebatch, RefusesOperatorsThatCombineImages) {
  EXPECT_EQ(rebatch_error("%y = softmax(%x) {axis = 0} : float32[1, 2, 4, 4]"),
            "core vta_4x8 takes 4 images at once; layer y (softmax) combines them");
  for (const char* layer : {
           "%y = arg_max(%x) {axis = -4} : int32[1, 2, 4, 4]",
           "%y = reduce_mean(%x) {axes = [0, 1, 2, 3]} : float32[1, 1, 1, 1]",
           "%y = concat(%x, %x) {axis = 0} : float32[2, 2, 4, 4]",
           "%y = pad(%x) {before = [1, 0, 0, 0], after = [0, 0, 0, 0]} : float32[2, 2, 4, 4]",
           "%t = transpose(%x) {perm = [1, 2, 3, 0]} : float32[2, 4, 4, 1]\n"
           "%k = constant() : float32[1, 3] = [1, 2, 3]\n"
           "%y = matmul(%t, %k) : float32[2, 4, 4, 3]",
           "%t = transpose(%x) {perm = [1, 0, 2, 3]} : float32[2, 1, 4, 4]\n"
           "%y = global_avg_pool2d(%t) : float32[2, 1, 1, 1]",
           "%s = strided_slice(%x) {begin = [0, 0, 0, 0], end = [1, 2, 3, 4], step = [1, 1, 1, 1]}"
           " : float32[1, 2, 3, 4]\n"
           "%t = transpose(%s) {perm = [2, 0, 1, 3]} : float32[3, 1, 2, 4]\n"
           "%y = reshape(%t) {shape = [8, 3]} : float32[8, 3]",
           "%k = constant() : float32[2, 1, 1, 1] = [1, 2]\n"
           "%y = add(%x, %k) : float32[2, 2, 4, 4]",
       }) {
    EXPECT_NE(rebatch_error(layer).find("layer y ("), std::string::npos) << layer;
  }
  EXPECT_EQ(rebatch_error("%y = transpose(%x) {perm = [1, 0, 2, 3]} : float32[2, 1, 4, 4]"),
            "core vta_4x8 takes 4 images at once; output y does not have them on its first axis");
}

// A constant has the same row for both images; each of the core's four images has that row once.
TEST(Rebatch, TakesGraphsOfSeveralImages) {
  const auto rebatched = [](const std::string& constant) {
    return rebatch(graph::from_text("graph g\n%x = input() : int8[2, 3, 1, 2]\n" + constant +
                                    "%y = concat(%x, %k) {axis = 1} : int8[2, 4, 1, 2]\n"
                                    "return %y\n"),
                   test::core_named("vta_4x8"));
  };
  const Graph all = rebatched("%k = constant() : int8[2, 1, 1, 2] = [5, 6, 5, 6]\n");
  graph::verify(all);
  EXPECT_EQ(all.node(all.outputs()[0]).type, (TensorType{DType::kInt8, {4, 4, 1, 2}}));
  EXPECT_NE(graph::to_text(all).find("int8[4, 1, 1, 2] = [5, 6, 5, 6, 5, 6, 5, 6]"),
            std::string::npos)
      << graph::to_text(all);
  EXPECT_THROW(rebatched("%k = constant() : int8[2, 1, 1, 2] = [5, 6, 5, 7]\n"), Error);
}

// An output that no input changes has a row for each image, or is refused.
TEST(Rebatch, RepeatsOutputsThatAreTheSameForEachImage) {
  const auto rebatched = [](const std::string& constant) {
    return rebatch(graph::from_text("graph g\n%x = input() : int8[1, 2]\n" + constant +
                                    "%y = concat(%x, %x) {axis = 1} : int8[1, 4]\n"
                                    "return %y, %k, %k\n"),
                   test::core_named("vta_4x8"));
  };
  const Graph all = rebatched("%k = constant() : int8[1, 3] = [5, 6, 7]\n");
  graph::verify(all);
  EXPECT_EQ(all.outputs()[1], all.outputs()[2]);
  const graph::Node& output = all.node(all.outputs()[1]);
  EXPECT_EQ(output.name, "k");
  EXPECT_EQ(output.type, (TensorType{DType::kInt8, {4, 3}}));
  EXPECT_NE(graph::to_text(all).find("int8[4, 3] = [5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6, 7]"),
            std::string::npos);
  const std::string refusal =
      error_in([&] { rebatched("%k = constant() : int8[2, 1] = [5, 6]\n"); });
  EXPECT_NE(refusal.find("output k is the same for each, and its first axis has 2 instead of 1"),
            std::string::npos)
      << refusal;
}

// A concat of 24 and 8 channels, whose halves are 16: every operator crosses blocks of 16.
Graph graph_of_moves() {
  Graph graph;
  const NodeId x = graph.add_input("x", {DType::kInt8, {1, 16, 2, 2}});
  OpAttrs attrs;
  attrs.hi = 127;
  const auto conv = [&](const std::string& name, int64_t channels) {
    const NodeId w =
        graph.add_constant(name + ".w", Tensor(TensorType{DType::kInt8, {channels, 16, 1, 1}}));
    const NodeId b = graph.add_constant(name + ".b", Tensor(TensorType{DType::kInt32, {channels}}));
    return graph.add(OpKind::kQConv2d, name, {x, w, b}, attrs);
  };
  OpAttrs concat, split, swap, join, slice;
  concat.axis = 1;
  split.shape = {1, 2, 16, 2, 2};
  swap.perm = {0, 2, 1, 3, 4};
  join.shape = {1, 32, 2, 2};
  slice.begin = {0, 15, 0, 0};
  slice.end = {1, 21, 2, 2};
  slice.step = {1, 1, 1, 1};
  const NodeId c = graph.add(OpKind::kConcat, "concat", {conv("a", 24), conv("b", 8)}, concat);
  const NodeId r = graph.add(OpKind::kReshape, "split", {c}, split);
  const NodeId t = graph.add(OpKind::kTranspose, "swap", {r}, swap);
  const NodeId s = graph.add(OpKind::kReshape, "shuffle", {t}, join);
  graph.set_outputs({graph.add(OpKind::kStridedSlice, "slice", {s}, slice)});
  return graph;
}

TEST(MoveChannels, MakesASequenceOfMovesOneSumOfConvolutions) {
  Graph graph = graph_of_moves();
  EXPECT_TRUE(move_channels(graph, test::core_named("vta_1x16")));
  const graph::Node& sum = graph.node(graph.outputs()[0]);
  ASSERT_EQ(sum.kind, OpKind::kQAdd);
  const graph::Node &a = graph.node(sum.inputs[0]), &b = graph.node(sum.inputs[1]);
  EXPECT_EQ(graph.node(a.inputs[0]).name, "a");
  EXPECT_EQ(graph.node(b.inputs[0]).name, "b");
  // Channels 15 to 20 of the shuffle are 23, 8, 24, 9, 25 and 10 of the concat.
  std::vector<int8_t> of_a(6 * 24, 0), of_b(6 * 8, 0);
  of_a[0 * 24 + 23] = of_a[1 * 24 + 8] = of_a[3 * 24 + 9] = of_a[5 * 24 + 10] = 1;
  of_b[2 * 8 + 0] = of_b[4 * 8 + 1] = 1;
  EXPECT_TRUE(std::ranges::equal(graph.node(a.inputs[1]).value.data<int8_t>(), of_a));
  EXPECT_TRUE(std::ranges::equal(graph.node(b.inputs[1]).value.data<int8_t>(), of_b));
  EXPECT_FALSE(move_channels(graph, test::core_named("vta_1x16"))) << "idempotent";
}

TEST(MoveChannels, LeavesMovesOfHostValues) {
  Graph graph;
  const NodeId x = graph.add_input("x", {DType::kInt8, {1, 32, 2, 2}});
  OpAttrs slice;
  slice.begin = {0, 3, 0, 0};
  slice.end = {1, 9, 2, 2};
  slice.step = {1, 1, 1, 1};
  graph.set_outputs({graph.add(OpKind::kStridedSlice, "slice", {x}, slice)});
  EXPECT_FALSE(move_channels(graph, test::core_named("vta_1x16")));
}

TEST(PackedText, ShiftsToTheLeftDoNotRound) {
  Graph graph;
  OpAttrs attrs;
  attrs.hi = 127;
  attrs.shift = -3;
  const NodeId x = graph.add_input("x", {DType::kInt8, {1, 16, 4, 4}});
  const NodeId w = graph.add_constant("w", Tensor(TensorType{DType::kInt8, {16, 16, 1, 1}}));
  const NodeId b = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {16}}));
  const NodeId conv = graph.add(OpKind::kQConv2d, "conv", {x, w, b}, attrs);
  graph.set_outputs({conv});
  graph.node(conv).on_core = true;
  const std::string text = packed_text(graph, test::core_named("vta_1x16"));
  EXPECT_NE(text.find("%conv.2 = left_shift(%conv.1, 3)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("right_shift"), std::string::npos) << text;
}

TEST(Partition, LeavesTheThinFirstConvolutionOnTheHost) {
  Graph graph;
  const auto conv = [&](const std::string& name, NodeId src, int64_t oc, int64_t groups) {
    const int64_t ic = graph.node(src).type.shape[1];
    OpAttrs attrs;
    attrs.groups = groups;
    attrs.lo = -127;
    attrs.hi = 127;
    const NodeId w =
        graph.add_constant(name + ".w", Tensor(TensorType{DType::kInt8, {oc, ic / groups, 1, 1}}));
    const NodeId b = graph.add_constant(name + ".b", Tensor(TensorType{DType::kInt32, {oc}}));
    return graph.add(OpKind::kQConv2d, name, {src, w, b}, attrs);
  };
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 3, 4, 4}});
  const NodeId first = conv("first", data, 32, 1);
  const NodeId second = conv("second", first, 32, 1);
  const NodeId grouped = conv("grouped", second, 32, 4);
  const NodeId narrow = conv("narrow", grouped, 5, 1);
  const NodeId thin = conv("thin", narrow, 32, 1);
  OpAttrs attrs;
  attrs.hi = 127;
  const NodeId add = graph.add(OpKind::kQAdd, "add", {second, grouped}, attrs);
  const NodeId host_add = graph.add(OpKind::kQAdd, "host_add", {first, first}, attrs);
  graph.set_outputs({add, host_add, thin});
  const HostReasons reasons =
      partition(graph, test::core_named("vta_1x16"), {.first_convolution = Place::kHost});
  EXPECT_EQ(reasons, (HostReasons{{first, HostReason::kFirstConvolution},
                                  {host_add, HostReason::kHostOperand}}));
  EXPECT_FALSE(graph.node(first).on_core);
  EXPECT_TRUE(graph.node(second).on_core);
  EXPECT_TRUE(graph.node(grouped).on_core);
  EXPECT_TRUE(graph.node(thin).on_core);
  EXPECT_TRUE(graph.node(add).on_core);
  EXPECT_FALSE(graph.node(host_add).on_core);
  EXPECT_EQ(
      partition(graph, test::core_named("vta_1x16"), {.start = "second", .stop = "thin"}).at(thin),
      HostReason::kOutsideRange);
  EXPECT_FALSE(graph.node(first).on_core);
  EXPECT_TRUE(graph.node(narrow).on_core);
  EXPECT_TRUE(partition(graph, test::core_named("vta_1x16")).empty());
  EXPECT_TRUE(graph.node(first).on_core);
  EXPECT_TRUE(graph.node(host_add).on_core);
}

// The core pads with zeros: where a value may be negative, the ALU writes -128 there. Views keep
// the sign.
TEST(Partition, TakesPaddedPoolsOfAnyValues) {
  const auto takes_pool = [](double lo, bool negative) {
    Graph graph;
    OpAttrs clip, pool;
    clip.lo = lo;
    clip.hi = 127;
    pool.kernel = {3, 3};
    pool.pad = {1, 1, 1, 1};
    const NodeId x = graph.add_input("x", {DType::kInt8, {1, 32, 1, 1}});
    const NodeId w = graph.add_constant("w", Tensor(TensorType{DType::kInt8, {32, 32, 1, 1}}));
    const NodeId b = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {32}}));
    const NodeId conv = graph.add(OpKind::kQConv2d, "conv", {x, w, b}, clip);
    const NodeId flat = graph.add(OpKind::kFlatten, "flat", {conv});
    OpAttrs image;
    image.shape = {1, 32, 1, 1};
    const NodeId view = graph.add(OpKind::kReshape, "view", {flat}, image);
    const NodeId result = graph.add(OpKind::kMaxPool2d, "pool", {view}, pool);
    graph.set_outputs({result});
    partition(graph, test::core_named("vta_1x16"));
    EXPECT_NE(is_never_negative(graph, graph.node(view)), negative);
    return graph.node(result).on_core;
  };
  EXPECT_TRUE(takes_pool(0, false));
  EXPECT_TRUE(takes_pool(-127, true));
}

// A resize by whole factors repeats elements.
TEST(Partition, TakesNearestResizesByWholeFactors) {
  const auto takes_resize = [](int64_t height, int64_t width, Coordinates coordinates) {
    Graph graph;
    OpAttrs conv, resize;
    conv.hi = 127;
    resize.out = {height, width};
    resize.coordinates = coordinates;
    resize.rounding = Rounding::kFloor;
    const NodeId x = graph.add_input("x", {DType::kInt8, {1, 16, 4, 5}});
    const NodeId w = graph.add_constant("w", Tensor(TensorType{DType::kInt8, {16, 16, 1, 1}}));
    const NodeId b = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {16}}));
    const NodeId image = graph.add(OpKind::kQConv2d, "conv", {x, w, b}, conv);
    const NodeId result = graph.add(OpKind::kResize2d, "resize", {image}, resize);
    graph.set_outputs({result});
    const HostReasons reasons = partition(graph, test::core_named("vta_1x16"));
    const bool takes = graph.node(result).on_core;
    EXPECT_EQ(reasons.empty(), takes);
    if (!takes) EXPECT_EQ(reasons.at(result), HostReason::kNoWholeFactor);
    return takes;
  };
  EXPECT_TRUE(takes_resize(8, 10, Coordinates::kAsymmetric));
  EXPECT_TRUE(takes_resize(4, 15, Coordinates::kAsymmetric));
  EXPECT_FALSE(takes_resize(6, 10, Coordinates::kAsymmetric));
  EXPECT_FALSE(takes_resize(2, 5, Coordinates::kAsymmetric));
  EXPECT_FALSE(takes_resize(8, 10, Coordinates::kAlignCorners));
}

TEST(Partition, RefusesCoresWithTwoBlockSizes) {
  Graph graph = graph::from_text(kShortcut);
  CoreConfig core = test::core_named("vta_1x16");
  core.block_out = 32;
  EXPECT_THROW(partition(graph, core), Error);
}

// The smallest accepted buffers have legal streams for every layer; the next smaller ones are
// refused by name.
TEST(Partition, RefusesCoresTooSmallForAnyStream) {
  Graph graph = graph::from_text(R"(graph small
%x = input() : int8[1, 32, 9, 8]
%w = constant() : int8[32, 32, 3, 3]
%b = constant() : int32[32]
%conv = qconv2d(%x, %w, %b) {kernel = [3, 3], pad = [1, 1, 1, 1], lo = -127, hi = 127} : int8[1, 32, 9, 8]
%sum = qadd(%conv, %x) {lo = -127, hi = 127} : int8[1, 32, 9, 8]
return %sum
)");
  CoreConfig core = test::core_named("vta_1x16");
  core.uop_buffer_bytes = 16 * core.uop_elem_bytes();
  core.inp_buffer_bytes = 2 * core.inp_elem_bytes();
  core.wgt_buffer_bytes = 2 * core.wgt_elem_bytes();
  core.acc_buffer_bytes = 8 * core.acc_elem_bytes();
  core.command_queue_depth = 1;
  core.token_queue_depth = 4;
  check(core);
  partition(graph, core);
  for (Mode mode : {Mode::kFused, Mode::kCompatible}) {
    EXPECT_NO_THROW(test::check_streams(lower(graph, core, mode).program));
  }
  const auto refusal = [&](CoreConfig small) -> std::string {
    return error_in([&] { partition(graph, small); });
  };
  CoreConfig small = core;
  small.uop_buffer_bytes /= 2;
  EXPECT_EQ(refusal(small),
            "core vta_1x16: uop_buffer_bytes holds 8 elements, the compiler needs at least 10");
  small = core;
  small.acc_buffer_bytes /= 2;
  EXPECT_EQ(refusal(small),
            "core vta_1x16: acc_buffer_bytes holds 4 elements, the compiler needs at least 8");
  small = core;
  small.token_queue_depth = 3;
  EXPECT_EQ(refusal(small), "core vta_1x16: token_queue_depth is 3, the compiler needs at least 4");
}

TEST(Lowering, MergesConsecutiveLayersIntoOneStream) {
  Graph graph = graph::from_text(R"(graph chain
%x = input() : int8[1, 32, 9, 8]
%w = constant() : int8[32, 32, 3, 3]
%b = constant() : int32[32]
%one = qconv2d(%x, %w, %b) {kernel = [3, 3], pad = [1, 1, 1, 1], lo = -127, hi = 127} : int8[1, 32, 9, 8]
%two = qconv2d(%one, %w, %b) {kernel = [3, 3], pad = [1, 1, 1, 1], lo = -127, hi = 127} : int8[1, 32, 9, 8]
%three = qconv2d(%two, %w, %b) {kernel = [3, 3], pad = [1, 1, 1, 1], lo = -127, hi = 127} : int8[1, 32, 9, 8]
return %three
)");
  const CoreConfig core = test::core_named("tiny_1x8");
  partition(graph, core);
  const auto num_streams = [&](Streams streams) {
    const Program program = lower(graph, core, Mode::kFused, {.streams = streams}).program;
    EXPECT_NO_THROW(test::check_streams(program));
    return streams_of(program).size();
  };
  EXPECT_EQ(num_streams(Streams::kMerged), 1u);
  EXPECT_EQ(num_streams(Streams::kPerLayer), 3u);
}

}  // namespace
}  // namespace vta::lower
