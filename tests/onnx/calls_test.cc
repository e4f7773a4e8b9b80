// SPDX-License-Identifier: Apache-2.0
//
// Functions of models: PyTorch's exporter writes them for its own operators.
#include <gtest/gtest.h>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

constexpr const char* kDomain = "pkg.torch";

Tensor row(const std::vector<float>& elements) {
  return {{1, static_cast<int64_t>(elements.size())}, elements};
}

// y = max(x, 0) * b, with names that the model has, too.
struct ProductBody : ModelBuilder {
  ProductBody() : ModelBuilder(13) {
    input("x", {}).input("b", {}).node("Relu", {"x"}, {"h"}).node("Mul", {"h", "b"}, {"y"});
    output("y");
  }
};

TEST(OnnxCalls, AreTheNodesOfTheFunction) {
  ModelBuilder model(13);
  model.function(kDomain, "relu_times", ProductBody());
  model.input("x", {1, 3})
      .node("relu_times", {"x", "x"}, {"h"}, {}, kDomain)
      .node("relu_times", {"h", "x"}, {"z"}, {}, kDomain)
      .output("z");
  const Imported imported = import(model);
  EXPECT_EQ(kinds(imported.graph),
            (std::vector<OpKind>{OpKind::kRelu, OpKind::kMul, OpKind::kRelu, OpKind::kMul}));
  EXPECT_EQ(run(imported, {row({1, -2, 3})}), (std::vector<float>{1, 0, 27}));
  EXPECT_EQ(imported.graph.node(imported.graph.outputs()[0]).name, "z.y");
}

// Given, by default, absent.
TEST(OnnxCalls, GiveAttributesTheirValues) {
  ModelBuilder body(13);
  body.input("x", {}).node("LeakyRelu", {"x"}, {"y"}, {{"alpha", Reference{"slope"}}});
  body.output("y");
  const auto result = [&](const Attributes& defaults, const Attributes& given) {
    ModelBuilder model(13);
    model.function(kDomain, "leaky", body, defaults);
    model.input("x", {1, 1}).node("leaky", {"x"}, {"y"}, given, kDomain).output("y");
    return run(import(model), {row({-100})})[0];
  };
  EXPECT_FLOAT_EQ(result({}, {{"slope", 0.5f}}), -50);
  EXPECT_FLOAT_EQ(result({{"slope", 0.25f}}, {{"slope", 0.5f}}), -50);
  EXPECT_FLOAT_EQ(result({{"slope", 0.25f}}, {}), -25);
  EXPECT_FLOAT_EQ(result({}, {}), -1) << "LeakyRelu's own default";
}

TEST(OnnxCalls, UseTheOpsetOfTheFunction) {
  ModelBuilder body(11);  // Squeeze with an attribute
  body.input("x", {}).node("Squeeze", {"x"}, {"y"}, {{"axes", std::vector<int64_t>{1}}});
  body.output("y");
  ModelBuilder model(13);
  model.function(kDomain, "squeeze", body);
  model.input("x", {1, 1, 2}).node("squeeze", {"x"}, {"s"}, {}, kDomain).integers("axes", {0});
  model.node("Unsqueeze", {"s", "axes"}, {"y"}).output("y");
  EXPECT_EQ(import(model).outputs[0].dims, (Dims{1, 1, 2}));
}

TEST(OnnxCalls, MayOmitInputsAndOutputs) {
  ModelBuilder body(13);
  body.input("x", {}).input("min", {}).input("max", {}).node("Clip", {"x", "min", "max"}, {"y"});
  body.node("Relu", {"x"}, {"z"}).output("y").output("z");
  ModelBuilder model(13);
  model.function(kDomain, "limit", body);
  model.input("x", {1, 2}).floats("two", {}, {2});
  model.node("limit", {"x", "", "two"}, {"y"}, {}, kDomain).output("y");
  EXPECT_EQ(run(import(model), {row({-5, 5})}), (std::vector<float>{-5, 2}));
}

TEST(OnnxCalls, AreLimited) {
  ModelBuilder body(13);
  body.input("x", {}).node("again", {"x"}, {"y"}, {}, kDomain).output("y");
  ModelBuilder recursive(13);
  recursive.function(kDomain, "again", body);
  recursive.input("x", {1, 1}).node("again", {"x"}, {"y"}, {}, kDomain).output("y");
  EXPECT_NE(error_of(recursive).find("more than 32 functions call each other"), std::string::npos);

  // Each calls the next one twice: 2^31 nodes.
  ModelBuilder doubling(13);
  for (int i = 0; i < 31; ++i) {
    const std::string next = i < 30 ? fmt::format("f{}", i + 1) : "Relu";
    ModelBuilder twice(13);
    twice.input("x", {}).node(next, {"x"}, {"h"}, {}, i < 30 ? kDomain : "");
    twice.node(next, {"h"}, {"y"}, {}, i < 30 ? kDomain : "").output("y");
    doubling.function(kDomain, fmt::format("f{}", i), twice);
  }
  doubling.input("x", {1, 1}).node("f0", {"x"}, {"y"}, {}, kDomain).output("y");
  EXPECT_NE(error_of(doubling), "");
}

TEST(OnnxCalls, AreRefusedWithTheNodeInTheFunction) {
  ModelBuilder body(13);
  body.input("x", {}).node("Whatever", {"x"}, {"y"}).output("y");
  ModelBuilder model(13);
  model.function(kDomain, "f", body);
  model.input("x", {1, 1}).node("f", {"x"}, {"y"}, {}, kDomain).output("y");
  EXPECT_EQ(error_of(model), "node 'y' (f): node 'y.y' (Whatever): the operator is not supported");
  ModelBuilder more(13);
  more.function(kDomain, "relu_times", ProductBody());
  more.input("x", {1, 1}).node("relu_times", {"x", "x", "x"}, {"y"}, {}, kDomain).output("y");
  EXPECT_EQ(error_of(more),
            "node 'y' (relu_times): 3 inputs and 1 output for a function of 2 and 1");
}

}  // namespace
}  // namespace vta::onnx
