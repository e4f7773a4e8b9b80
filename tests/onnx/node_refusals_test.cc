// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_refusals.h"

#include <gtest/gtest.h>

#include "tests/onnx/model_builder.h"

namespace vta::onnx {
namespace {

std::vector<std::string> refusals(const ModelBuilder& builder) {
  return node_refusals(parse_model(builder.bytes()));
}

TEST(NodeRefusals, ANodeIsTakenOrRefusedAlone) {
  ModelBuilder builder(13);
  builder.input("x", {1, 4}).output("a", {1, 4}).output("b", {1, 4}).output("y", {1, 4});
  builder.node("Relu", {"x"}, {"a"}).node("NoSuchOperator", {"a"}, {"b"});
  builder.node("Add", {"b", "w"}, {"y"}).floats("w", {4}, {1, 2, 3, 4});
  const std::vector<std::string> whys = refusals(builder);
  ASSERT_EQ(whys.size(), 3u);
  EXPECT_EQ(whys[0], "");
  EXPECT_NE(whys[1].find("NoSuchOperator"), std::string::npos) << whys[1];
  EXPECT_EQ(whys[2], "") << "its operand's producer does not matter";
}

TEST(NodeRefusals, IntegersBetweenNodesAreTaken) {
  ModelBuilder builder(13);
  builder.input("x", {2, 4}).output("largest", {2, 1}).output("y", {2, 4});
  builder.node("ArgMax", {"x"}, {"largest"}, {{"axis", int64_t{1}}});
  builder.node("Relu", {"x"}, {"y"});
  EXPECT_EQ(refusals(builder), (std::vector<std::string>{"", ""}));
}

TEST(NodeRefusals, AValueWithoutATypeIsNamed) {
  ModelBuilder builder(13);
  builder.input("x", {1, 4}).output("y", {1, 4});
  builder.node("Relu", {"x"}, {"hidden"}).node("Relu", {"hidden"}, {"y"});
  for (const std::string& why : refusals(builder))
    EXPECT_EQ(why, "the model does not state the type of value 'hidden'");
}

}  // namespace
}  // namespace vta::onnx
