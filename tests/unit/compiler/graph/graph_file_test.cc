// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/files/safetensors.h"
#include "base/numbers/random.h"
#include "tests/support/error_in.h"

namespace vta::graph {
namespace {

// Constants of every element type, in the text and as arrays, including negative zero and infinity.
GraphFile example() {
  Random random(5);
  Tensor large(TensorType{DType::kFloat32, {4, 5, 1, 1}});
  for (float& x : large.mutable_data<float>()) x = static_cast<float>(random.normal() / 3);
  large.mutable_data<float>()[3] = -0.0f;
  Tensor weights(TensorType{DType::kInt8, {3, 4, 3, 3}});
  for (int8_t& x : weights.mutable_data<int8_t>())
    x = static_cast<int8_t>(random.between(-127, 127));
  Graph graph;
  graph.name = "example";
  const NodeId x = graph.add_input("data", {DType::kFloat32, {1, 5, 6, 6}});
  const NodeId w = graph.add_constant("w", large);
  const NodeId b = graph.add_constant("b", Tensor({4}, std::vector<float>{0.1f, -0.0f, 1e-30f, 3}));
  const NodeId conv = graph.add(OpKind::kConv2d, "conv", {x, w, b});
  OpAttrs attrs;
  attrs.frac_bits = 4;
  const NodeId q = graph.add(OpKind::kQuantize, "q", {conv}, attrs);
  OpAttrs window;
  window.kernel = {3, 3};
  window.hi = 127;
  window.lo = -127;
  const NodeId w2 = graph.add_constant("w2", weights);
  const NodeId b2 = graph.add_constant("b2", Tensor({3}, std::vector<int32_t>{1, -5, 1 << 30}));
  const NodeId shifts = graph.add_constant("shifts", Tensor({3}, std::vector<int32_t>{3, 0, 31}));
  graph.set_outputs({graph.add(OpKind::kQConv2d, "conv2", {q, w2, b2, shifts}, window)});
  return {graph, {{"network", "{\"a\": \"\\n\"}"}}};
}

std::vector<uint8_t> changed(const std::function<void(SafetensorsFile&)>& change) {
  SafetensorsFile file = parse_safetensors_file(to_bytes(example()));
  change(file);
  return to_safetensors(file);
}

void expect_corrupt(const std::vector<uint8_t>& bytes, const std::string& part) {
  const Error error = expect_error([&] { parse_graph_file(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

TEST(GraphFileTest, RoundTripsBitByBit) {
  const GraphFile file = example();
  const std::vector<uint8_t> bytes = to_bytes(file);
  const GraphFile again = parse_graph_file(bytes);
  EXPECT_EQ(to_text(again.graph), to_text(file.graph));
  EXPECT_EQ(again.notes, file.notes);
  for (NodeId id : file.graph.order()) {
    const Node& node = file.graph.node(id);
    if (node.kind != OpKind::kConstant) continue;
    const auto a = node.value.bytes(), b = again.graph.node(id).value.bytes();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << node.name;
  }
  EXPECT_EQ(to_bytes(again), bytes);
}

TEST(GraphFileTest, RefusesOtherFiles) {
  expect_corrupt(to_safetensors({{}, {}}), "not a graph file: format ''");
}

TEST(GraphFileTest, RefusesInconsistentFiles) {
  expect_corrupt(changed([](auto& file) { file.arrays.erase("w2"); }), "no array for constant %w2");
  expect_corrupt(changed([](auto& file) { file.arrays["w3"] = file.arrays["w2"]; }),
                 "array 'w3' is not a constant");
  expect_corrupt(changed([](auto& file) { file.arrays["w2"].type = ArrayType::kUint8; }),
                 "constant %w2 is int8[3, 4, 3, 3], its array uint8");
  expect_corrupt(changed([](auto& file) { file.arrays["w2"].bytes[7] ^= 1; }),
                 "do not match the graph's text");
  expect_corrupt(changed([](auto& file) { file.metadata["graph"] += "x"; }), "line 12");
  expect_corrupt(changed([](auto& file) { file.metadata["graph"] = ""; }), "graph text");
}

TEST(GraphFileTest, RefusesEveryTruncation) {
  const std::vector<uint8_t> bytes = to_bytes(example());
  for (size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_THROW(parse_graph_file(std::span(bytes).first(size)), Error) << size;
  }
}

}  // namespace
}  // namespace vta::graph
