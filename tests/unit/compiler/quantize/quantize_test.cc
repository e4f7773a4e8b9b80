// SPDX-License-Identifier: Apache-2.0
//
// Quantization of small graphs.
#include "compiler/quantize/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/numbers/random.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/run_graph.h"
#include "tests/support/error_in.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

Tensor random_tensor(uint64_t seed, std::vector<int64_t> shape, double scale) {
  Random random(seed);
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(random.normal() * scale);
  return tensor;
}

// Adds layers with random weights to a graph with input [1, 4, 6, 6].
struct NetBuilder {
  Graph graph;
  NodeId x = graph.add_input("data", {DType::kFloat32, {1, 4, 6, 6}});
  uint64_t seed = 1;

  NodeId conv(NodeId from, const std::string& name, double scale = 0.2) {
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.pad = {1, 1, 1, 1};
    const NodeId w =
        graph.add_constant(name + ".weight", random_tensor(seed++, {4, 4, 3, 3}, scale));
    const NodeId b = graph.add_constant(name + ".bias", random_tensor(seed++, {4}, 0.5));
    return graph.add(OpKind::kConv2d, name, {from, w, b}, attrs);
  }
  NodeId dense(NodeId from, const std::string& name, int64_t out) {
    const int64_t in = graph.node(from).type.shape[1];
    const NodeId w = graph.add_constant(name + ".weight", random_tensor(seed++, {out, in}, 0.3));
    return graph.add(OpKind::kDense, name, {from, w});
  }
  NodeId op(OpKind kind, const std::string& name, std::vector<NodeId> inputs, OpAttrs attrs = {}) {
    return graph.add(kind, name, std::move(inputs), attrs);
  }
  Graph finish(NodeId output) {
    graph.set_outputs({output});
    return std::move(graph);
  }
};

std::vector<std::vector<Tensor>> calibration(double scale = 1) {
  std::vector<std::vector<Tensor>> inputs;
  for (uint64_t i = 0; i < 4; ++i) inputs.push_back({random_tensor(100 + i, {1, 4, 6, 6}, scale)});
  return inputs;
}

const Node& named(const Graph& graph, const std::string& name) {
  for (NodeId id : graph.order()) {
    if (graph.node(id).name == name) return graph.node(id);
  }
  throw std::out_of_range(name);
}

bool has(const Graph& graph, const std::string& name) {
  return std::any_of(graph.order().begin(), graph.order().end(),
                     [&](NodeId id) { return graph.node(id).name == name; });
}

std::vector<std::string> kinds(const Graph& graph) {
  std::vector<std::string> result;
  for (NodeId id : graph.order()) {
    if (graph.node(id).kind != OpKind::kConstant) result.push_back(to_string(graph.node(id).kind));
  }
  return result;
}

// Signal-to-noise ratio of the integer graph's outputs on its calibration inputs.
double signal_to_noise(const Graph& exact, const Graph& integer) {
  double signal = 0, noise = 0;
  for (const std::vector<Tensor>& inputs : calibration()) {
    const Tensor a = run_graph(exact, inputs)[0], b = run_graph(integer, inputs)[0];
    for (size_t i = 0; i < a.data<float>().size(); ++i) {
      signal += std::pow(a.data<float>()[i], 2);
      noise += std::pow(a.data<float>()[i] - b.data<float>()[i], 2);
    }
  }
  return signal / noise;
}

void expect_close(const Graph& exact, double least_ratio = 100) {
  for (Method method : {Method::kGlobal, Method::kMax, Method::kMse, Method::kKl}) {
    const Graph integer = quantize(exact, method, calibration());
    graph::verify(integer);
    EXPECT_GT(signal_to_noise(exact, integer), least_ratio) << to_string(method) << "\n"
                                                            << graph::to_text(integer);
  }
}

// x [1, rows, 16] times itself, transposed, then a dense layer.
Graph self_product(int64_t rows) {
  Graph graph;
  const NodeId x = graph.add_input("data", {DType::kFloat32, {1, rows, 16}});
  OpAttrs attrs;
  attrs.perm = {0, 2, 1};
  const NodeId turned = graph.add(OpKind::kTranspose, "turned", {x}, attrs);
  const NodeId product = graph.add(OpKind::kMatmul, "product", {x, turned});
  attrs = OpAttrs();
  attrs.shape = {rows, rows};
  const NodeId flat = graph.add(OpKind::kReshape, "flat", {product}, attrs);
  const NodeId w = graph.add_constant("w", random_tensor(2, {3, rows}, 0.3));
  graph.set_outputs({graph.add(OpKind::kDense, "dense", {flat, w})});
  return graph;
}

TEST(Quantize, MakesProductsOfMatricesIntegersBeforeLayers) {
  const Graph source = self_product(16);
  const Graph integer = quantize(source, Method::kMax, {{random_tensor(1, {1, 16, 16}, 1)}});
  const Node& product = named(integer, "product");
  ASSERT_EQ(product.kind, OpKind::kQMatmul);
  EXPECT_EQ(product.attrs.lo, -127);
  const Tensor x = random_tensor(1, {1, 16, 16}, 1);
  const Tensor exact = run_graph(source, {x}).at(0), rounded = run_graph(integer, {x}).at(0);
  for (size_t i = 0; i < exact.data<float>().size(); ++i)
    EXPECT_NEAR(rounded.data<float>()[i], exact.data<float>()[i], 1.5);
}

