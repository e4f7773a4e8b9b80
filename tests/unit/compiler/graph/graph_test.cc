// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph.h"

#include <gtest/gtest.h>

namespace vta::graph {
namespace {

TensorType image() { return {DType::kFloat32, {1, 2, 4, 4}}; }

TEST(Graph, InfersTypesAsNodesAreAdded) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId pooled = graph.add(OpKind::kGlobalAvgPool2d, "pooled", {x});
  EXPECT_EQ(graph.node(pooled).type.shape, (std::vector<int64_t>{1, 2, 1, 1}));
}

TEST(Graph, NamesTheNodeOfInvalidOperands) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  try {
    graph.add(OpKind::kDense, "fc", {x, x});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "fc: dense: input 0 is float32[1, 2, 4, 4], expected rows [n, ic]");
  }
}

TEST(Graph, ListsInputsByIndexAndUsersInOrder) {
  Graph graph;
  const NodeId a = graph.add_input("a", image());
  const NodeId b = graph.add_input("b", image());
  const NodeId sum = graph.add(OpKind::kAdd, "sum", {a, b});
  const NodeId twice = graph.add(OpKind::kAdd, "twice", {sum, sum});
  EXPECT_EQ(graph.inputs(), (std::vector<NodeId>{a, b}));
  EXPECT_EQ(graph.users(sum), std::vector<NodeId>{twice});
  EXPECT_EQ(graph.users(a), std::vector<NodeId>{sum});
}

TEST(Graph, InsertsDirectlyBeforeANode) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId last = graph.add(OpKind::kRelu, "last", {x});
  const NodeId middle = graph.insert_before(last, OpKind::kRelu, "middle", {x});
  const NodeId constant = graph.insert_constant_before(middle, "c", Tensor(image()));
  EXPECT_EQ(graph.order(), (std::vector<NodeId>{x, constant, middle, last}));
}

TEST(Graph, ReplacesUsesAsOutputsToo) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId relu = graph.add(OpKind::kRelu, "relu", {x});
  const NodeId sum = graph.add(OpKind::kAdd, "sum", {relu, relu});
  graph.set_outputs({sum, relu});
  graph.replace_uses(relu, x);
  EXPECT_EQ(graph.node(sum).inputs, (std::vector<NodeId>{x, x}));
  EXPECT_EQ(graph.outputs(), (std::vector<NodeId>{sum, x}));
}

TEST(Graph, ErasesOnlyUnusedNodes) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId dead = graph.add(OpKind::kRelu, "dead", {x});
  const NodeId deader = graph.add(OpKind::kRelu, "deader", {dead});
  const NodeId out = graph.add(OpKind::kRelu, "out", {x});
  graph.set_outputs({out});
  EXPECT_THROW(graph.erase(dead), std::logic_error);
  EXPECT_TRUE(graph.erase_dead());
  EXPECT_FALSE(graph.erase_dead());
  EXPECT_EQ(graph.order(), (std::vector<NodeId>{x, out}));
  EXPECT_THROW(graph.node(deader), std::logic_error);
}

TEST(Graph, KeepsUnusedInputs) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId unused = graph.add_input("unused", image());
  graph.set_outputs({x});
  EXPECT_FALSE(graph.erase_dead());
  EXPECT_EQ(graph.order(), (std::vector<NodeId>{x, unused}));
}

}  // namespace
}  // namespace vta::graph
