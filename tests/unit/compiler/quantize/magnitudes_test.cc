// SPDX-License-Identifier: Apache-2.0
//
// Networks of any magnitude: weights, biases and inputs from 1e-30 to 1e30, sums of up to 2^20
// products. int8 is close to fp32, or the network is refused by the name of a layer.
//
//   VTA_TEST_SEED, VTA_TEST_COUNT: seeds (tests/support/test_count.h)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/numbers/random.h"
#include "compiler/quantize/quantize.h"
#include "compiler/quantize/run_graph.h"
#include "compiler/quantize/sum_bounds.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;
using Inputs = std::vector<std::vector<Tensor>>;

constexpr double kMaxExponent = 30;  // of 10
constexpr double kMinDecibels = 10;  // int8 has 20 and more where nothing saturates or wraps

// A network and its inputs, of which the first is also run.
struct Case {
  Graph graph;
  Inputs inputs;
  std::string text;
};

class CaseBuilder {
 public:
  explicit CaseBuilder(uint64_t seed) : random_(seed) {}

  Case dense(int64_t inner) {
    begin({1, inner});
    const bool is_constant = below(2) == 0;
    magnitude_ += std::log10(static_cast<double>(inner)) / (is_constant ? 1 : 2);
    return finish(layer(x_, inner, is_constant), fmt::format("dense of {}", inner));
  }

  Case layers() {
    begin({1, 4, 6, 6});
    NodeId x = relu(conv(x_));
    if (below(2) == 0) x = conv_sum(x);
    if (below(2) == 0) x = result_.graph.add(OpKind::kGlobalAvgPool2d, name(), {x});
    return finish(conv(x), "layers");
  }

  // A concat, then a layer: the scales of its operands are far apart.
  Case concat() {
    begin({1, 4, 6, 6});
    const double before = magnitude_;
    const NodeId a = conv(x_);
    const double of_a = magnitude_;
    magnitude_ = before;
    const NodeId b = relu(conv(x_));
    magnitude_ = std::max(of_a, magnitude_);
    OpAttrs attrs;
    attrs.axis = 1;
    return finish(conv(result_.graph.add(OpKind::kConcat, name(), {a, b}, attrs)), "concat");
  }

  Case matrices(int64_t inner) {
    begin({2, inner});
    const NodeId other = result_.graph.add_input("other", {DType::kFloat32, {inner, 8}});
    const double of_other = exponent();
    for (auto& set : result_.inputs) set.push_back(tensor({inner, 8}, of_other));
    magnitude_ += of_other;
    const NodeId product = result_.graph.add(OpKind::kMatmul, "matmul", {x_, other});
    return finish(layer(product, 8, false), fmt::format("matmul of {}", inner));
  }

  Options options(int64_t inner) {
    constexpr Method kMethods[] = {Method::kMax, Method::kMse, Method::kKl};
    Options options(kMethods[below(3)]);
    options.free_scales = below(4) == 0;
    const bool is_short = inner <= 4096;
    const bool adaptive = is_short && below(2) == 0;
    options.rounding = adaptive ? WeightRounding::kAdaptive : WeightRounding::kNearest;
    if (options.free_scales) return options;
    options.per_channel = below(2) == 0;
    options.equalize = below(4) == 0;
    return options;
  }

  int64_t inner() { return std::llround(std::exp2(random_.unit() * 20)); }
  uint64_t kind() { return below(4); }

 private:
  uint64_t below(uint64_t limit) { return random_.next() % limit; }

  // An exponent of 10 such that the magnitude of the result stays within limits.
  double exponent() {
    const double wanted = (2 * random_.unit() - 1) * kMaxExponent;
    return std::clamp(wanted, -kMaxExponent - magnitude_, kMaxExponent - magnitude_);
  }

  Tensor tensor(std::vector<int64_t> shape, double exponent) {
    Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
    for (float& x : tensor.mutable_data<float>())
      x = static_cast<float>(random_.normal() * std::pow(10, exponent));
    return tensor;
  }

  std::string name() { return fmt::format("layer{}", num_layers_++); }

  void begin(const std::vector<int64_t>& shape) {
    x_ = result_.graph.add_input("data", {DType::kFloat32, shape});
    magnitude_ = exponent();
    for (int i = 0; i < 8; ++i) result_.inputs.push_back({tensor(shape, magnitude_)});
  }

  NodeId constant(Tensor value) {
    return result_.graph.add_constant(name() + ".c", std::move(value));
  }

