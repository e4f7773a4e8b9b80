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
  std::string error() const {
    try {
      verify(graph_);
    } catch (const std::logic_error& found) {
      return found.what();
    }
    return "";
  }

  Graph graph_;
};

TEST_F(Verify, AcceptsAGoodGraph) { EXPECT_EQ(error(), ""); }

TEST_F(Verify, RefusesAttributesOfAnotherOperator) {
  node("out").attrs.alpha = 0.5;
  EXPECT_EQ(error(), "graph: %out has attributes that relu does not have");
}

TEST_F(Verify, RefusesTwoNodesOfOneName) {
  node("sum").name = "x";
  EXPECT_EQ(error(), "graph: two nodes have the name %x");
}

TEST_F(Verify, RefusesANameThatIsInvalidInText) {
  node("sum").name = "a b";
  EXPECT_EQ(error(), "graph: 'a b' is not a valid name");
}

TEST_F(Verify, RefusesALaterOperand) {
  node("sum").inputs[0] = node("out").id;
  EXPECT_EQ(error(), "graph: %sum uses node 3, which is not before it");
}

TEST_F(Verify, RefusesAnOperandThatDoesNotExist) {
  node("sum").inputs[0] = 77;
  EXPECT_EQ(error(), "graph: %sum uses node 77, which is not before it");
}

TEST_F(Verify, RefusesATypeOtherThanTheInferredOne) {
  node("out").type.shape = {1, 5};
  EXPECT_EQ(error(), "graph: %out has type float32[1, 5], but its operands give float32[1, 4]");
}

TEST_F(Verify, RefusesTheWrongNumberOfOperands) {
  node("sum").inputs.pop_back();
  EXPECT_EQ(error(), "graph: %sum: add has 1 input, expected 2");
}

TEST_F(Verify, RefusesOperandsOfASource) {
  node("c").inputs = {node("x").id};
  EXPECT_EQ(error(), "graph: %c is of kind constant but has operands");
}

TEST_F(Verify, RefusesAConstantOfAnotherType) {
  node("c").value = Tensor({DType::kFloat32, {1, 3}});
  EXPECT_EQ(error(), "graph: the value of constant %c is not of type float32[1, 4]");
  node("c").value = Tensor();
  EXPECT_NE(error(), "");
}

TEST(VerifyShifts, RefusesShiftsBeyondAnInt32) {
  const auto error = [](int shift) -> std::string {
    const Graph graph = from_text(
        fmt::format("graph g\n%x = input() : int8[1, 1]\n%w = constant() : int8[2, 1] = [1, 2]\n"
                    "%b = constant() : int32[2] = [0, 0]\n%n = constant() : int32[2] = [0, {}]\n"
                    "%y = qdense(%x, %w, %b, %n) {{lo = -127, hi = 127}} : int8[1, 2]\nreturn %y\n",
                    shift));
    try {
      verify(graph);
    } catch (const std::logic_error& found) {
      return found.what();
    }
    return "";
  };
  EXPECT_EQ(error(31), "");
  EXPECT_EQ(error(32), "graph: %y: shift 32 of channel 1 is outside 0 to 31");
  EXPECT_EQ(error(-1), "graph: %y: shift -1 of channel 1 is outside 0 to 31");
}

TEST_F(Verify, RefusesInputsWithoutConsecutiveIndices) {
  node("x").attrs.index = 1;
  EXPECT_EQ(error(), "graph: input %x has index 1, expected 0");
}

TEST_F(Verify, RefusesOutputsThatDoNotExist) {
  graph_.set_outputs({42});
  EXPECT_EQ(error(), "graph: output 42 does not exist");
  graph_.set_outputs({});
  EXPECT_EQ(error(), "graph: no outputs");
}

}  // namespace
}  // namespace vta::graph
