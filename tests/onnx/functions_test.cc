// SPDX-License-Identifier: Apache-2.0
//
// Element-wise functions, and the normalizations built from them, against their formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

struct Function {
  const char* op;
  int64_t opset;
  double (*value)(double x);
};

double gelu_by_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

const Function kFunctions[] = {
    {"Abs", 13, [](double x) { return std::abs(x); }},
    {"Neg", 13, [](double x) { return -x; }},
    {"Reciprocal", 13, [](double x) { return 1 / x; }},
    {"Exp", 13, [](double x) { return std::exp(x); }},
    {"Log", 13, [](double x) { return std::log(x); }},
    {"Sqrt", 13, [](double x) { return std::sqrt(x); }},
    {"Erf", 13, [](double x) { return std::erf(x); }},
    {"Softplus", 13, [](double x) { return std::log1p(std::exp(x)); }},
    {"Softsign", 13, [](double x) { return x / (1 + std::abs(x)); }},
    {"Elu", 13, [](double x) { return x < 0 ? std::exp(x) - 1 : x; }},
    {"Selu", 13,
     [](double x) {
       return 1.0507009873554805 * (x < 0 ? 1.6732632423543772 * (std::exp(x) - 1) : x);
     }},
    {"Mish", 18, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"Gelu", 20, [](double x) { return x * (1 + std::erf(x / std::sqrt(2.0))) / 2; }},
    {"Swish", 24, [](double x) { return x / (1 + std::exp(-x)); }},
};

Tensor numbers() {
  Tensor tensor({DType::kFloat32, {1, 3, 1, 4}});
  double next = -3.1;
  for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(next += 0.7);
  return tensor;
}

Tensor run(const ModelBuilder& model) {
  return quantize::run_graph(import(model).graph, {numbers()}).at(0);
}

void expect_function(const Tensor& result, const std::string& name, double (*value)(double)) {
  const Tensor x = numbers();
  ASSERT_EQ(result.type(), x.type()) << name;
  for (int64_t i = 0; i < x.num_elems(); ++i) {
    const double wanted = value(x.data<float>()[i]);
    const double actual = result.data<float>()[i];
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(actual)) << name;
    } else {
      EXPECT_NEAR(actual, wanted, 1e-5 * (1 + std::abs(wanted)))
          << name << " of " << x.data<float>()[i];
    }
  }
}

TEST(OnnxFunctions, AreTheirFormulas) {
  for (const Function& function : kFunctions) {
    ModelBuilder model(function.opset);
    model.input("x", {1, 3, 1, 4}).node(function.op, {"x"}, {"y"}).output("y");
    expect_function(run(model), function.op, function.value);
  }
  ModelBuilder model(20);
  model.input("x", {1, 3, 1, 4}).node("Gelu", {"x"}, {"y"}, {{"approximate", "tanh"}}).output("y");
  expect_function(run(model), "Gelu by tanh", gelu_by_tanh);
}

Tensor power_of(double exponent) {
  ModelBuilder model(13);
  model.input("x", {1, 3, 1, 4})
      .floats("e", {}, {exponent})
      .node("Pow", {"x", "e"}, {"y"})
      .output("y");
  return run(model);
}

TEST(OnnxFunctions, PowersOfOneExponent) {
  expect_function(power_of(1), "x^1", [](double x) { return x; });
  expect_function(power_of(2), "x^2", [](double x) { return x * x; });
  expect_function(power_of(3), "x^3", [](double x) { return x * x * x; });
  expect_function(power_of(0.5), "x^0.5", [](double x) { return std::sqrt(x); });
  expect_function(power_of(-1), "x^-1", [](double x) { return 1 / x; });
}

// Mean 0 and variance 1 over `size` elements in a row, then times 2 plus 1.
void expect_normalized(const Tensor& result, int64_t size) {
  const Tensor x = numbers();
  ASSERT_EQ(result.type(), x.type());
  for (int64_t first = 0; first < x.num_elems(); first += size) {
    double mean = 0, variance = 0;
    for (int64_t i = first; i < first + size; ++i) mean += x.data<float>()[i] / size;
    for (int64_t i = first; i < first + size; ++i)
      variance += std::pow(x.data<float>()[i] - mean, 2) / size;
    for (int64_t i = first; i < first + size; ++i) {
      const double wanted = (x.data<float>()[i] - mean) / std::sqrt(variance + 1e-5) * 2 + 1;
      EXPECT_NEAR(result.data<float>()[i], wanted, 1e-4);
    }
  }
}

TEST(OnnxFunctions, LayerNormalizationIsOverTheLastAxes) {
  for (int64_t axis : {-1, 1}) {
    const int64_t size = axis == 1 ? 12 : 4;
    const Dims dims = axis == 1 ? Dims{3, 1, 4} : Dims{4};
    ModelBuilder model(17);
    model.input("x", {1, 3, 1, 4})
        .floats("scale", dims, std::vector<double>(static_cast<size_t>(size), 2))
        .floats("bias", dims, std::vector<double>(static_cast<size_t>(size), 1))
        .node("LayerNormalization", {"x", "scale", "bias"}, {"y"}, {{"axis", axis}})
        .output("y");
    expect_normalized(run(model), size);
  }
}

TEST(OnnxFunctions, InstanceNormalizationIsOverEachChannel) {
  ModelBuilder model(13);
  model.input("x", {1, 3, 1, 4})
      .floats("scale", {3}, {2, 2, 2})
      .floats("bias", {3}, {1, 1, 1})
      .node("InstanceNormalization", {"x", "scale", "bias"}, {"y"})
      .output("y");
  expect_normalized(run(model), 4);
}

}  // namespace
}  // namespace vta::onnx