  // A bias as large as the sums, much larger, or much smaller.
  NodeId bias(int64_t count) {
    constexpr double kFactors[] = {0, 0, 0, 4, -8};
    // From 1e-30: units of results end at 2^-122.
    const double of_bias = std::max(magnitude_ + kFactors[below(5)], -kMaxExponent);
    magnitude_ = std::max(magnitude_, of_bias);
    return constant(tensor({count}, of_bias));
  }

  NodeId conv(NodeId x) {
    const int64_t in = result_.graph.node(x).type.shape[1];
    OpAttrs attrs;
    attrs.kernel = {1, 1};
    const double of_weights = exponent();
    const NodeId weights = constant(tensor({4, in, 1, 1}, of_weights));
    magnitude_ += of_weights;
    const NodeId b = bias(4);
    return result_.graph.add(OpKind::kConv2d, name(), {x, weights, b}, attrs);
  }

  NodeId conv_sum(NodeId x) {
    const double before = magnitude_;
    const NodeId other = conv(x);
    magnitude_ = std::max(before, magnitude_);
    return relu(result_.graph.add(OpKind::kAdd, name(), {x, other}));
  }

  NodeId relu(NodeId x) { return result_.graph.add(OpKind::kRelu, name(), {x}); }

  NodeId layer(NodeId x, int64_t inner, bool of_one_weight) {
    const double of_weights = exponent();
    Tensor weights = tensor({2, inner}, of_weights);
    if (of_one_weight) {
      const auto values = weights.mutable_data<float>();
      std::ranges::fill(values, values[0]);
      for (auto& set : result_.inputs) make_positive(set[0]);
    }
    magnitude_ += of_weights;
    return result_.graph.add(OpKind::kDense, name(), {x, constant(std::move(weights)), bias(2)});
  }

  static void make_positive(Tensor& tensor) {
    for (float& x : tensor.mutable_data<float>()) x = std::abs(x);
  }

  Case finish(NodeId output, std::string text) {
    result_.graph.name = "network";
    result_.graph.set_outputs({output});
    result_.text = std::move(text);
    return std::move(result_);
  }

  Random random_;
  Case result_;
  NodeId x_ = -1;
  double magnitude_ = 0;  // of the last result, as an exponent of 10
  int num_layers_ = 0;
};

// The squares of a network's results in fp32, and of what int8 adds to them.
struct Squares {
  double signal = 0, noise = 0;

  void add(const Tensor& exact, const Tensor& integer) {
    for (int64_t i = 0; i < exact.num_elems(); ++i) {
      const double a = exact.data<float>()[i], b = integer.data<float>()[i];
      signal += a * a;
      noise += (a - b) * (a - b);
    }
  }
  double decibels() const { return noise == 0 ? 300 : 10 * std::log10(signal / noise); }
};

double decibels(const Tensor& exact, const Tensor& integer) {
  Squares squares;
  squares.add(exact, integer);
  return squares.decibels();
}

// nullopt if the network is refused.
std::optional<Graph> quantized_or_refused(const Case& network, const Options& options) {
  try {
    Graph integer = quantize(network.graph, options, network.inputs, {});
    check_sums(integer);
    return integer;
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("--keep-float"), std::string::npos) << what;
    return std::nullopt;
  }
}

// Whether int8 was compared.
bool compare(uint64_t seed) {
  CaseBuilder builder(seed);
  const uint64_t kind = builder.kind();
  const int64_t inner = kind < 2 ? builder.inner() : 16;
  const Options options = builder.options(inner);
  const Case network = kind == 0   ? builder.dense(inner)
                       : kind == 1 ? builder.matrices(inner)
                       : kind == 2 ? builder.layers()
                                   : builder.concat();
  SCOPED_TRACE(fmt::format("seed {}: {}, {}{}", seed, network.text, to_string(options),
                           options.free_scales ? ", free scales" : ""));
  const auto integer = quantized_or_refused(network, options);
  if (!integer) return false;
  // Over all inputs: scales are those of the largest results, so a single input whose sums nearly
  // cancel may have less signal than a step of int8.
  Squares squares;
  for (const std::vector<Tensor>& input : network.inputs)
    squares.add(run_graph(network.graph, input)[0], run_graph(*integer, input)[0]);
  EXPECT_GE(squares.decibels(), kMinDecibels)
      << graph::to_text(network.graph) << graph::to_text(*integer);
  return true;
}