TEST(Quantize, LeavesSmallProductsOfMatricesInFloat) {
  const Graph source = self_product(8);  // 8 x 8 x 16 products of 8 x 16 + 16 x 8 + 8 x 8 elements
  const Graph integer = quantize(source, Method::kMax, {{random_tensor(1, {1, 8, 16}, 1)}});
  EXPECT_EQ(named(integer, "product").kind, OpKind::kMatmul);
  EXPECT_EQ(float_reasons(source, {}).at("product"), HostReason::kSmallProduct);
  EXPECT_EQ(float_reasons(source, {"product"}).at("product"), HostReason::kKeptFloat);
}

TEST(Quantize, SaysWhyAnOperatorBetweenLayersStaysFloat) {
  NetBuilder net;
  const NodeId early = net.op(OpKind::kRelu, "early", {net.x});
  OpAttrs attrs;
  attrs.axis = 1;
  const NodeId softmax = net.op(OpKind::kSoftmax, "softmax", {net.conv(early, "conv1")}, attrs);
  const NodeId relu = net.op(OpKind::kRelu, "relu", {softmax});
  const NodeId late = net.op(OpKind::kRelu, "late", {net.conv(relu, "conv2")});
  const Graph source = net.finish(net.op(OpKind::kSoftmax, "result", {late}, attrs));
  const auto reasons = float_reasons(source, {});
  EXPECT_EQ(reasons.at("early"), HostReason::kOutsideLayers);
  EXPECT_EQ(reasons.at("softmax"), HostReason::kNoIntegerForm);
  EXPECT_EQ(reasons.at("relu"), HostReason::kFloatNeighbour);
  EXPECT_EQ(reasons.at("late"), HostReason::kOutsideLayers);
  const auto kept = float_reasons(source, {"conv1"});  // the first layer is then conv2
  EXPECT_EQ(kept.at("conv1"), HostReason::kKeptFloat);
  EXPECT_EQ(kept.at("relu"), HostReason::kOutsideLayers);
}

// As after a normalization of instances: the average is zero but for roundings.
TEST(Quantize, TakesAnAverageThatIsNearlyZero) {
  NetBuilder net;
  std::vector<float> identity(16);
  for (size_t channel = 0; channel < 4; ++channel) identity[5 * channel] = 1;
  const NodeId weights = net.graph.add_constant("w", Tensor({4, 4, 1, 1}, identity));
  const NodeId conv = net.op(OpKind::kConv2d, "conv", {net.x, weights});
  const NodeId average = net.op(OpKind::kGlobalAvgPool2d, "average", {conv});
  const NodeId relu = net.op(OpKind::kRelu, "relu", {average});  // whose scale it may have
  const NodeId again = net.op(OpKind::kGlobalAvgPool2d, "again", {relu});
  const NodeId flat = net.op(OpKind::kFlatten, "flat", {again});
  const Graph source = net.finish(net.dense(flat, "dense", 3));
  std::vector<float> image(144);
  for (size_t i = 0; i < image.size(); ++i) image[i] = (i % 2 == 0 ? 1.0f : -1.0f) + 1e-6f;
  for (const Method method : {Method::kMax, Method::kMse, Method::kKl}) {
    const Graph integer = quantize(source, method, {{Tensor({1, 4, 6, 6}, image)}});
    EXPECT_EQ(named(integer, "average").kind, OpKind::kQAvgPool2d);
    EXPECT_EQ(named(integer, "average").attrs.shift, -16);
  }
}

TEST(Quantize, GlobalUsesFourFractionalBitsAndTheWeightsPowerOfTwo) {
  NetBuilder net;
  const NodeId conv = net.conv(net.x, "conv");
  const Graph exact = net.finish(conv);
  const auto weights = named(exact, "conv.weight").value.data<float>();
  float largest = 0;
  for (float w : weights) largest = std::max(largest, std::abs(w));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  EXPECT_EQ(kinds(integer),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "dequantize"}));
  EXPECT_EQ(named(integer, "data.quantize").attrs.frac_bits, 4);
  const OpAttrs& attrs = named(integer, "conv").attrs;
  EXPECT_EQ(attrs.shift, 7 - std::ceil(std::log2(largest)));  // n = 7 - ceil(log2 max|w|)
  EXPECT_EQ(attrs.lo, -127);
  EXPECT_EQ(attrs.hi, 127);
  EXPECT_FALSE(attrs.relu);
  EXPECT_EQ(named(integer, "conv.dequantize").attrs.frac_bits, 4);
}

