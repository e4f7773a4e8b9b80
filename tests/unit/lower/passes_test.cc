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

TEST(Partition, LeavesThinAndGroupedConvolutionsOnTheHost) {
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
  OpAttrs attrs;
  attrs.hi = 127;
  const NodeId add = graph.add(OpKind::kQAdd, "add", {second, grouped}, attrs);
  const NodeId host_add = graph.add(OpKind::kQAdd, "host_add", {grouped, first}, attrs);
  graph.set_outputs({add, host_add});
  partition(graph, test::core_named("vta_1x16"));
  EXPECT_FALSE(graph.node(first).on_core);
  EXPECT_TRUE(graph.node(second).on_core);
  EXPECT_FALSE(graph.node(grouped).on_core);
  EXPECT_TRUE(graph.node(add).on_core);
  EXPECT_FALSE(graph.node(host_add).on_core);
}

TEST(Partition, RefusesCoresWithTwoBlockSizes) {
  Graph graph = graph::from_text(kShortcut);
  CoreConfig core = test::core_named("vta_1x16");
  core.block_out = 32;
  EXPECT_THROW(partition(graph, core), Error);
}

}  // namespace
}  // namespace vta::lower
