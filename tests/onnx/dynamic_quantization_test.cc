// SPDX-License-Identifier: Apache-2.0
//
// Models that quantize activations in the run, as ONNX Runtime's quantize_dynamic() writes them.
#include "compiler/onnx/dynamic_quantization.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

constexpr int64_t kFloat = 1;  // TensorProto.DataType

// Conv or MatMul of x with uint8 weights, in the dynamic form. `zeros`: of the weights.
Imported dynamic(bool is_conv, const std::vector<double>& zeros, const char* output = "y") {
  const std::vector<int64_t> dims =
      is_conv ? std::vector<int64_t>{2, 1, 1, 2} : std::vector<int64_t>{3, 2};
  const std::vector<double> levels =
      is_conv ? std::vector<double>{10, 250, 3, 128} : std::vector<double>{10, 250, 3, 128, 7, 0};
  const std::vector<int64_t> zero_dims =
      zeros.size() == 1 ? std::vector<int64_t>{} : std::vector<int64_t>{2};
  ModelBuilder model(14);
  model.input("x", is_conv ? std::vector<int64_t>{1, 1, 2, 2} : std::vector<int64_t>{2, 3});
  model.constant({"w", ElementType::kUint8, dims, levels});
  model.constant({"wz", ElementType::kUint8, zero_dims, zeros}).floats("ws", {}, {0.5});
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}).node("Mul", {"s", "ws"}, {"scale"});
  model.node(is_conv ? "ConvInteger" : "MatMulInteger", {"q", "w", "z", "wz"}, {"sums"});
  model.node("Cast", {"sums"}, {"real"}, {{"to", kFloat}}).node("Mul", {"real", "scale"}, {"y"});
  return import(model.output(output));
}

bool rounds_in_the_run(const Imported& imported) {
  return std::ranges::count(kinds(imported.graph), OpKind::kGlobalMaxPool2d) > 0;
}

TEST(OnnxDynamicQuantization, ConvolutionsAreOfRealNumbers) {
  const Imported imported = dynamic(/*is_conv=*/true, {10});
  EXPECT_FALSE(imported.is_quantized);
  EXPECT_FALSE(rounds_in_the_run(imported));
  // x = [[1, 2], [3, 4]]; the weights are 0.5 * [0, 240] and 0.5 * [-7, 118].
  EXPECT_EQ(run(imported, {Tensor({1, 1, 2, 2}, std::vector<float>{1, 2, 3, 4})}),
            (std::vector<float>{240, 480, 114.5, 225.5}));
}

TEST(OnnxDynamicQuantization, EachOutputChannelMayHaveAZeroPoint) {
  const Imported conv = dynamic(/*is_conv=*/true, {10, 3});
  EXPECT_EQ(run(conv, {Tensor({1, 1, 2, 2}, std::vector<float>{1, 2, 3, 4})}),
            (std::vector<float>{240, 480, 125, 250}));
  const Imported matmul = dynamic(/*is_conv=*/false, {10, 100});
  EXPECT_FALSE(rounds_in_the_run(matmul));
  // The weights are 0.5 * [[0, 150], [-7, 28], [-3, -100]].
  EXPECT_EQ(run(matmul, {Tensor({2, 3}, std::vector<float>{1, 2, 3, 0, 1, 0})}),
            (std::vector<float>{-11.5, -47, -3.5, 14}));
}

// The levels are then needed as they are, and products of them have no constant zero point.
TEST(OnnxDynamicQuantization, StaysIfItsResultsHaveAnotherUse) {
  for (const char* output : {"q", "s", "z"}) {
    SCOPED_TRACE(output);
    const std::string error = error_in([&] { dynamic(/*is_conv=*/false, {10}, output); });
    EXPECT_TRUE(error.ends_with("input 2 ('z', zero point) is not a constant")) << error;
  }
  // The products without the scale, and the scale itself, are not those of real numbers.
  for (const char* output : {"sums", "real", "scale"}) {
    SCOPED_TRACE(output);
    EXPECT_NE(error_in([&] { dynamic(/*is_conv=*/false, {10}, output); }), "");
  }
  for (const char* factor : {"s", "k"}) {
    ModelBuilder scaled(14);
    scaled.input("x", {4}).node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"});
    scaled.floats("k", {}, {3}).node("Mul", {"s", factor}, {"y"}).output("y");
    EXPECT_TRUE(rounds_in_the_run(import(scaled))) << factor;
  }
}

// As ONNX Runtime: scale 1, zero point 0. 0 / 0 would be NaN.
TEST(OnnxDynamicQuantization, ZerosHaveTheScaleOne) {
  for (const auto& [output, expected] : {std::pair{"q", 0.0F}, {"s", 1.0F}, {"z", 0.0F}}) {
    SCOPED_TRACE(output);
    ModelBuilder model(14);
    model.input("x", {3}).node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}).output(output);
    for (const float result : run(import(model), {Tensor({3}, std::vector<float>(3, 0))}))
      EXPECT_EQ(result, expected);
  }
}