TEST(Quantize, BiasHasTheScaleOfInputTimesWeights) {
  NetBuilder net;
  const NodeId conv = net.conv(net.x, "conv");
  const Graph exact = net.finish(conv);
  const float bias = named(exact, "conv.bias").value.data<float>()[0];
  const Graph integer = quantize(exact, Method::kGlobal, {});
  const int64_t frac_bits = 4 + named(integer, "conv").attrs.shift;
  EXPECT_EQ(named(integer, "conv.bias").value.data<int32_t>()[0],
            static_cast<int32_t>(std::round(std::ldexp(bias, static_cast<int>(frac_bits)))));
}

TEST(Quantize, WeightsHaveFewerBitsForALargeBias) {
  NetBuilder net;
  OpAttrs attrs;
  attrs.kernel = {1, 1};
  const NodeId w = net.graph.add_constant("w", random_tensor(1, {4, 4, 1, 1}, 0x1p-20));
  const NodeId b = net.graph.add_constant("b", Tensor({4}, std::vector<float>{7, -7, 5, 1}));
  const Graph exact = net.finish(net.graph.add(OpKind::kConv2d, "conv", {net.x, w, b}, attrs));
  expect_close(exact);
}

TEST(Quantize, FusesAReluThatIsTheOnlyUser) {
  NetBuilder net;
  const NodeId conv = net.conv(net.x, "conv");
  const Graph exact = net.finish(net.op(OpKind::kRelu, "relu", {conv}));
  const Graph integer = quantize(exact, Method::kMse, calibration());
  EXPECT_EQ(kinds(integer),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "dequantize"}));
  EXPECT_TRUE(named(integer, "conv").attrs.relu);
  EXPECT_EQ(named(integer, "conv").attrs.lo, 0);
  expect_close(exact);
}

TEST(Quantize, DoesNotFuseAReluIfItsInputHasOtherUsers) {
  NetBuilder net;
  const NodeId conv = net.conv(net.x, "conv");
  const NodeId relu = net.op(OpKind::kRelu, "relu", {conv});
  const Graph exact = net.finish(net.op(OpKind::kAdd, "add", {conv, relu}));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  EXPECT_FALSE(named(integer, "conv").attrs.relu);
  const Node& alone = named(integer, "relu");  // x + x at twice the scale
  EXPECT_EQ(alone.kind, OpKind::kQAdd);
  EXPECT_EQ(alone.inputs[0], alone.inputs[1]);
  EXPECT_EQ(alone.attrs.shift, 1);
  EXPECT_TRUE(alone.attrs.relu);
  expect_close(exact);
}

TEST(Quantize, FusesAClipWithItsLimits) {
  OpAttrs six;
  six.hi = 6;
  NetBuilder net;
  const NodeId conv = net.conv(net.x, "conv", 1.0);
  const Graph exact = net.finish(net.op(OpKind::kClip, "clip", {conv}, six));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  EXPECT_EQ(named(integer, "conv").attrs.hi, 96);  // 6 * 2^4
  EXPECT_EQ(named(integer, "conv").attrs.lo, 0);
  EXPECT_TRUE(named(integer, "conv").attrs.relu);
  expect_close(exact, 50);
}

TEST(Quantize, ResidualOperandsAreShiftedToTheFinerScale) {
  NetBuilder net;
  const NodeId a = net.conv(net.x, "a", 0.3), b = net.conv(net.x, "b", 0.02);
  const NodeId sum = net.op(OpKind::kAdd, "sum", {a, b});
  const Graph exact = net.finish(net.op(OpKind::kRelu, "relu", {sum}));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  const OpAttrs& attrs = named(integer, "sum").attrs;
  EXPECT_GT(attrs.shift_a, 0);
  EXPECT_EQ(attrs.shift_b, 0);
  EXPECT_GE(attrs.shift, attrs.shift_a - 1);
  EXPECT_TRUE(attrs.relu);
  expect_close(exact);
}

TEST(Quantize, ASumOfVeryDifferentScalesDoesNotWrap) {
  for (double scale : {1e-4, 1e-6, 1e-9}) {
    NetBuilder net;
    OpAttrs attrs;
    attrs.kernel = {1, 1};
    const NodeId small = net.graph.add_constant("small", random_tensor(3, {4, 4, 1, 1}, scale));
    const NodeId a = net.conv(net.x, "a", 50),
                 b = net.graph.add(OpKind::kConv2d, "b", {net.x, small}, attrs);
    const NodeId sum = net.op(OpKind::kAdd, "sum", {a, b});
    const Graph exact = net.finish(net.op(OpKind::kRelu, "relu", {sum}));
    const Graph integer = quantize(exact, Method::kMse, calibration());
    EXPECT_LE(named(integer, "sum").attrs.shift_a, 16);
    EXPECT_GT(signal_to_noise(exact, integer), 1000) << scale;
  }
}

TEST(Quantize, APaddingValueCountsForTheScale) {
  NetBuilder net;
  OpAttrs pad;
  pad.before = {0, 0, 1, 1};
  pad.after = {0, 0, 1, 1};
  pad.pad_value = 10;
  const NodeId small = net.conv(net.x, "small", 0.02);
  const NodeId padded = net.op(OpKind::kPad, "pad", {small}, pad);
  const Graph exact = net.finish(net.conv(padded, "conv"));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  EXPECT_GT(signal_to_noise(exact, integer), 100);
}