// A dense layer of equal weights, whose products all have one sign: the largest sum of its inputs.
Case equal_terms(int64_t inner, double weight, double x) {
  const auto filled = [](std::vector<int64_t> shape, double value) {
    Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
    std::ranges::fill(tensor.mutable_data<float>(), static_cast<float>(value));
    return tensor;
  };
  Case network;
  const NodeId data = network.graph.add_input("data", {DType::kFloat32, {1, inner}});
  const NodeId weights = network.graph.add_constant("w", filled({2, inner}, weight));
  const NodeId bias = network.graph.add_constant("b", filled({2}, 0));
  network.graph.set_outputs({network.graph.add(OpKind::kDense, "long", {data, weights, bias})});
  network.inputs = {{filled({1, inner}, x)}};
  return network;
}

TEST(Magnitudes, LongSumsOfEqualTermsTakeACoarserScale) {
  for (const int64_t inner : {65536, 150528, 1 << 20}) {
    for (const Method method : {Method::kMax, Method::kMse, Method::kKl}) {
      const Case network = equal_terms(inner, 127.0 / 16384, 127.0 / 64);
      const Graph integer = quantize(network.graph, method, network.inputs, {});
      EXPECT_NO_THROW(check_sums(integer)) << inner;
      EXPECT_GE(decibels(run_graph(network.graph, network.inputs[0])[0],
                         run_graph(integer, network.inputs[0])[0]),
                18)
          << inner << " " << to_string(method);
    }
  }
}

TEST(Magnitudes, ScalesFollowLargeAndSmallNumbers) {
  for (int exponent = -30; exponent <= 30; exponent += 3) {
    const Case network = equal_terms(16, 1, std::pow(10, exponent));
    const Graph integer = quantize(network.graph, Method::kMse, network.inputs, {});
    EXPECT_GE(decibels(run_graph(network.graph, network.inputs[0])[0],
                       run_graph(integer, network.inputs[0])[0]),
              30)
        << "1e" << exponent;
  }
}

// What check_sums() says about an operator of int8 inputs.
std::string refusal_of(OpKind kind, OpAttrs attrs, const std::vector<std::vector<int64_t>>& shapes,
                       const std::vector<Tensor>& constants) {
  Graph graph;
  std::vector<NodeId> inputs;
  for (const auto& shape : shapes) {
    const auto name = fmt::format("data{}", inputs.size());
    inputs.push_back(graph.add_input(name, {DType::kInt8, shape}));
  }
  for (const Tensor& constant : constants) {
    const auto name = fmt::format("constant{}", inputs.size());
    inputs.push_back(graph.add_constant(name, constant));
  }
  attrs.lo = -127;
  attrs.hi = 127;
  graph.set_outputs({graph.add(kind, "op", inputs, attrs_for(kind, attrs))});
  return error_in([&] { check_sums(graph); });
}

