// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/graph/graph.h"

namespace vta::graph {
namespace {

class Verify : public ::testing::Test {
 protected:
  Verify()
      : graph_(from_text("graph g\n"
                         "%x = input() : float32[1, 4]\n"
                         "%c = constant() : float32[1, 4] = [1, 2, 3, 4]\n"
                         "%sum = add(%x, %c) : float32[1, 4]\n"
                         "%out = relu(%sum) : float32[1, 4]\n"
                         "return %out\n")) {}

  Node& node(const std::string& name) {
    for (NodeId id : graph_.order()) {
      if (graph_.node(id).name == name) return graph_.node(id);
    }
    throw std::out_of_range(name);
  }
  std::string complaint() const {
    try {
      verify(graph_);
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  }

  Graph graph_;
};

TEST_F(Verify, AcceptsAGoodGraph) { EXPECT_EQ(complaint(), ""); }

TEST_F(Verify, RefusesTwoNodesOfOneName) {
  node("sum").name = "x";
  EXPECT_EQ(complaint(), "graph: two nodes are called %x");
}

TEST_F(Verify, RefusesANameThatTextCannotHold) {
  node("sum").name = "a b";
  EXPECT_EQ(complaint(), "graph: 'a b' is no name");
}

TEST_F(Verify, RefusesAnInputThatComesLater) {
  node("sum").inputs[0] = node("out").id;
  EXPECT_EQ(complaint(), "graph: %sum uses node 3, which is not before it");
}

TEST_F(Verify, RefusesAnInputThatDoesNotExist) {
  node("sum").inputs[0] = 77;
  EXPECT_EQ(complaint(), "graph: %sum uses node 77, which is not before it");
}

TEST_F(Verify, RefusesATypeThatOperandsDoNotGive) {
  node("out").type.shape = {1, 5};
  EXPECT_EQ(complaint(), "graph: %out says float32[1, 5], but its operands give float32[1, 4]");
}

TEST_F(Verify, RefusesTheWrongNumberOfOperands) {
  node("sum").inputs.pop_back();
  EXPECT_EQ(complaint(), "graph: %sum: add has 1 inputs, expected 2");
}

TEST_F(Verify, RefusesOperandsOfASource) {
  node("c").inputs = {node("x").id};
  EXPECT_EQ(complaint(), "graph: %c is constant and has operands");
}

TEST_F(Verify, RefusesAConstantOfAnotherType) {
  node("c").value = Tensor({DType::kFloat32, {1, 3}});
  EXPECT_EQ(complaint(), "graph: constant %c does not hold its type float32[1, 4]");
  node("c").value = Tensor();
  EXPECT_NE(complaint(), "");
}

TEST(VerifyShifts, RefusesShiftsBeyondAnInt32) {
  const auto complaint = [](int shift) -> std::string {
    const Graph graph = from_text(
        fmt::format("graph g\n%x = input() : int8[1, 1]\n%w = constant() : int8[2, 1] = [1, 2]\n"
                    "%b = constant() : int32[2] = [0, 0]\n%n = constant() : int32[2] = [0, {}]\n"
                    "%y = qdense(%x, %w, %b, %n) {{lo = -127, hi = 127}} : int8[1, 2]\nreturn %y\n",
                    shift));
    try {
      verify(graph);
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(31), "");
  EXPECT_EQ(complaint(32), "graph: %y: shift 32 of channel 1 is outside 0 to 31");
  EXPECT_EQ(complaint(-1), "graph: %y: shift -1 of channel 1 is outside 0 to 31");
}

TEST_F(Verify, RefusesInputsThatAreNotNumberedThrough) {
  node("x").attrs.index = 1;
  EXPECT_EQ(complaint(), "graph: input %x has index 1, expected 0");
}

TEST_F(Verify, RefusesOutputsThatDoNotExist) {
  graph_.set_outputs({42});
  EXPECT_EQ(complaint(), "graph: output 42 does not exist");
  graph_.set_outputs({});
  EXPECT_EQ(complaint(), "graph: no outputs");
}

}  // namespace
}  // namespace vta::graph