TEST(OnnxDynamicQuantization, LevelsMayBeOfSeveralProducts) {
  ModelBuilder model(14);
  model.input("x", {1, 2}).floats("ws", {}, {0.5});
  model.constant({"w", ElementType::kInt8, {2, 1}, {2, 4}});
  model.constant({"v", ElementType::kInt8, {2, 1}, {6, -8}});
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}).node("Mul", {"ws", "s"}, {"scale"});
  for (const char* name : {"w", "v"}) {
    const std::string text = name;
    model.node("MatMulInteger", {"q", text, "z"}, {text + "i"});
    model.node("Cast", {text + "i"}, {text + "r"}, {{"to", kFloat}});
    model.node("Mul", {"scale", text + "r"}, {text + "y"});
  }
  model.node("Add", {"wy", "vy"}, {"y"}).output("y");
  const Imported imported = import(model);
  EXPECT_FALSE(rounds_in_the_run(imported));
  EXPECT_EQ(run(imported, {Tensor({1, 2}, std::vector<float>{1, 0.5})}),
            (std::vector<float>{0.5F * (4 + 2)}));
}

TEST(OnnxDynamicQuantization, WeightsThatTheRunComputesAreRefusedByName) {
  ModelBuilder model(14);
  model.input("x", {1, 1, 2, 2}).input("w", {1, 1, 1, 1}, ElementType::kUint8);
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"});
  model.node("ConvInteger", {"q", "w", "z"}, {"y"}).output("y");
  const std::string error = error_of(model);
  EXPECT_TRUE(error.find("input 2 ('z', zero point) is not a constant") != std::string::npos)
      << error;
}

TEST(OnnxDynamicQuantization, OfOnnxRuntimesDomainIsTheSame) {
  ModelBuilder model(14);
  model.input("x", {2, 3}).constant({"w", ElementType::kInt8, {3, 2}, {1, 2, 3, 4, 5, 6}});
  model.constant({"wz", ElementType::kInt8, {2}, {0, 2}}).floats("ws", {2}, {0.5, 2});
  model.floats("b", {2}, {100, 200});
  model.node("DynamicQuantizeMatMul", {"x", "w", "ws", "wz", "b"}, {"y"}, {}, "com.microsoft");
  EXPECT_EQ(run(import(model.output("y")), {Tensor({2, 3}, std::vector<float>{1, 2, 3, 0, 1, 0})}),
            (std::vector<float>{111, 232, 101.5, 204}));
}

// alpha * 0.5 * 0.25 * (sum of products + C)
TEST(OnnxRuntimesDomain, AlphaOfQGemmScalesTheBiasToo) {
  for (const bool is_per_channel : {false, true}) {
    ModelBuilder model(13);
    model.input("x", {1, 2}).floats("s", {}, {0.5});
    model.constant({"z", ElementType::kUint8, {}, {8}});
    model.constant({"w", ElementType::kInt8, {2, 2}, {1, 2, 3, -4}});
    const std::vector<int64_t> dims =
        is_per_channel ? std::vector<int64_t>{2} : std::vector<int64_t>{};
    model.constant(
        {"wz", ElementType::kInt8, dims, std::vector<double>(is_per_channel ? 2 : 1, 0)});
    model.floats("ws", dims, std::vector<double>(is_per_channel ? 2 : 1, 0.25));
    model.constant({"c", ElementType::kInt32, {2}, {100, -60}});
    model.node("QuantizeLinear", {"x", "s", "z"}, {"q"});
    model.node("QGemm", {"q", "s", "z", "w", "ws", "wz", "c"}, {"y"}, {{"alpha", 0.5F}},
               "com.microsoft");
    // Levels of x less 8: 4, -2. Products: -2, 16.
    EXPECT_EQ(run(import(model.output("y")), {Tensor({1, 2}, std::vector<float>{2, -1})}),
              (std::vector<float>{98 / 16.0F, -44 / 16.0F}));
  }
}

// 16 bits, an axis, and a message with the domain of what is not supported.
TEST(OnnxRuntimesDomain, HasQuantizeLinearAndDequantizeLinear) {
  ModelBuilder model(13);
  model.input("x", {1, 2, 1, 2}).floats("s", {}, {0.25});
  model.constant({"z", ElementType::kInt16, {}, {1000}}).floats("ws", {2}, {0.5, 3});
  model.constant({"w", ElementType::kInt8, {1, 2, 1, 1}, {4, -2}});
  model.constant({"wz", ElementType::kInt8, {2}, {0, 1}});
  const Attributes axis = {{"axis", int64_t{1}}};
  model.node("QuantizeLinear", {"x", "s", "z"}, {"q"}, {}, "com.microsoft");
  model.node("DequantizeLinear", {"q", "s", "z"}, {"xr"}, {}, "com.microsoft");
  model.node("DequantizeLinear", {"w", "ws", "wz"}, {"wr"}, axis, "com.microsoft");
  model.node("Conv", {"xr", "wr"}, {"y"}).output("y");
  EXPECT_EQ(run(import(model), {Tensor({1, 2, 1, 2}, std::vector<float>{1.1F, 2, 3, -4})}),
            (std::vector<float>{2 - 27, 4 + 36}));

  ModelBuilder unknown(13);
  unknown.input("x", {1}).node("Gelato", {"x"}, {"y"}, {}, "com.microsoft").output("y");
  EXPECT_EQ(error_of(unknown),
            "node 'y' (Gelato): the operator of domain 'com.microsoft' is not supported");
}

}  // namespace
}  // namespace vta::onnx