void expect_limit(OpKind kind, const OpAttrs& fitting, const OpAttrs& beyond,
                  const std::vector<std::vector<int64_t>>& shapes,
                  const std::vector<Tensor>& constants = {}) {
  EXPECT_EQ(refusal_of(kind, fitting, shapes, constants), "");
  const std::string refusal = refusal_of(kind, beyond, shapes, constants);
  EXPECT_NE(refusal.find("op: its sums can reach"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("--keep-float op"), std::string::npos) << refusal;
}

OpAttrs with_shift(int64_t shift) {
  OpAttrs attrs;
  attrs.shift = shift;
  return attrs;
}

TEST(SumBounds, NameTheOperatorWhoseShiftedSumExceedsInt32) {
  const Tensor weights({1, 2}, std::vector<int8_t>{127, 127});
  const Tensor bias({1}, std::vector<int32_t>{0}), large_bias({1}, std::vector<int32_t>{1 << 30});
  // 2 * 127 * 128 << 16 is just below 2^31.
  expect_limit(OpKind::kQDense, with_shift(-16), with_shift(-17), {{1, 2}}, {weights, bias});
  expect_limit(OpKind::kQDense, with_shift(30), with_shift(31), {{1, 2}}, {weights, large_bias});
  expect_limit(OpKind::kQMul, with_shift(-16), with_shift(-17), {{1, 2}, {1, 2}});
  expect_limit(OpKind::kQMatmul, with_shift(-15), with_shift(-16), {{1, 2}, {2, 1}});
  expect_limit(OpKind::kQAdd, with_shift(-23), with_shift(-24), {{1, 2}, {1, 2}});
  OpAttrs scaled, more;
  scaled.scaled = more.scaled = true;
  scaled.factor_a = scaled.factor_b = 32767;
  more = scaled;
  more.addend = (int64_t{1} << 31) - 1;
  expect_limit(OpKind::kQAdd, scaled, more, {{1, 2}, {1, 2}});
}

// The graph of a .vtaq file may compute weights in the run.
TEST(SumBounds, TakeWeightsThatAreNotConstant) {
  const Tensor bias({1}, std::vector<int32_t>{0});
  constexpr int64_t kFits = (int64_t{1} << 31) / (128 * 128) - 1;
  EXPECT_EQ(refusal_of(OpKind::kQDense, {}, {{1, kFits}, {1, kFits}}, {bias}), "");
  const std::string refusal =
      refusal_of(OpKind::kQDense, {}, {{1, kFits + 1}, {1, kFits + 1}}, {bias});
  EXPECT_NE(refusal.find("op: its sums can reach 2147483648"), std::string::npos) << refusal;
  EXPECT_EQ(refusal_of(OpKind::kLookup, {}, {{1, 2}, {256}}, {}), "");
}

// A row of more weights than int32 holds at any scale is refused by name.
TEST(SumBounds, RefuseARowThatNoScaleSaves) {
  constexpr int64_t kInner = 17'000'000;
  Case network = equal_terms(kInner, 1e-3, 1);
  EXPECT_THROW(check_sums(quantize(network.graph, Method::kMax, network.inputs, {})), Error);
}

TEST(SumBounds, NameTheAverageWhoseScalesAreTooFarApart) {
  OpAttrs attrs;
  attrs.kernel = {2, 2};
  attrs.ratio = 32767;
  EXPECT_EQ(refusal_of(OpKind::kQAvgPool2d, attrs, {{1, 1, 2, 2}}, {}), "");
  attrs.ratio = 32768;
  EXPECT_NE(refusal_of(OpKind::kQAvgPool2d, attrs, {{1, 1, 2, 2}}, {}).find("op: its ratio"),
            std::string::npos);
}

// A relu that is always 0: the results are the biases of the layer after it.
TEST(Magnitudes, ATensorOfZerosTakesAScaleThatItsUsersNeed) {
  EXPECT_TRUE(compare(9560017)) << "large numbers, after an average";
  EXPECT_TRUE(compare(9560438)) << "small numbers, after an average";
  EXPECT_TRUE(compare(9600649)) << "after a sum";
}

// One layer has the zeros, another one a relu of them.
TEST(Magnitudes, UsersOfZerosMayHaveScalesThatAreFarApart) {
  Graph graph = graph::from_text(R"(graph g
%x = input() : float32[1, 1, 2, 2]
%one = constant() : float32[1, 1, 1, 1] = [1]
%below = constant() : float32[1] = [-100]
%large = constant() : float32[1] = [1e18]
%small = constant() : float32[1] = [1e-4]
%a = conv2d(%x, %one, %below) {kernel = [1, 1]} : float32[1, 1, 2, 2]
%zeros = relu(%a) : float32[1, 1, 2, 2]
%again = clip(%zeros) {lo = -1e30, hi = 1e30} : float32[1, 1, 2, 2]
%b = conv2d(%zeros, %one, %small) {kernel = [1, 1]} : float32[1, 1, 2, 2]
%c = conv2d(%again, %one, %large) {kernel = [1, 1]} : float32[1, 1, 2, 2]
return %b, %c
)");
  const Inputs inputs = {{Tensor({1, 1, 2, 2}, std::vector<float>{1, -2, 3, 4})}};
  const Graph integer = quantize(graph, Method::kMse, inputs, {});
  check_sums(integer);
  const std::vector<Tensor> exact = run_graph(graph, inputs[0]),
                            rounded = run_graph(integer, inputs[0]);
  for (size_t i = 0; i < 2; ++i) EXPECT_GE(decibels(exact[i], rounded[i]), 30) << i;
}

TEST(Magnitudes, Int8IsCloseToFp32OrRefusedByName) {
  const auto [begin, end] = support::test_seeds(1, 80);
  int compared = 0;
  for (uint64_t seed = begin; seed < end && !HasFailure(); ++seed)
    compared += compare(seed) ? 1 : 0;
  EXPECT_GE(compared * 2, static_cast<int>(end - begin)) << "most networks are not refused";
}

}  // namespace
}  // namespace vta::quantize