// One channel far below zero, where silu is constant.
TEST(Quantize, ValuesBeyondSaturationDoNotMakeTheScaleCoarser) {
  NetBuilder net;
  OpAttrs attrs;
  attrs.kernel = {1, 1};
  const NodeId w = net.graph.add_constant("w", random_tensor(9, {4, 4, 1, 1}, 0.5));
  const NodeId b =
      net.graph.add_constant("b", Tensor({4}, std::vector<float>{-100, 0.5, 0.2, 0.1}));
  const NodeId layer = net.graph.add(OpKind::kConv2d, "layer", {net.x, w, b}, attrs);
  const NodeId gated = net.op(OpKind::kSilu, "silu", {layer});
  const Graph exact = net.finish(net.conv(gated, "conv"));
  for (Method method : {Method::kMax, Method::kMse, Method::kKl}) {
    const Graph integer = quantize(exact, method, calibration());
    EXPECT_GT(signal_to_noise(exact, integer), 500) << to_string(method);
  }
}

TEST(UsefulRange, IsWhereAFunctionChanges) {
  const auto range = [](OpKind kind, OpAttrs attrs = {}) {
    NetBuilder net;
    const NodeId x = net.conv(net.x, "x");
    const NodeId y = net.op(kind, "y", {x}, attrs);
    const Graph graph = net.finish(net.conv(y, "conv"));
    return useful_range(graph, graph.node(x));
  };
  EXPECT_NEAR(range(OpKind::kSilu).value().lo, -7.6, 0.2);
  EXPECT_TRUE(std::isinf(range(OpKind::kSilu).value().hi));
  EXPECT_NEAR(range(OpKind::kTanh).value().lo, -3.1, 0.2);
  EXPECT_NEAR(range(OpKind::kTanh).value().hi, 3.1, 0.2);
  EXPECT_NEAR(range(OpKind::kHardSwish).value().lo, -3, 0.1);
  OpAttrs slope;
  slope.alpha = 2;  // above 1: a lookup, not an activation of the layer before
  EXPECT_TRUE(std::isinf(range(OpKind::kLeakyRelu, slope).value().lo));
  slope.alpha = 0.1;
  EXPECT_FALSE(range(OpKind::kLeakyRelu, slope).has_value()) << "in integers";
  EXPECT_FALSE(range(OpKind::kSoftmax).has_value()) << "not a function of one variable";
}

TEST(Quantize, PoolingAndMovementStayInIntegersAtOneScale) {
  NetBuilder net;
  OpAttrs pool, slice, pad;
  pool.kernel = pool.stride = {2, 2};
  slice.begin = {0, 0, 0, 0};
  slice.end = {1, 4, 3, 3};
  slice.step = {1, 1, 2, 2};
  pad.before = pad.after = {0, 1, 0, 0};
  NodeId x = net.op(OpKind::kMaxPool2d, "pool", {net.conv(net.x, "conv")}, pool);
  x = net.op(OpKind::kPad, "pad", {net.op(OpKind::kStridedSlice, "slice", {x}, slice)}, pad);
  const Graph exact = net.finish(net.op(OpKind::kFlatten, "flatten", {x}));
  const Graph integer = quantize(exact, Method::kMse, calibration());
  EXPECT_EQ(kinds(integer),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "max_pool2d", "strided_slice",
                                      "pad", "flatten", "dequantize"}));
  expect_close(exact);
}

TEST(Quantize, GlobalAverageTruncatesOnlyInTheGlobalMethod) {
  NetBuilder net;
  const Graph exact =
      net.finish(net.op(OpKind::kGlobalAvgPool2d, "pool", {net.conv(net.x, "conv")}));
  const Graph global = quantize(exact, Method::kGlobal, {});
  EXPECT_EQ(named(global, "pool").kind, OpKind::kGlobalAvgPool2d);
  EXPECT_EQ(named(global, "pool").type.dtype, DType::kInt32);
  EXPECT_EQ(named(global, "pool.dequantize").attrs.divisor, 1);
  const Graph mse = quantize(exact, Method::kMse, calibration());
  EXPECT_EQ(named(mse, "pool").kind, OpKind::kGlobalSumPool2d);
  EXPECT_EQ(named(mse, "pool.dequantize").attrs.divisor, 36);
}

TEST(Quantize, ClassifiersAreIntegersExceptInTheGlobalMethod) {
  NetBuilder net;
  NodeId x = net.op(OpKind::kFlatten, "flatten", {net.conv(net.x, "conv")});
  x = net.op(OpKind::kRelu, "relu", {net.dense(x, "hidden", 20)});
  x = net.op(OpKind::kSoftmax, "softmax", {net.dense(x, "classifier", 5)});
  const Graph exact = net.finish(x);
  const Graph integer = quantize(exact, Method::kMax, calibration());
  EXPECT_EQ(kinds(integer),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "flatten", "qdense", "qdense",
                                      "dequantize", "softmax"}));
  EXPECT_TRUE(named(integer, "hidden").attrs.relu);
  EXPECT_TRUE(has(integer, "hidden.bias"));  // zeros: qdense requires a bias
  const std::vector<std::string> in_float = {"input",  "quantize",   "qconv2d", "flatten",
                                             "qdense", "dequantize", "dense",   "softmax"};
  EXPECT_EQ(kinds(quantize(exact, Method::kGlobal, {})), in_float);
  Options options(Method::kMax);
  options.keep_float = {"classifier"};
  EXPECT_EQ(kinds(quantize(exact, options, calibration())), in_float);
  expect_close(exact, 20);
}

