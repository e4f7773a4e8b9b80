// SPDX-License-Identifier: Apache-2.0
//
// Operators of QONNX, beside its definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "compiler/graph/passes/canonicalize.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/quantize/drop_quantization.h"
#include "compiler/quantize/merge_quantized.h"
#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

constexpr const char* kDomain = "qonnx.custom_op.general";

// The attributes and inputs of a Quant.
struct Quant {
  double scale = 0.25, zero = 0, bits = 4;
  int64_t is_signed = 1, is_narrow = 0;
  std::string rounding = "ROUND";

  double low() const {
    return is_signed != 0 ? -std::exp2(bits - 1) + static_cast<double>(is_narrow) : 0;
  }
  double high() const {
    if (is_signed != 0) return std::exp2(bits - 1) - 1;
    return std::exp2(bits) - 1 - static_cast<double>(is_narrow);
  }
  double rounded(double x) const {
    const double magnitude = std::abs(x), sign = x < 0 ? -1 : 1;
    if (rounding == "CEIL") return std::ceil(x);
    if (rounding == "FLOOR") return std::floor(x);
    if (rounding == "UP") return sign * std::ceil(magnitude);
    if (rounding == "DOWN") return sign * std::floor(magnitude);
    if (rounding == "HALF_UP") return sign * std::floor(magnitude + 0.5);
    if (rounding == "HALF_DOWN") return sign * std::ceil(magnitude - 0.5);
    return std::nearbyint(x);
  }
  float of(double x) const {
    const double level = rounded(std::clamp(x / scale + zero, low(), high()));
    return static_cast<float>((level - zero) * scale);
  }
  Attributes attributes() const {
    return {{"signed", is_signed}, {"narrow", is_narrow}, {"rounding_mode", rounding}};
  }
};

// y = Quant(x); the constants are named after y.
void add_quant(ModelBuilder& model, const std::string& x, const std::string& y, const Quant& quant,
               const std::string& domain = kDomain) {
  model.floats(y + "_s", {}, {quant.scale})
      .floats(y + "_z", {}, {quant.zero})
      .floats(y + "_b", {}, {quant.bits})
      .node("Quant", {x, y + "_s", y + "_z", y + "_b"}, {y}, quant.attributes(), domain);
}

// Numbers between levels, on levels and halves, and beyond the limits.
std::vector<float> samples(const Quant& quant) {
  std::vector<float> result;
  for (double level = quant.low() - 3; level <= quant.high() + 3; level += 0.25)
    result.push_back(static_cast<float>((level - quant.zero) * quant.scale));
  return result;
}

Imported merged(const ModelBuilder& model) {
  Imported imported = import(model);
  EXPECT_TRUE(imported.is_quantized);
  graph::fold_constants(imported.graph);
  graph::canonicalize_exactly(imported.graph);
  quantize::merge_quantized(imported.graph);
  graph::verify(imported.graph);
  return imported;
}

void expect_definition(const Quant& quant) {
  SCOPED_TRACE(fmt::format("{} bits, zero {}, signed {}, narrow {}, {}", quant.bits, quant.zero,
                           quant.is_signed, quant.is_narrow, quant.rounding));
  const std::vector<float> x = samples(quant);
  std::vector<float> expected;
  for (float number : x) expected.push_back(quant.of(number));
  const auto count = static_cast<int64_t>(x.size());
  ModelBuilder of_run(13), of_constant(13);
  of_run.input("x", {1, count}).output("y");
  add_quant(of_run, "x", "y", quant);
  EXPECT_EQ(run(merged(of_run), {Tensor({1, count}, x)}), expected);
  of_constant.input("zeros", {1, count}).floats("x", {1, count}, {x.begin(), x.end()});
  add_quant(of_constant, "x", "w", quant);
  of_constant.node("Add", {"zeros", "w"}, {"y"}).output("y");
  Imported constant = import(of_constant);
  EXPECT_FALSE(constant.is_quantized);
  const std::vector<float> zeros(x.size());
  EXPECT_EQ(run(constant, {Tensor({1, count}, zeros)}), expected);
}

TEST(Qonnx, QuantIsItsDefinitionAtEveryWidth) {
  for (double bits = 2; bits <= 8; ++bits) {
    for (int64_t is_signed : {0, 1}) {
      for (int64_t is_narrow : {0, 1}) expect_definition({0.25, 0, bits, is_signed, is_narrow});
    }
    expect_definition({0.25, 3, bits, 0, 0});
    expect_definition({0.25, -2, bits, 1, 1});
  }
  expect_definition({0.25, 0, 1, 0, 0});
  expect_definition({0.25, 0, 12, 1, 0});
}

