// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/numbers/random.h"
#include "tests/support/error_in.h"

namespace vta::graph {
namespace {

TensorType image() { return {DType::kFloat32, {1, 2, 4, 4}}; }

TEST(Graph, InfersTypesAsNodesAreAdded) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const NodeId pooled = graph.add(OpKind::kGlobalAvgPool2d, "pooled", {x});
  EXPECT_EQ(graph.node(pooled).type.shape, (std::vector<int64_t>{1, 2, 1, 1}));
}

TEST(Graph, ANodeHasNoAttributesOfAnotherOperator) {
  Graph graph;
  const NodeId x = graph.add_input("x", {DType::kFloat32, {1, 4}});
  const Node& leaky =
      graph.node(graph.add(OpKind::kLeakyRelu, "leaky", {x}, OpAttrs(attr::alpha{0.5})));
  EXPECT_EQ(leaky.attrs_of<OpKind::kLeakyRelu>().alpha, 0.5);
  EXPECT_THROW(leaky.attrs_of<OpKind::kClip>(), std::logic_error);
  EXPECT_THROW(graph.add(OpKind::kRelu, "relu", {x}, leaky.attrs), std::logic_error);
  EXPECT_EQ(graph.order().size(), 2u);
}

// A fault of the model: NaN is equal to no attribute, not even to itself.
TEST(Graph, RefusesNaNByTheNameOfTheNode) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto leaky = [&] {
    graph.add(OpKind::kLeakyRelu, "leaky", {x}, OpAttrs(attr::alpha{nan}));
  };
  EXPECT_EQ(error_in(leaky, ErrorCode::kInvalidArgument),
            "leaky: leaky_relu: alpha nan is not finite");
}

TEST(Graph, NamesTheNodeOfInvalidOperands) {
  Graph graph;
  const NodeId x = graph.add_input("x", image());
  const Error error = expect_error([&] { graph.add(OpKind::kDense, "fc", {x, x}); });
  EXPECT_STREQ(error.what(), "fc: dense: input 0 is float32[1, 2, 4, 4], expected rows [n, ic]");
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

// What the queries give by looking at every node.
class Scan {
 public:
  explicit Scan(const Graph& graph) : graph_(graph) {}

  std::vector<NodeId> users(NodeId id) const {
    std::vector<NodeId> found;
    for (NodeId user : graph_.order()) {
      if (std::ranges::count(graph_.node(user).inputs, id) > 0) found.push_back(user);
    }
    return found;
  }
  bool has_name(const std::string& name) const {
    return std::ranges::any_of(graph_.order(),
                               [&](NodeId id) { return graph_.node(id).name == name; });
  }
  std::string free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; has_name(name); ++i) name = fmt::format("{}_{}", wanted, i);
    return name;
  }

 private:
  const Graph& graph_;
};

// One edit, as passes make them.
void edit(Graph& graph, Random& random) {
  const std::vector<NodeId> order = graph.order();
  const auto any = [&](size_t limit) { return order[random.next() % limit]; };
  const std::vector<std::string> names = {"relu", "relu_2", "sum", "sum_3", "a_b"};
  const std::string name = graph.free_name(names[random.next() % names.size()]);
  const size_t at = 1 + random.next() % order.size();
  switch (random.next() % 6) {
    case 0:
      graph.set_outputs({graph.add(OpKind::kAdd, name, {any(order.size()), any(order.size())})});
      break;
    case 1:
      if (at < order.size()) graph.insert_before(order[at], OpKind::kAdd, name, {any(at), any(at)});
      break;
    case 2:
      if (at < order.size() && !graph.node(order[at]).inputs.empty())
        graph.set_input(order[at], random.next() % 2, any(at));
      break;
    case 3:
      graph.rename(any(order.size()), name);
      break;
    case 4:
      if (at < order.size()) graph.replace_uses(order[at], any(at));
      break;
    default:
      if (random.next() % 4 == 0) graph.erase_dead();
  }
}

TEST(Graph, ItsIndicesAreThoseOfAScanAfterAnyEdits) {
  constexpr uint64_t kSeeds = 100;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Graph graph;
    graph.set_outputs({graph.add_input("relu", image())});
    for (int i = 0; i < 60; ++i) {
      edit(graph, random);
      ASSERT_NO_THROW(verify(graph));
      const Scan scan(graph);
      for (NodeId id : graph.order()) ASSERT_EQ(graph.users(id), scan.users(id));
      for (const char* name : {"relu", "relu_2", "sum", "sum_3", "a", "a_b"})
        ASSERT_EQ(graph.free_name(name), scan.free_name(name));
    }
  }
}

TEST(Graph, AnOperandThatIsChangedWithoutItsIndexIsABug) {
  Graph graph;
  const NodeId x = graph.add_input("x", image()), y = graph.add_input("y", image());
  const NodeId relu = graph.add(OpKind::kRelu, "relu", {x});
  graph.set_outputs({relu});
  verify(graph);
  graph.node(relu).inputs[0] = y;
  EXPECT_THROW(verify(graph), std::logic_error);
  graph.node(relu).inputs[0] = x;
  graph.node(relu).name = "other";
  EXPECT_THROW(verify(graph), std::logic_error);
}

}  // namespace
}  // namespace vta::graph