// Where the core may flatten them.
// Two convolutions of the inputs a and b, in this order; the graph may hold b's first, as ONNX
// models do whose nodes are in another order.
Graph two_inputs(bool has_b_first) {
  NetBuilder net;
  net.graph = Graph();
  const std::vector<std::string> order =
      has_b_first ? std::vector<std::string>{"b", "a"} : std::vector<std::string>{"a", "b"};
  std::map<std::string, NodeId> results;
  for (const std::string& name : order) {
    const NodeId x = net.graph.add_input(name, {DType::kFloat32, {1, 4, 6, 6}});
    net.seed = name == "a" ? 1 : 3;
    results[name] = net.conv(x, "conv_" + name);
  }
  for (const NodeId id : net.graph.order()) {
    Node& node = net.graph.node(id);
    if (node.kind == OpKind::kInput) node.attrs.index = node.name == "a" ? 0 : 1;
  }
  net.graph.set_outputs({results["a"], results["b"]});
  graph::verify(net.graph);
  return std::move(net.graph);
}

TEST(Quantize, TheOrderInWhichInputsAreUsedChangesNothing) {
  std::vector<std::vector<Tensor>> inputs;
  for (uint64_t i = 0; i < 16; ++i) {
    inputs.push_back(
        {random_tensor(100 + i, {1, 4, 6, 6}, 1), random_tensor(200 + i, {1, 4, 6, 6}, 30)});
  }
  for (const bool has_free_scales : {false, true}) {
    SCOPED_TRACE(has_free_scales);
    Options options(Method::kMse);
    options.free_scales = has_free_scales;
    const Graph straight = quantize(two_inputs(false), options, inputs);
    const Graph turned = quantize(two_inputs(true), options, inputs);
    EXPECT_EQ(turned.node(turned.inputs()[0]).name, "a");
    graph::verify(turned);
    const std::vector<Tensor> expected = run_graph(straight, inputs[0]);
    const std::vector<Tensor> found = run_graph(turned, inputs[0]);
    ASSERT_EQ(found.size(), 2u);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_TRUE(std::ranges::equal(found[i].bytes(), expected[i].bytes())) << i;
  }
}

TEST(Quantize, SumsAreFlattenedBeforeTheyBecomeFloats) {
  NetBuilder net;
  const NodeId x = net.op(OpKind::kGlobalAvgPool2d, "pool", {net.conv(net.x, "conv")});
  const Graph exact = net.finish(net.op(OpKind::kFlatten, "flatten", {x}));
  EXPECT_EQ(kinds(quantize(exact, Method::kMax, calibration())),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "global_sum_pool2d",
                                      "flatten", "dequantize"}));
  expect_close(exact, 50);
}

TEST(Quantize, AGlobalAverageContinuesIntoTheClassifier) {
  NetBuilder net;
  NodeId x = net.op(OpKind::kGlobalAvgPool2d, "pool", {net.conv(net.x, "conv", 0.5)});
  x = net.dense(net.op(OpKind::kFlatten, "flatten", {x}), "classifier", 5);
  const Graph exact = net.finish(x);
  EXPECT_EQ(kinds(quantize(exact, Method::kMse, calibration())),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "qavg_pool2d", "flatten",
                                      "qdense", "dequantize"}));
  EXPECT_EQ(kinds(quantize(exact, Method::kGlobal, {})),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "global_avg_pool2d",
                                      "dequantize", "flatten", "dense"}));
}

// `graph` has one output.
double largest_output(const Graph& graph) {
  double largest = 0;
  for (const std::vector<Tensor>& inputs : calibration()) {
    const Tensor output = run_graph(graph, inputs)[0];
    for (float y : output.data<float>()) largest = std::max(largest, std::abs(double{y}));
  }
  return largest;
}

// A convolution and a dense layer whose largest result is 4.04, just beyond 127 / 32: clipping it
// has the least squared error. With `more`, another dense layer follows.
Graph net_beyond_a_limit(bool more) {
  const auto build = [&](float factor, bool more) {
    NetBuilder net;
    const NodeId x = net.op(OpKind::kFlatten, "flatten", {net.conv(net.x, "conv")});
    Tensor weights = random_tensor(7, {200, 144}, 1);
    for (float& w : weights.mutable_data<float>()) w *= factor;
    const NodeId w = net.graph.add_constant("w", weights);
    const NodeId dense = net.graph.add(OpKind::kDense, "dense", {x, w});
    return net.finish(more ? net.dense(dense, "last", 5) : dense);
  };
  return build(static_cast<float>(4.04 / largest_output(build(1, false))), more);
}