TEST(Qonnx, QuantRoundsInEveryDirection) {
  for (const char* rounding :
       {"ROUND", "HALF_EVEN", "CEIL", "FLOOR", "UP", "DOWN", "HALF_UP", "HALF_DOWN"})
    expect_definition({0.25, 0, 5, 1, 0, rounding});
}

// A convolution with weights of 4 bits per channel, a relu and 4 bits without a sign: all integers.
TEST(Qonnx, LayersMergeWithTheirScales) {
  constexpr uint64_t kSeed = 7;
  Random random(kSeed);
  const auto numbers = [&](int64_t count) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random.normal()));
    return values;
  };
  for (const char* rounding : {"ROUND", "FLOOR"}) {  // of the weights
    ModelBuilder model(13);
    model.input("x", {1, 3, 6, 6}).floats("w", {4, 3, 3, 3}, numbers(108));
    model.floats("w_s", {4, 1, 1, 1}, {0.25, 0.3, 0.35, 0.4}).floats("w_z", {}, {0});
    model.floats("w_b", {}, {4});
    const Quant weights{0, 0, 4, 1, 1, rounding}, result{0.37, 0, 4, 0, 0};
    add_quant(model, "x", "xq", {0.02, 0, 8, 1, 0}, "finn.custom_op.general");
    model.node("Quant", {"w", "w_s", "w_z", "w_b"}, {"wq"}, weights.attributes(), kDomain)
        .node("Conv", {"xq", "wq"}, {"c"})
        .node("Relu", {"c"}, {"r"});
    add_quant(model, "r", "y", result);
    model.output("y");
    const Imported real = import(model), integer = merged(model);
    EXPECT_EQ(kinds(integer.graph),
              (std::vector{OpKind::kQuantize, OpKind::kQConv2d, OpKind::kDequantize}));
    const std::vector<double> image = numbers(108);
    const std::vector<Tensor> inputs = {
        Tensor({1, 3, 6, 6}, std::vector<float>(image.begin(), image.end()))};
    const std::vector<float> a = run(real, inputs), b = run(integer, inputs);
    float largest = 0, difference = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      largest = std::max(largest, a[i]);
      difference = std::max(difference, std::abs(a[i] - b[i]));
    }
    EXPECT_GT(largest, 1.4F) << kSeed;      // levels up to 4 at least
    EXPECT_LE(difference, 0.38F) << kSeed;  // a level, where halves round up
  }
}

TEST(Qonnx, BipolarQuantHasNoZero) {
  for (const char* domain : {kDomain, "onnx.brevitas"}) {
    ModelBuilder model(13);
    model.input("x", {1, 4}).floats("s", {}, {0.3}).output("y");
    model.node("BipolarQuant", {"x", "s"}, {"y"}, {}, domain);
    EXPECT_EQ(run(merged(model), {Tensor({1, 4}, std::vector<float>{-5, -0.001F, 0, 7})}),
              (std::vector<float>{-0.3F, -0.3F, 0.3F, 0.3F}));
  }
}

// QONNX's implementation has 1 and -1 for one bit with a sign.
TEST(Qonnx, QuantOfOneSignedBitIsBipolar) {
  ModelBuilder model(13);
  model.input("x", {1, 3}).output("y");
  add_quant(model, "x", "y", {0.5, 0, 1, 1, 1});
  EXPECT_EQ(run(merged(model), {Tensor({1, 3}, std::vector<float>{-5, 0, 7})}),
            (std::vector<float>{-0.5F, 0.5F, 0.5F}));
}

TEST(Qonnx, LayersReadBipolarLevels) {
  ModelBuilder model(13);
  model.input("x", {1, 4}).floats("s", {}, {0.3}).floats("w", {4, 2}, {1, -2, 3, 4, 5, -6, 7, 8});
  model.node("BipolarQuant", {"x", "s"}, {"b"}, {}, kDomain).node("MatMul", {"b", "w"}, {"c"});
  add_quant(model, "c", "y", {0.3, 0, 6, 1, 0});
  model.output("y");
  const Imported imported = merged(model);
  const std::vector<OpKind> operators = kinds(imported.graph);
  EXPECT_NE(std::ranges::find(operators, OpKind::kQDense), operators.end());
  const std::vector<float> y = run(imported, {Tensor({1, 4}, std::vector<float>{-1, 1, -1, 1})});
  EXPECT_NEAR(y[0], 4 * 0.3, 1e-6);   // -1 + 3 - 5 + 7
  EXPECT_NEAR(y[1], 20 * 0.3, 1e-6);  // 2 + 4 + 6 + 8
}

