// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/passes.h"

#include <gtest/gtest.h>

#include "tests/unit/lower/core_run.h"

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

TEST(FuseShortcut, LeavesALayerTheNameThatItWouldGive) {
  Graph graph = graph::from_text(replaced(kShortcut, "%slice", "%pad.conv"));
  const NodeId taken = graph.add(OpKind::kQAdd, "pad.bias", {0, 0});
  graph.set_outputs({graph.outputs()[0], taken});
  EXPECT_TRUE(fuse_shortcut(graph, test::core_named("vta_1x16")));
  EXPECT_NO_THROW(graph::verify(graph));
}

TEST(FuseShortcut, LeavesOtherSlicesAndPadsAlone) {
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

TEST(Rebatch, ChangesImagesAndNothingElse) {
  const Graph graph = rebatch(graph::from_text(kShortcut), 4);
  graph::verify(graph);
  EXPECT_EQ(graph.node(graph.outputs()[0]).type.shape, (std::vector<int64_t>{4, 32, 5, 4}));
  EXPECT_EQ(graph::to_text(rebatch(graph, 1)), graph::to_text(graph::from_text(kShortcut)));
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
  partition(graph, test::core_named("vta_1x16"));
  EXPECT_FALSE(graph.node(first).on_core);
  EXPECT_TRUE(graph.node(second).on_core);
  EXPECT_TRUE(graph.node(grouped).on_core);
  EXPECT_TRUE(graph.node(thin).on_core);
  EXPECT_TRUE(graph.node(add).on_core);
  EXPECT_FALSE(graph.node(host_add).on_core);
}

TEST(Partition, RefusesCoresWithTwoBlockSizes) {
  Graph graph = graph::from_text(kShortcut);
  CoreConfig core = test::core_named("vta_1x16");
  core.block_out = 32;
  EXPECT_THROW(partition(graph, core), Error);
}

// The smallest buffers that are taken have legal streams for every layer, the next smaller ones are
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
  check(core);
  partition(graph, core);
  for (Mode mode : {Mode::kFused, Mode::kCompatible}) {
    EXPECT_NO_THROW(test::check_streams(lower(graph, core, mode).program));
  }
  const auto refusal = [&](CoreConfig small) -> std::string {
    try {
      partition(graph, small);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CoreConfig small = core;
  small.uop_buffer_bytes /= 2;
  EXPECT_EQ(refusal(small),
            "core vta_1x16: uop_buffer_bytes holds 8 elements, the compiler needs at least 9");
  small = core;
  small.acc_buffer_bytes /= 2;
  EXPECT_EQ(refusal(small),
            "core vta_1x16: acc_buffer_bytes holds 4 elements, the compiler needs at least 8");
}

}  // namespace
}  // namespace vta::lower