TEST(Quantize, LogitsAreNotClipped) {
  for (Method method : {Method::kMse, Method::kKl}) {
    const Graph last = quantize(net_beyond_a_limit(false), method, calibration());
    EXPECT_EQ(named(last, "dense.dequantize").attrs.frac_bits, 4) << to_string(method);
    Options options(method);  // the scale of an inner layer's result
    options.keep_float = {"last"};
    const Graph inner = quantize(net_beyond_a_limit(true), options, calibration());
    EXPECT_EQ(named(inner, "dense.dequantize").attrs.frac_bits, 5) << to_string(method);
  }
}

TEST(Quantize, AveragePoolingBeforeALayerIsAnIntegerOperatorWithItsOwnScale) {
  NetBuilder net;
  OpAttrs pool;
  pool.kernel = {3, 3};
  pool.pad = {1, 1, 1, 1};
  const NodeId average = net.op(OpKind::kAvgPool2d, "pool", {net.conv(net.x, "a")}, pool);
  const Graph exact = net.finish(net.conv(average, "b", 0.4));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  EXPECT_EQ(kinds(integer), (std::vector<std::string>{"input", "quantize", "qconv2d", "qavg_pool2d",
                                                      "qconv2d", "dequantize"}));
  EXPECT_LT(named(integer, "pool").attrs.shift, 0);  // averages are smaller
  expect_close(exact, 50);
}

TEST(Quantize, OperatorsAfterTheLastLayerStayFloat) {
  NetBuilder net;
  const NodeId sigmoid = net.op(OpKind::kSigmoid, "sigmoid", {net.conv(net.x, "a")});
  const Graph exact = net.finish(net.op(OpKind::kMul, "mul", {sigmoid, sigmoid}));
  EXPECT_EQ(
      kinds(quantize(exact, Method::kMse, calibration())),
      (std::vector<std::string>{"input", "quantize", "qconv2d", "dequantize", "sigmoid", "mul"}));
  expect_close(exact);
}

TEST(Quantize, FusesALeakyRelu) {
  NetBuilder net;
  OpAttrs leaky;
  leaky.alpha = 0.1;
  const NodeId a =
      net.conv(net.op(OpKind::kLeakyRelu, "leaky", {net.conv(net.x, "a")}, leaky), "b");
  const NodeId alone = net.op(OpKind::kLeakyRelu, "alone", {a}, leaky);
  const Graph exact = net.finish(net.conv(net.op(OpKind::kAdd, "sum", {a, alone}), "c"));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  for (const char* name : {"a", "alone"}) {
    const Node& node = named(integer, name);
    EXPECT_EQ(node.kind, name == std::string("a") ? OpKind::kQConv2d : OpKind::kQAdd);
    EXPECT_EQ(node.attrs.leak, 205);  // / 2^11
    EXPECT_EQ(node.attrs.leak_shift, 11);
    EXPECT_EQ(node.attrs.lo, -127);
  }
  expect_close(exact, 40);
}

TEST(Quantize, FunctionsOfOneVariableBecomeTables) {
  NetBuilder net;
  OpAttrs leaky;
  leaky.alpha = 2;
  NodeId x = net.op(OpKind::kLeakyRelu, "leaky", {net.conv(net.x, "a")}, leaky);
  const NodeId three = net.graph.add_constant("three", Tensor({1}, std::vector<float>{3}));
  x = net.op(OpKind::kSub, "sub", {three, net.conv(x, "b")});
  const Graph exact = net.finish(net.conv(x, "c"));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  EXPECT_EQ(named(integer, "leaky").kind, OpKind::kLookup);
  const auto leaky_table = named(integer, "leaky.table").value.data<int8_t>();
  EXPECT_EQ(leaky_table[128 + 50], 50);                                       // 50 / 16
  EXPECT_EQ(leaky_table[128 - 50], -100);                                     // -50 / 16 * 2
  EXPECT_EQ(named(integer, "sub.table").value.data<int8_t>()[128 + 16], 32);  // 3 - 1 = 2
  expect_close(exact, 50);
}

TEST(Quantize, ProductsOfTensorsAreIntegers) {
  NetBuilder net;
  const NodeId a = net.conv(net.x, "a"),
               gate = net.op(OpKind::kSigmoid, "gate", {net.conv(a, "b")});
  const Graph exact = net.finish(net.conv(net.op(OpKind::kMul, "mul", {a, gate}), "c"));
  const Graph integer = quantize(exact, Method::kGlobal, {});
  EXPECT_EQ(named(integer, "mul").kind, OpKind::kQMul);
  EXPECT_EQ(named(integer, "mul").attrs.shift, 4);  // 4 + 4 - 4
  expect_close(exact, 40);
}