// 8 bits to 4: the level 37 becomes 2, 2.3125 rounded down.
TEST(Qonnx, TruncDropsTheLastBits) {
  ModelBuilder model(13);
  model.input("x", {1, 3}).floats("s", {}, {0.5}).floats("z", {}, {0}).output("y");
  model.floats("from", {}, {8}).floats("to", {}, {4});
  model.node("Trunc", {"x", "s", "z", "from", "to"}, {"y"}, {{"rounding_mode", "FLOOR"}}, kDomain);
  EXPECT_EQ(run(merged(model), {Tensor({1, 3}, std::vector<float>{18.5F, -18.5F, 15.5F})}),
            (std::vector<float>{1, -1.5F, 0.5F}));
}

// The second definition has the result's scale, here 16 times as large, and clips.
TEST(Qonnx, TruncToAnotherScaleClips) {
  for (const auto& [rounding, expected] : {std::pair{"FLOOR", std::vector<float>{16, 56, -64}},
                                           {"ROUND", {16, 56, -64}},
                                           {"CEIL", {24, 56, -64}}}) {
    ModelBuilder model(13);
    model.input("x", {1, 3}).floats("s", {}, {0.5}).floats("z", {}, {0}).output("y");
    model.floats("from", {}, {8}).floats("to", {}, {4}).floats("sy", {}, {8});
    model.node("Trunc", {"x", "s", "z", "from", "sy", "z", "to"}, {"y"},
               {{"rounding_mode", rounding}, {"signed", int64_t{1}}, {"narrow", int64_t{0}}},
               kDomain);
    EXPECT_EQ(run(merged(model), {Tensor({1, 3}, std::vector<float>{18.5F, 63.5F, -900})}),
              expected)
        << rounding;
  }
}

Imported dropped(const ModelBuilder& model) {
  Imported imported = import(model);
  EXPECT_TRUE(quantize::drop_quantization(imported.graph));
  graph::fold_constants(imported.graph);
  graph::canonicalize(imported.graph);
  graph::verify(imported.graph);
  return imported;
}

// All roundings leave: the real network is quantized anew. Limits of few bits stay.
TEST(Qonnx, DroppedQuantizationRoundsNothing) {
  for (const char* rounding : {"ROUND", "CEIL", "FLOOR", "UP", "DOWN", "HALF_UP", "HALF_DOWN"}) {
    for (double zero : {0, 3}) {
      for (double bits : {5, 12}) {
        SCOPED_TRACE(fmt::format("{}, zero {}, {} bits", rounding, zero, bits));
        ModelBuilder model(13);
        model.input("x", {1, 3}).floats("w", {3, 2}, {1, 2, 3, 4, 5, 6}).output("y");
        add_quant(model, "x", "xq", {0.25, zero, bits, 1, 0, rounding});
        model.node("MatMul", {"xq", "w"}, {"c"});
        add_quant(model, "c", "y", {0.5, 0, bits, 0, 0, rounding});
        const Imported real = dropped(model);
        const auto expected = bits < 8 ? std::vector{OpKind::kClip, OpKind::kDense, OpKind::kClip}
                                       : std::vector{OpKind::kDense, OpKind::kRelu};
        EXPECT_EQ(kinds(real.graph), expected);
        const auto y = run(real, {Tensor({1, 3}, std::vector<float>{0.1F, -0.2F, 0.3F})});
        EXPECT_FLOAT_EQ(y[0], 0.1F - 0.6F + 1.5F);
        EXPECT_FLOAT_EQ(y[1], 0.2F - 0.8F + 1.8F);
      }
    }
  }
}

TEST(Qonnx, DroppedTruncIsAQuotient) {
  for (const bool has_result_scale : {false, true}) {
    ModelBuilder model(13);
    model.input("x", {1, 2}).floats("s", {}, {0.5}).floats("z", {}, {0}).output("y");
    model.floats("from", {}, {8}).floats("to", {}, {4}).floats("sy", {}, {8});
    std::vector<std::string> inputs = {"x", "s", "z", "from", "to"};
    if (has_result_scale) inputs = {"x", "s", "z", "from", "sy", "z", "to"};
    model.node("Trunc", inputs, {"y"}, {{"rounding_mode", "FLOOR"}}, kDomain);
    const float scale = has_result_scale ? 1 : 1.0F / 16;
    EXPECT_EQ(run(dropped(model), {Tensor({1, 2}, std::vector<float>{18.3F, -7.1F})}),
              (std::vector<float>{18.3F * scale, -7.1F * scale}));
  }
}

// A quotient that a model itself rounds down is not quantized.
TEST(Qonnx, DroppedQuantizationLeavesFloorsOfTheModel) {
  ModelBuilder model(13);
  model.input("x", {1, 2}).floats("two", {}, {2}).output("y");
  model.node("Div", {"x", "two"}, {"half"}).node("Floor", {"half"}, {"floor"});
  model.node("Mul", {"floor", "two"}, {"even"});
  add_quant(model, "even", "y", {0.5, 0, 8, 1, 0});
  EXPECT_EQ(run(dropped(model), {Tensor({1, 2}, std::vector<float>{3.3F, -7.1F})}),
            (std::vector<float>{2, -8}));
}