TEST(Quantize, OperandsThatOnlyAConcatUsesHaveItsScale) {
  NetBuilder net;
  OpAttrs channels;
  channels.axis = 1;
  const NodeId a = net.conv(net.x, "a", 0.5), b = net.conv(net.x, "b", 0.02);
  const NodeId relu = net.op(OpKind::kRelu, "relu", {b});
  const NodeId joined = net.op(OpKind::kConcat, "concat", {a, relu}, channels);
  const Graph exact =
      net.finish(net.op(OpKind::kFlatten, "flatten",
                        {net.op(OpKind::kStridedSlice, "slice", {joined},
                                OpAttrs(attr::begin{{0, 0, 0, 0}}, attr::end{{1, 8, 6, 6}},
                                        attr::step{{1, 1, 2, 2}}))}));
  const NodeId flatten = exact.outputs()[0];
  Graph with_dense = exact;  // a following layer makes the concat an integer operator
  const NodeId w = with_dense.add_constant("w", random_tensor(50, {4, 72}, 0.2));
  const NodeId dense = with_dense.add(OpKind::kDense, "dense", {flatten, w});
  const NodeId w2 = with_dense.add_constant("w2", random_tensor(51, {4, 4}, 0.2));
  with_dense.set_outputs({with_dense.add(OpKind::kDense, "last", {dense, w2})});
  const Graph integer = quantize(with_dense, Method::kMax, calibration());
  EXPECT_EQ(named(integer, "concat").type.dtype, DType::kInt8);
  EXPECT_EQ(named(integer, "concat").inputs,
            (std::vector<NodeId>{named(integer, "a").id, named(integer, "b").id}));
  expect_close(with_dense);
}

TEST(Quantize, OperandsThatOthersUseAreRequantizedForAConcat) {
  NetBuilder net;
  OpAttrs channels;
  channels.axis = 1;
  const NodeId a = net.conv(net.x, "a", 0.5), b = net.conv(net.x, "b", 0.02);
  const NodeId joined = net.op(OpKind::kConcat, "concat", {a, b}, channels);
  const NodeId c = net.conv(b, "c");
  const NodeId w = net.graph.add_constant("w", random_tensor(50, {4, 8, 1, 1}, 0.2));
  const NodeId d = net.graph.add(OpKind::kConv2d, "d", {joined, w});
  const Graph exact = net.finish(net.op(OpKind::kAdd, "add", {c, d}));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  const Node& moved = named(integer, "b.requantize");
  EXPECT_EQ(moved.kind, OpKind::kQAdd);  // b + b at twice the scale
  EXPECT_GT(moved.attrs.shift, 1);
  EXPECT_EQ(named(integer, "concat").inputs[1], moved.id);
  expect_close(exact);
}

TEST(Quantize, TransposedConvolutionsAreIntegers) {
  NetBuilder net;
  OpAttrs attrs;
  attrs.kernel = {4, 4};
  attrs.stride = {2, 2};
  attrs.pad = {1, 1, 1, 1};
  attrs.groups = 2;
  const NodeId w = net.graph.add_constant("w", random_tensor(60, {4, 3, 4, 4}, 0.3));
  const Graph exact = net.finish(net.graph.add(OpKind::kConv2dTranspose, "up", {net.x, w}, attrs));
  const Graph integer = quantize(exact, Method::kMse, calibration());
  EXPECT_EQ(named(integer, "up").kind, OpKind::kQConv2dTranspose);
  EXPECT_EQ(named(integer, "up").type.shape, (std::vector<int64_t>{1, 6, 12, 12}));
  expect_close(exact);
}

TEST(Quantize, MovementsKeepTheScale) {
  NetBuilder net;
  OpAttrs resize, shuffle, transpose, reshape;
  resize.out = {12, 12};
  resize.coordinates = Coordinates::kAsymmetric;
  resize.rounding = vta::Rounding::kFloor;
  shuffle.block = 2;
  transpose.perm = {0, 1, 3, 2};
  reshape.shape = {1, 4, 144, 1};
  NodeId x = net.op(OpKind::kResize2d, "resize", {net.conv(net.x, "conv")}, resize);
  x = net.op(OpKind::kTranspose, "transpose", {x}, transpose);
  x = net.op(OpKind::kReshape, "reshape", {x}, reshape);
  const Graph exact = net.finish(net.op(OpKind::kGlobalMaxPool2d, "max", {x}));
  EXPECT_EQ(kinds(quantize(exact, Method::kMse, calibration())),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "resize2d", "transpose",
                                      "reshape", "global_max_pool2d", "dequantize"}));
  expect_close(exact);
}

TEST(Quantize, KeepFloatKeepsLayersInFloat) {
  NetBuilder net;
  const NodeId a = net.conv(net.x, "a"), b = net.conv(net.op(OpKind::kRelu, "relu", {a}), "b");
  const Graph exact = net.finish(net.conv(b, "c"));
  Options options(Method::kMse);
  options.keep_float = {"b"};
  const Graph integer = quantize(exact, options, calibration());
  EXPECT_EQ(kinds(integer),
            (std::vector<std::string>{"input", "quantize", "qconv2d", "dequantize", "conv2d",
                                      "quantize", "qconv2d", "dequantize"}));
  EXPECT_GT(signal_to_noise(exact, integer), 100);
}

TEST(Quantize, SharedWeightsAreQuantizedForEachLayer) {
  NetBuilder net;
  const NodeId a = net.conv(net.x, "a");
  const Node node = net.graph.node(a);
  const Graph exact = net.finish(
      net.graph.add(OpKind::kConv2d, "b", {a, node.inputs[1], node.inputs[2]}, node.attrs));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  graph::verify(integer);
  EXPECT_TRUE(has(integer, "a.weight_2"));
}

TEST(Quantize, MaxDoesNotClipAndFitsTheRange) {
  NetBuilder net;
  const Graph exact = net.finish(net.conv(net.x, "conv"));
  const Graph integer = quantize(exact, Method::kMax, calibration());
  int largest = 0;
  for (const std::vector<Tensor>& inputs : calibration()) {
    run_graph(integer, inputs, [&](const Node& node, const Tensor& value) {
      if (node.kind != OpKind::kQConv2d) return;
      for (int8_t x : value.data<int8_t>()) largest = std::max(largest, std::abs(int{x}));
    });
  }
  EXPECT_GT(largest, 60);
  EXPECT_LE(largest, 127);
}

TEST(Quantize, IsTheSameEveryTime) {
  NetBuilder net;
  const Graph exact = net.finish(net.conv(net.conv(net.x, "a"), "b"));
  EXPECT_EQ(graph::to_text(quantize(exact, Method::kMse, calibration())),
            graph::to_text(quantize(exact, Method::kMse, calibration())));
}

TEST(Quantize, ReportsProgress) {
  NetBuilder net;
  std::vector<double> fractions;
  quantize(net.finish(net.conv(net.x, "conv")), Method::kMse, calibration(),
           [&](double fraction) { fractions.push_back(fraction); });
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
}

template <typename Action>
void expect_error(ErrorCode code, const std::string& part, Action&& action) {
  const Error error = vta::expect_error([&] { action(); });
  EXPECT_EQ(error.code(), code);
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

TEST(Quantize, NamesTheLayerInErrors) {
  NetBuilder net;
  const Graph exact = net.finish(net.conv(net.x, "conv"));
  expect_error(ErrorCode::kInvalidArgument, "needs calibration",
               [&] { quantize(exact, Method::kMse, {}); });
  expect_error(
      ErrorCode::kInvalidArgument, "conv: the result for a calibration input is not finite", [&] {
        NetBuilder wild;
        quantize(wild.finish(wild.conv(wild.x, "conv", 1e30)), Method::kMax, calibration(1e30));
      });
  expect_error(ErrorCode::kInvalidArgument, "'best' is not one of global, max, mse, kl",
               [] { method_from_string("best"); });
  expect_error(ErrorCode::kInvalidArgument, "has no layer 'con'", [&] {
    Options options(Method::kMax);
    options.keep_float = {"con"};
    quantize(exact, options, calibration());
  });
  expect_error(ErrorCode::kInvalidArgument, "'global' excludes per-channel scales", [&] {
    Options options(Method::kGlobal);
    options.rounding = WeightRounding::kAdaptive;
    quantize(exact, options, {});
  });
}

// One that fold_batch_norm() leaves: of a vector, a sequence or a volume.
TEST(Quantize, BatchNormsThatAreNotFoldedStayFloat) {
  for (const Method method : {Method::kGlobal, Method::kMax, Method::kMse, Method::kKl}) {
    NetBuilder net;
    std::vector<NodeId> inputs = {net.conv(net.x, "conv")};
    for (const char* name : {"gamma", "beta", "mean", "variance"}) {
      inputs.push_back(net.graph.add_constant(name, Tensor({4}, std::vector<float>(4, 1))));
    }
    const NodeId norm = net.op(OpKind::kBatchNorm, "norm", inputs);
    const Graph exact = net.finish(net.conv(norm, "after"));
    const Graph integer = quantize(exact, method, calibration());
    EXPECT_TRUE(std::ranges::any_of(integer.order(), [&](NodeId id) {
      return integer.node(id).kind == OpKind::kBatchNorm;
    })) << to_string(method);
    EXPECT_EQ(float_reasons(exact, {}).at("norm"), HostReason::kNoIntegerForm);
  }
}

TEST(RunGraph, ShowsEveryResultAndChecksInputs) {
  NetBuilder net;
  const Graph exact = net.finish(net.conv(net.x, "conv"));
  std::vector<std::string> names;
  const Tensor image = random_tensor(9, {1, 4, 6, 6}, 1);
  run_graph(exact, {image}, [&](const Node& node, const Tensor& value) {
    EXPECT_EQ(value.type(), node.type);
    names.push_back(node.name);
  });
  EXPECT_EQ(names, (std::vector<std::string>{"data", "conv"}));
  expect_error(ErrorCode::kInvalidArgument, "data: input 0 is missing",
               [&] { run_graph(exact, {}); });
  expect_error(ErrorCode::kInvalidArgument,
               "data: the input is float32[1, 3, 6, 6], expected float32[1, 4, 6, 6]",
               [&] { run_graph(exact, {random_tensor(9, {1, 3, 6, 6}, 1)}); });
}

}  // namespace
}  // namespace vta::quantize