// A product of the model between its rounding and its limits is not the one of a Trunc.
TEST(Qonnx, DroppedQuantizationLeavesProductsOfTheModel) {
  for (const float factor : {-1.0F, 0.0F, 0.5F}) {
    ModelBuilder model(13);
    model.input("x", {1, 3}).floats("two", {}, {2}).floats("factor", {}, {factor}).output("y");
    model.floats("least", {}, {-2}).floats("most", {}, {1});
    model.node("Div", {"x", "two"}, {"half"}).node("Floor", {"half"}, {"floor"});
    model.node("Mul", {"floor", "factor"}, {"product"});
    model.node("Clip", {"product", "least", "most"}, {"clip"})
        .node("Mul", {"clip", "two"}, {"even"});
    add_quant(model, "even", "y", {0.5, 0, 8, 1, 0});
    const auto y = run(dropped(model), {Tensor({1, 3}, std::vector<float>{3.3F, -2.5F, 9.5F})});
    const std::vector<float> floors = {1, -2, 4};
    for (size_t i = 0; i < y.size(); ++i)
      EXPECT_EQ(y[i], 2 * std::clamp(floors[i] * factor, -2.0F, 1.0F)) << factor << " " << i;
  }
}

void expect_in(const std::string& text, const std::string& error) {
  EXPECT_NE(error.find(text), std::string::npos) << error;
}

TEST(Qonnx, TruncTakesOneScale) {
  const auto error = [](int64_t num_scales, int64_t num_result_scales) {
    ModelBuilder model(13);
    const auto scales = [](int64_t count, double scale) {
      return std::vector<double>(static_cast<size_t>(count), scale);
    };
    model.input("x", {1, 3}).floats("z", {}, {0}).floats("from", {}, {8}).floats("to", {}, {4});
    model.floats("s", {num_scales}, scales(num_scales, 0.5));
    model.floats("sy", {num_result_scales}, scales(num_result_scales, 8)).output("y");
    model.node("Trunc", {"x", "s", "z", "from", "sy", "z", "to"}, {"y"}, {}, kDomain);
    return error_of(model);
  };
  constexpr const char* kCure = "supported is one number; export the model with one scale";
  for (const std::string& refused : {error(3, 1), error(1, 3)}) expect_in(kCure, refused);
  expect_in("result's scale", error(1, 3));
}

// As exporters write scalars of tensors with four axes.
TEST(Qonnx, AScaleOfOneNumberMayHaveMoreAxesThanX) {
  for (const char* rounding : {"ROUND", "FLOOR"}) {
    ModelBuilder model(13);
    model.input("x", {1, 3}).output("y").floats("b", {}, {4});
    model.floats("s", {1, 1, 1, 1}, {0.5}).floats("z", {1, 1, 1}, {0});
    model.node("Quant", {"x", "s", "z", "b"}, {"y"}, Quant{0, 0, 4, 1, 0, rounding}.attributes(),
               kDomain);
    EXPECT_EQ(run(merged(model), {Tensor({1, 3}, std::vector<float>{1, -1.5F, 9})}),
              (std::vector<float>{1, -1.5F, 3.5F}))
        << rounding;
  }
}

std::string refusal(const Quant& quant) {
  ModelBuilder model(13);
  model.input("x", {1, 3}).output("y");
  add_quant(model, "x", "y", quant);
  return error_of(model);
}

TEST(Qonnx, RefusalsNameTheValueAndTheLimit) {
  expect_in("bit width 20, supported are integers from 1 to 16", refusal({0.25, 0, 20}));
  expect_in("bit width 3.5", refusal({0.25, 0, 3.5}));
  expect_in("zero point 0.5, supported are integers", refusal({0.25, 0.5, 4}));
  expect_in("scale is -1, expected a finite value above 0", refusal({-1, 0, 4}));
  expect_in("rounding_mode 'NEAREST', supported are ROUND", refusal({1, 0, 4, 1, 0, "nearest"}));
  ModelBuilder model(13);
  model.input("x", {1, 3}).input("s", {1}).output("y");
  model.node("BipolarQuant", {"x", "s"}, {"y"}, {}, kDomain);
  expect_in("scale", error_of(model));
  ModelBuilder minifloat(13);
  minifloat.input("x", {1, 3}).output("y").node("FloatQuant", {"x"}, {"y"}, {}, kDomain);
  expect_in("train with integer quantization", error_of(minifloat));
}

}  // namespace
}  // namespace vta::onnx
