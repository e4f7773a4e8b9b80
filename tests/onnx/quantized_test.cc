// SPDX-License-Identifier: Apache-2.0
//
// Models that were quantized elsewhere: import, and merging to integer operators.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/passes/canonicalize.h"
#include "compiler/quantize/drop_quantization.h"
#include "compiler/quantize/merge_quantized.h"
#include "tests/onnx/imported.h"

namespace vta::onnx {
namespace {

constexpr uint64_t kSeed = 3;

Imported merged(const ModelBuilder& model) {
  Imported imported = import(model);
  EXPECT_TRUE(imported.is_quantized);
  graph::canonicalize_exactly(imported.graph);
  quantize::merge_quantized(imported.graph);
  graph::verify(imported.graph);
  return imported;
}

// Power-of-two scales.
ModelBuilder& quantized_conv(ModelBuilder& model, double weight_scale) {
  return model.input("x", {1, 1, 2, 2})
      .floats("sx", {}, {0.5})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .constant({"w", ElementType::kInt8, {1, 1, 1, 1}, {3}})
      .floats("sw", {}, {weight_scale})
      .floats("sy", {}, {1})
      .node("QuantizeLinear", {"x", "sx", "zero"}, {"xq"})
      .node("QLinearConv", {"xq", "sx", "zero", "w", "sw", "zero", "sy", "zero"}, {"yq"})
      .node("DequantizeLinear", {"yq", "sy", "zero"}, {"y"})
      .output("y");
}

Tensor four() { return Tensor({1, 1, 2, 2}, std::vector<float>{0, 4, 8, -4}); }

TEST(OnnxQuantized, ConvolutionsOfPowersOfTwoShift) {
  ModelBuilder model(13);
  const Imported imported = merged(quantized_conv(model, 0.25));
  EXPECT_EQ(kinds(imported.graph),
            (std::vector{OpKind::kQuantize, OpKind::kQConv2d, OpKind::kDequantize}));
  for (graph::NodeId id : imported.graph.order())
    EXPECT_FALSE(imported.graph.node(id).attrs.scaled);
  EXPECT_EQ(run(imported, {four()}), (std::vector<float>{0, 3, 6, -3}));
}

TEST(OnnxQuantized, ConvolutionsOfOtherScalesMultiply) {
  ModelBuilder model(13);
  const Imported imported = merged(quantized_conv(model, 0.3));
  EXPECT_EQ(kinds(imported.graph),
            (std::vector{OpKind::kQuantize, OpKind::kQConv2d, OpKind::kDequantize}));
  EXPECT_EQ(run(imported, {four()}), (std::vector<float>{0, 4, 7, -4}));  // 0.3 * 3 * x, rounded
}

// A result beyond 32 bits would wrap around where ONNX's saturates.
TEST(OnnxQuantized, ScalesTooFarApartForTheCoreSaturate) {
  ModelBuilder model(13);
  const Imported imported = merged(quantized_conv(model, 0x1p26));
  for (OpKind kind : kinds(imported.graph)) EXPECT_NE(kind, OpKind::kQConv2d);
  EXPECT_EQ(run(imported, {four()}), (std::vector<float>{0, 127, 127, -128}));
}

TEST(OnnxQuantized, OperatorsBetweenDequantizeAndQuantizeMerge) {
  ModelBuilder model(13);
  model.input("x", {1, 1, 2, 2})
      .floats("sx", {}, {0.5})
      .floats("sy", {}, {1})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .constant({"w", ElementType::kInt8, {1, 1, 1, 1}, {3}})
      .constant({"b", ElementType::kInt32, {1}, {8}})
      .floats("sw", {}, {0.25})
      .floats("sb", {}, {0.125})
      .node("QuantizeLinear", {"x", "sx", "zero"}, {"xq"})
      .node("DequantizeLinear", {"xq", "sx", "zero"}, {"xr"})
      .node("DequantizeLinear", {"w", "sw", "zero"}, {"wr"})
      .node("DequantizeLinear", {"b", "sb"}, {"br"})
      .node("Conv", {"xr", "wr", "br"}, {"c"})
      .node("Relu", {"c"}, {"r"})
      .node("QuantizeLinear", {"r", "sy", "zero"}, {"yq"})
      .node("DequantizeLinear", {"yq", "sy", "zero"}, {"y"})
      .output("y");
  const Imported imported = merged(model);
  EXPECT_EQ(kinds(imported.graph),
            (std::vector{OpKind::kQuantize, OpKind::kQConv2d, OpKind::kDequantize}));
  EXPECT_EQ(run(imported, {four()}), (std::vector<float>{1, 4, 7, 0}));
}

// Builds models with uint8 or int8 tensors of any scale and zero point.
class QdqModel {
 public:
  explicit QdqModel(ElementType type) : model(13), type_(type), random_(kSeed) {
    model.input("x", {1, 6, 7, 8});
  }

  // A tensor's scale and zero point: constants `name`_s and `name`_z.
  void scale(const std::string& name, double scale, int64_t zero) {
    model.floats(name + "_s", {}, {scale});
    const int64_t level = zero - (type_ == ElementType::kInt8 ? 128 : 0);
    model.constant({name + "_z", type_, {}, {static_cast<double>(level)}});
  }
  std::string quantize(const std::string& real, const std::string& name) {
    model.node("QuantizeLinear", {real, name + "_s", name + "_z"}, {name + "_q"});
    return name + "_q";
  }
  std::string dequantize(const std::string& levels, const std::string& name) {
    model.node("DequantizeLinear", {levels, name + "_s", name + "_z"}, {levels + "_r"});
    return levels + "_r";
  }
  // `real` quantized and dequantized.
  std::string rounded(const std::string& real, const std::string& name) {
    return dequantize(quantize(real, name), name);
  }
  // The product of x and x as matrices, both rounded: `left` and `right` name their levels.
  std::string product_of_matrices(const std::string& left, const std::string& right) {
    model.integers("rows", {1, 14, 24}).integers("columns", {1, 24, 14});
    model.node("Reshape", {rounded("x", left), "rows"}, {"left"});
    model.node("Reshape", {rounded("x", right), "columns"}, {"right"});
    model.node("MatMul", {"left", "right"}, {"product"});
    return "product";
  }
  // int8 weights with a scale per output channel, real; and their bias.
  std::vector<std::string> weights(const std::string& name, Dims dims) {
    const int64_t oc = dims[0];
    std::vector<double> levels, biases, scales, bias_scales;
    const std::vector<double> zeros(static_cast<size_t>(oc));
    for (int64_t i = 0; i < num_elems(dims); ++i)
      levels.push_back(static_cast<double>(random_.between(-127, 127)));
    for (int64_t o = 0; o < oc; ++o) {
      levels[static_cast<size_t>(o * num_elems(dims) / oc)] = 127;
      scales.push_back(0.001 * static_cast<double>(random_.between(5, 30)));
      bias_scales.push_back(scales.back() * 0.03);
      biases.push_back(static_cast<double>(random_.between(-900, 900)));
    }
    model.constant({name, ElementType::kInt8, dims, levels});
    model.floats(name + "_s", {oc}, scales);
    model.constant({name + "_z", ElementType::kInt8, {oc}, zeros});
    model.constant({name + "_b", ElementType::kInt32, {oc}, biases});
    model.floats(name + "_bs", {oc}, bias_scales);
    model.node("DequantizeLinear", {name, name + "_s", name + "_z"}, {name + "_r"},
               {{"axis", int64_t{0}}});
    model.node("DequantizeLinear", {name + "_b", name + "_bs"}, {name + "_br"},
               {{"axis", int64_t{0}}});
    return {name + "_r", name + "_br"};
  }

  // uint8 weights with this zero point, real: levels from -zero to 255 - zero, both ends included.
  std::string unsigned_weights(const std::string& name, const Dims& dims, int64_t zero) {
    std::vector<double> levels;
    for (int64_t i = 0; i < num_elems(dims); ++i)
      levels.push_back(static_cast<double>(random_.between(0, 255)));
    levels.front() = 0;
    levels.back() = 255;
    model.constant({name, ElementType::kUint8, dims, levels});
    model.floats(name + "_s", {}, {0.01});
    model.constant({name + "_z", ElementType::kUint8, {}, {static_cast<double>(zero)}});
    model.node("DequantizeLinear", {name, name + "_s", name + "_z"}, {name + "_r"});
    return name + "_r";
  }

  // Runs the model as imported, in float32, and merged; expects results within `most` units of y,
  // and no operator of `gone`. Results are more than `least_spread` units apart.
  void expect_merged(const std::set<OpKind>& gone, double unit, double most = 1,
                     double least_spread = 5) {
    model.output("y");
    const Imported merged_model = merged(model);
    for (OpKind kind : kinds(merged_model.graph))
      EXPECT_FALSE(gone.contains(kind)) << to_string(kind);
    Tensor x(TensorType{DType::kFloat32, {1, 6, 7, 8}});
    for (float& value : x.mutable_data<float>())
      value = static_cast<float>(random_.between(-4000, 4000)) / 1000;
    const std::vector<float> real = run(import(model), {x}), integer = run(merged_model, {x});
    ASSERT_EQ(real.size(), integer.size());
    double mean = 0, spread = 0;
    for (size_t i = 0; i < real.size(); ++i) {
      ASSERT_LE(std::abs(real[i] - integer[i]), unit * (most + 0.01)) << "element " << i;
      mean += std::abs(real[i] - integer[i]) / static_cast<double>(real.size());
      spread = std::max(spread, std::abs(double{real[i]} - real[0]));
    }
    EXPECT_LE(mean, 0.1 * most * unit);
    EXPECT_GT(spread, least_spread * unit) << "a test of constants";
  }

  ModelBuilder model;

 private:
  ElementType type_;
  Random random_;
};

class OnnxQdq : public testing::TestWithParam<ElementType> {};

TEST_P(OnnxQdq, ConvolutionsKeepScalesZeroPointsAndPadding) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("c", 0.05, 0);
  const auto w = m.weights("w", {5, 6, 3, 3});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"},
               {{"pads", Dims{1, 1, 1, 1}}, {"strides", Dims{2, 1}}});
  m.model.node("Identity", {m.rounded("conv", "c")}, {"y"});
  m.expect_merged({OpKind::kConv2d}, 0.05);
}

TEST_P(OnnxQdq, ReluAndClipNarrowTheLevels) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("c", 0.05, 100);
  m.scale("d", 0.02, 10);
  const auto w = m.weights("w", {6, 1, 3, 3}), v = m.weights("v", {4, 6, 1, 1});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"}, {{"group", int64_t{6}}});
  m.model.node("Relu", {"conv"}, {"relu"});
  m.model.node("Conv", {m.rounded("relu", "c"), v[0], v[1]}, {"second"});
  m.model.floats("lo", {}, {0}).floats("hi", {}, {3});
  m.model.node("Clip", {"second", "lo", "hi"}, {"clip"});
  m.model.node("Identity", {m.rounded("clip", "d")}, {"y"});
  m.expect_merged({OpKind::kConv2d, OpKind::kClip, OpKind::kRelu}, 0.02, 3);
}

TEST_P(OnnxQdq, SumsKeepTheScalesOfBothOperands) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.011, 90);
  m.scale("c", 0.04, 120);
  m.model.node("Add", {m.rounded("x", "a"), m.rounded("x", "b")}, {"sum"});
  m.model.node("Relu", {"sum"}, {"relu"});
  m.model.node("Identity", {m.rounded("relu", "c")}, {"y"});
  m.expect_merged({OpKind::kAdd, OpKind::kRelu}, 0.04);
}

TEST_P(OnnxQdq, ConcatsRequantizeTheirOperands) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.011, 90);
  m.scale("w1", 0.02, 30);
  m.scale("c", 0.035, 128);
  const auto w = m.weights("w", {3, 6, 1, 1});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
  m.model.node("Concat", {m.rounded("x", "b"), m.rounded("conv", "w1"), "a_q_r"}, {"all"},
               {{"axis", int64_t{1}}});
  m.model.node("Identity", {m.rounded("all", "c")}, {"y"});
  m.expect_merged({OpKind::kConv2d}, 0.035);
}

TEST_P(OnnxQdq, AveragesAndFunctionsMerge) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.02, 125);
  m.scale("c", 1.0 / 200, 3);
  m.model.node("AveragePool", {m.rounded("x", "a")}, {"pool"},
               {{"kernel_shape", Dims{3, 2}}, {"pads", Dims{1, 0, 1, 1}}, {"strides", Dims{2, 2}}});
  m.model.node("Sigmoid", {m.rounded("pool", "b")}, {"s"});
  m.model.node("Identity", {m.rounded("s", "c")}, {"y"});
  m.expect_merged({OpKind::kAvgPool2d, OpKind::kSigmoid}, 1.0 / 200, 1.5);
}

TEST_P(OnnxQdq, MovementsBetweenQuantizedTensorsMoveLevels) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("c", 0.05, 20);
  const auto w = m.weights("w", {6, 6, 1, 1});
  m.model.integers("pads", {0, 1, 1, 0, 0, 2, 0, 1})
      .integers("begin", {0, 0})
      .integers("end", {5, 6});
  m.model.integers("axes", {2, 3}).integers("step", {2, 1});
  m.model.node("Slice", {m.rounded("x", "a"), "begin", "end", "axes", "step"}, {"slice"});
  m.model.node("Pad", {"slice", "pads"}, {"pad"});
  m.model.node("MaxPool", {"pad"}, {"max"},
               {{"kernel_shape", Dims{2, 2}}, {"pads", Dims{1, 0, 0, 0}}});
  m.model.node("Transpose", {m.rounded("max", "c")}, {"y"}, {{"perm", Dims{0, 2, 3, 1}}});
  m.expect_merged({OpKind::kConv2d}, 0.05, 0.51);
}

TEST_P(OnnxQdq, DenseLayersMerge) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("c", 0.3, 140);
  const auto w = m.weights("w", {9, 336});
  m.model.node("Flatten", {m.rounded("x", "a")}, {"flat"});
  m.model.node("Gemm", {"flat", w[0], w[1]}, {"dense"}, {{"transB", int64_t{1}}});
  m.model.node("Identity", {m.rounded("dense", "c")}, {"y"});
  m.expect_merged({OpKind::kDense, OpKind::kMatmul}, 0.3);
}

// The inputs are one on the host, results of the core with few and with many channels, and a dense
// layer's. A zero point of 128 needs no copies; 0 needs two of some channels.
TEST_P(OnnxQdq, WeightsMayHaveAnyZeroPoint) {
  for (int64_t zero : {0, 100, 128, 150}) {
    SCOPED_TRACE(testing::Message() << "zero point " << zero);
    const bool has_one_sign = zero == 0;  // its sums are larger
    const double last_unit = has_one_sign ? 4096 : 64;
    QdqModel m(GetParam());
    m.scale("a", 0.03, 131);
    m.scale("b", 0.3, 120);
    m.scale("c", 1.5, 128);
    m.scale("d", has_one_sign ? 128 : 16, 125);
    m.scale("e", last_unit, 130);
    const Attributes padded = {{"pads", Dims{1, 1, 1, 1}}};
    m.model.node("Conv", {m.rounded("x", "a"), m.unsigned_weights("u", {5, 6, 3, 3}, zero)},
                 {"first"}, padded);
    m.model.node("Conv", {m.rounded("first", "b"), m.unsigned_weights("v", {18, 5, 1, 1}, zero)},
                 {"second"});
    m.model.node("Conv", {m.rounded("second", "c"), m.unsigned_weights("w", {3, 18, 3, 3}, zero)},
                 {"third"}, padded);
    m.model.node("Flatten", {m.rounded("third", "d")}, {"flat"});
    m.model.node("Gemm", {"flat", m.unsigned_weights("g", {4, 168}, zero)}, {"dense"},
                 {{"transB", int64_t{1}}});
    m.model.node("Identity", {m.rounded("dense", "e")}, {"y"});
    m.expect_merged({OpKind::kConv2d, OpKind::kDense, OpKind::kMatmul}, last_unit, 2);
  }
}

// Each output of a transposed convolution reads other taps. Of the host, of few and of many
// channels.
TEST_P(OnnxQdq, InputsOfTransposedConvolutionsMayHaveAZeroPoint) {
  for (int64_t zero : {128, 0, 131, 255}) {
    SCOPED_TRACE(testing::Message() << "zero point " << zero);
    QdqModel m(GetParam());
    m.scale("a", 0.03, zero);
    m.scale("b", 0.1, zero);
    m.scale("c", 0.3, zero);
    m.scale("d", 1, 128);
    const Attributes strided = {{"strides", Dims{2, 1}}, {"pads", Dims{1, 0, 0, 1}}};
    const auto u = m.unsigned_weights("u", {6, 5, 3, 2}, 128);
    m.model.node("ConvTranspose", {m.rounded("x", "a"), u}, {"first"}, strided);
    const auto v = m.unsigned_weights("v", {5, 18, 1, 1}, 140);
    m.model.node("ConvTranspose", {m.rounded("first", "b"), v}, {"second"},
                 {{"output_padding", Dims{1, 0}}, {"strides", Dims{2, 1}}});
    const auto w = m.unsigned_weights("w", {18, 3, 2, 2}, 128);
    m.model.node("ConvTranspose", {m.rounded("second", "c"), w}, {"third"}, strided);
    m.model.node("Identity", {m.rounded("third", "d")}, {"y"});
    m.expect_merged({OpKind::kConv2dTranspose}, 1, 2);
  }
}

// What a model does to the levels of a convolution: its own QuantizeLinear, then the
// DequantizeLinear and the second QuantizeLinear, each with a scale and a zero point of its own.
struct Requantized {
  double scale, read_scale, second_scale;
  int64_t zero, read_zero, second_zero;
};

TEST_P(OnnxQdq, DequantizationsHaveTheirOwnScaleAndZeroPoint) {
  for (const Requantized& r :
       {Requantized{0.05, 0.1, 0.1, 128, 128, 128}, Requantized{0.05, 0.1, 0.07, 120, 135, 128},
        Requantized{0.1, 0.05, 0.02, 100, 128, 90}, Requantized{0.05, 0.05, 0.05, 128, 118, 128},
        Requantized{0.05, 0.025, 0.05, 128, 126, 128},
        Requantized{0.05, 0.03, 0.04, 131, 128, 7}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", r.scale, r.read_scale, r.second_scale));
    QdqModel m(GetParam());
    m.scale("a", 0.03, 131);
    m.scale("b", r.scale, r.zero);
    m.scale("c", r.read_scale, r.read_zero);
    m.scale("d", r.second_scale, r.second_zero);
    const auto w = m.weights("w", {5, 6, 3, 3});
    m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
    const std::string read = m.dequantize(m.quantize("conv", "b"), "c");
    m.model.node("Identity", {m.rounded(read, "d")}, {"y"});
    // A level of the first QuantizeLinear, if it rounds another way, and one of the second.
    const double level = r.read_scale / r.second_scale;
    m.expect_merged({OpKind::kConv2d}, r.second_scale, std::max(1.0, std::ceil(level)));
  }
}

TEST_P(OnnxQdq, ConvolutionsWithTwoDequantizationsHaveBothScales) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.05, 128);
  m.scale("c", 0.1, 120);
  m.scale("d", 0.08, 128);
  const auto w = m.weights("w", {5, 6, 3, 3});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
  const std::string levels = m.quantize("conv", "b");
  m.model.node("DequantizeLinear", {levels, "b_s", "b_z"}, {"left"});
  m.model.node("DequantizeLinear", {levels, "c_s", "c_z"}, {"right"});
  m.model.node("Concat", {"left", "right"}, {"all"}, {{"axis", int64_t{1}}});
  m.model.node("Identity", {m.rounded("all", "d")}, {"y"});
  m.expect_merged({OpKind::kConv2d}, 0.08, 2);
}

// ONNX's 1-D convolutions are 2-D ones between reshapes.
TEST_P(OnnxQdq, ConvolutionsBetweenReshapesMerge) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.05, 0);
  m.scale("c", 0.2, 128);
  const auto w = m.weights("w", {5, 6, 3}), v = m.weights("v", {4, 5, 3});
  m.model.integers("line", {1, 6, 56}).node("Reshape", {"x", "line"}, {"x1"});
  m.model.node("Conv", {m.rounded("x1", "a"), w[0], w[1]}, {"first"}, {{"pads", Dims{1, 1}}});
  m.model.node("Relu", {"first"}, {"positive"});
  m.model.node("Conv", {m.rounded("positive", "b"), v[0], v[1]}, {"second"});
  m.model.node("Identity", {m.rounded("second", "c")}, {"y"});
  m.expect_merged({OpKind::kConv2d}, 0.2);
}

// Some exporters write a pair of conversions for each use of a tensor.
TEST_P(OnnxQdq, PairsOfConversionsForEachUseAreOne) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.05, 120);
  m.scale("b2", 0.05, 120);
  m.scale("c", 0.2, 128);
  m.scale("d", 0.2, 128);
  const auto w = m.weights("w", {6, 6, 3, 3}), v = m.weights("v", {6, 6, 1, 1});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"first"});
  m.model.node("Conv", {m.rounded("first", "b"), v[0], v[1]}, {"second"});
  m.model.node("Add", {m.rounded("second", "c"), m.rounded("first", "b2")}, {"sum"});
  m.model.node("Identity", {m.rounded("sum", "d")}, {"y"});
  m.expect_merged({OpKind::kConv2d, OpKind::kAdd}, 0.2, 2);
}

// Brevitas' form: fewer bits by an integer Clip between QuantizeLinear and DequantizeLinear.
TEST_P(OnnxQdq, IntegerClipsNarrowTheLevelsOfALayer) {
  for (const auto& [low, high] : {std::pair{1, 255}, {120, 136}, {128, 160}, {126, 129}}) {
    SCOPED_TRACE(fmt::format("{} to {}", low, high));
    QdqModel m(GetParam());
    const int64_t offset = GetParam() == ElementType::kInt8 ? 128 : 0;
    m.scale("a", 0.03, 131);
    m.scale("b", 0.3, 128);
    const auto w = m.weights("w", {5, 6, 3, 3});
    m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
    m.model.constant({"low", GetParam(), {}, {static_cast<double>(low - offset)}});
    m.model.constant({"high", GetParam(), {}, {static_cast<double>(high - offset)}});
    m.model.node("Clip", {m.quantize("conv", "b"), "low", "high"}, {"clipped"});
    m.model.node("Identity", {m.dequantize("clipped", "b")}, {"y"});
    m.expect_merged({OpKind::kConv2d, OpKind::kClip, OpKind::kQAdd}, 0.3, 1, /*least_spread=*/2);
  }
}

TEST(OnnxQuantized, IntegerReluIsRelu) {
  QdqModel m(ElementType::kInt8);
  m.scale("a", 0.03, 131);
  m.scale("b", 0.3, 100);
  m.scale("c", 0.2, 140);
  const auto w = m.weights("w", {5, 6, 3, 3});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
  m.model.node("Relu", {m.quantize("conv", "b")}, {"relu"});
  m.model.node("Identity", {m.dequantize("relu", "c")}, {"y"});
  m.expect_merged({OpKind::kConv2d, OpKind::kRelu, OpKind::kQAdd}, 0.2);
}

// Part of a layer if no number is rounded between, else a sum of x and its positive numbers.
TEST_P(OnnxQdq, LeakyRelusMerge) {
  for (const bool is_between : {false, true}) {
    for (const int zero : {128, 97}) {
      SCOPED_TRACE(fmt::format("{} {}", is_between, zero));
      QdqModel m(GetParam());
      m.scale("a", 0.03, 131);
      m.scale("b", 0.09, 140);
      m.scale("c", 0.07, zero);
      const auto w = m.weights("w", {5, 6, 3, 3});
      m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
      m.model.node("LeakyRelu", {is_between ? m.rounded("conv", "b") : "conv"}, {"leaky"},
                   {{"alpha", 0.3F}});
      m.model.node("Identity", {m.rounded("leaky", "c")}, {"y"});
      m.expect_merged({OpKind::kConv2d, OpKind::kLeakyRelu, OpKind::kLookup}, 0.07);
    }
  }
}

// Both tensors are without zero points.
TEST_P(OnnxQdq, ProductsOfMatricesMerge) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 128);
  m.scale("b", 0.04, 128);
  m.scale("c", 0.3, 140);
  m.model.node("Identity", {m.rounded(m.product_of_matrices("a", "b"), "c")}, {"y"});
  m.expect_merged({OpKind::kMatmul}, 0.3);
}

// The pads and concats along the inner axis stand for the zero points.
TEST_P(OnnxQdq, ProductsOfMatricesMergeWithAnyZeroPoints) {
  for (const auto& [left, right, result] : {std::array{130, 128, 128},
                                            {128, 140, 140},
                                            {127, 133, 120},
                                            {0, 128, 128},
                                            {128, 0, 131},
                                            {0, 140, 140},
                                            {131, 0, 110},
                                            {0, 0, 0},
                                            {255, 1, 128}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", left, right, result));
    QdqModel m(GetParam());
    m.scale("a", 0.03, left);
    m.scale("b", 0.03, right);
    m.scale("c", 0.3, result);
    m.model.node("Identity", {m.rounded(m.product_of_matrices("a", "b"), "c")}, {"y"});
    m.expect_merged({OpKind::kMatmul}, 0.3);
  }
}

TEST(OnnxQuantized, ProductsOfMatricesWithZeroPointsCountWhatTheModelHas) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 0.03, 130);
  m.scale("b", 0.03, 0);
  m.scale("c", 0.3, 140);
  m.model.node("Identity", {m.rounded(m.product_of_matrices("a", "b"), "c")}, {"y"}).output("y");
  const Imported model = merged(m.model);
  for (graph::NodeId id : model.graph.order()) {
    const graph::Node& node = model.graph.node(id);
    if (node.kind != OpKind::kQMatmul) continue;
    const TensorType& left = model.graph.node(node.inputs[0]).type;
    EXPECT_EQ(left.shape.back(), 24 * (1 + 1 + 2)) << "-128 takes two parts";
    EXPECT_EQ(node.attrs.products, 24);
  }
}

TEST(OnnxQuantized, ProductsOfMatricesBroadcast) {
  QdqModel m(ElementType::kInt8);
  m.scale("a", 0.03, 130);
  m.scale("b", 0.03, 128);
  m.scale("c", 0.3, 128);
  m.model.integers("rows", {2, 7, 24}).integers("columns", {24, 14});
  m.model.node("Reshape", {m.rounded("x", "a"), "rows"}, {"left"});
  m.model.node("Reshape", {m.rounded("x", "b"), "columns"}, {"right"});
  m.model.node("MatMul", {"left", "right"}, {"product"});
  m.model.node("Identity", {m.rounded("product", "c")}, {"y"});
  m.expect_merged({OpKind::kMatmul}, 0.3);
}

TEST_P(OnnxQdq, OperatorsOfOnnxRuntimeAreTheOperatorsOnRealNumbers) {
  QdqModel m(GetParam());
  m.scale("a", 0.03, 131);
  m.scale("b", 0.05, 120);
  m.scale("c", 0.02, 110);
  m.scale("d", 0.01, 100);
  const auto add = [&](const std::string& op, const std::vector<std::string>& inputs,
                       const std::string& output, const Attributes& attrs = {}) {
    m.model.node(op, inputs, {output}, attrs, "com.microsoft");
  };
  const std::string x = m.quantize("x", "a");
  add("QLinearAdd", {x, "a_s", "a_z", x, "a_s", "a_z", "b_s", "b_z"}, "sum");
  add("QLinearConcat", {"b_s", "b_z", "sum", "b_s", "b_z", x, "a_s", "a_z"}, "all",
      {{"axis", int64_t{1}}});
  add("QLinearAveragePool", {"all", "b_s", "b_z", "c_s", "c_z"}, "pool",
      {{"kernel_shape", Dims{2, 2}}});
  add("QLinearSigmoid", {"pool", "c_s", "c_z", "d_s", "d_z"}, "s");
  add("QLinearGlobalAveragePool", {"s", "d_s", "d_z", "d_s", "d_z"}, "global");
  m.model.node("Identity", {m.dequantize("pool", "c")}, {"y"});
  m.expect_merged({OpKind::kAdd, OpKind::kAvgPool2d, OpKind::kSigmoid}, 0.02, 2.6);
}

// The model without its quantization.
Imported dropped(QdqModel& m) {
  m.model.output("y");
  Imported imported = import(m.model);
  EXPECT_TRUE(quantize::drop_quantization(imported.graph));
  graph::verify(imported.graph);
  return imported;
}

TEST(OnnxQuantized, DroppedQuantizationLeavesTheFloatNetwork) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 0.03, 131);
  m.scale("c", 0.05, 0);
  const auto w = m.weights("w", {5, 6, 3, 3});
  m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
  m.model.node("Identity", {m.rounded("conv", "c")}, {"y"});
  EXPECT_EQ(kinds(dropped(m).graph), (std::vector{OpKind::kConv2d, OpKind::kRelu}));
}

TEST(OnnxQuantized, DroppedQuantizationLeavesOneReluOfNumbersThatStayPositive) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 0.05, 0);
  m.scale("b", 0.04, 0);
  m.scale("c", 0.03, 0);
  m.scale("d", 0.02, 0);
  const std::string x = m.rounded("x", "a");
  m.model.node("MaxPool", {x}, {"pool"}, {{"kernel_shape", Dims{2, 2}}});
  m.model.node("Concat", {m.rounded("pool", "b"), "pool"}, {"all"}, {{"axis", int64_t{1}}});
  m.model.node("GlobalAveragePool", {m.rounded("all", "c")}, {"mean"});
  m.model.node("Identity", {m.rounded("mean", "d")}, {"y"});
  EXPECT_EQ(kinds(dropped(m).graph), (std::vector{OpKind::kRelu, OpKind::kMaxPool2d,
                                                  OpKind::kConcat, OpKind::kGlobalAvgPool2d}));
}

TEST(OnnxQuantized, DroppedQuantizationOfAGateHasNoRelu) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 0.05, 0);
  m.scale("b", 0.004, 0);
  m.scale("c", 0.03, 0);
  const std::string x = m.rounded("x", "a");
  m.model.node("HardSigmoid", {x}, {"gate"});
  m.model.node("Mul", {x, m.rounded("gate", "b")}, {"gated"});
  m.model.node("Identity", {m.rounded("gated", "c")}, {"y"});
  EXPECT_EQ(kinds(dropped(m).graph),
            (std::vector{OpKind::kRelu, OpKind::kHardSigmoid, OpKind::kMul}));
}

TEST(OnnxQuantized, DroppedQuantizationOfLevelsUpTo6IsRelu6) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 6.0 / 255, 0);
  m.scale("b", 6.0 / 255, 0);
  m.model.node("MaxPool", {m.rounded("x", "a")}, {"pool"}, {{"kernel_shape", Dims{2, 2}}});
  m.model.node("Identity", {m.rounded("pool", "b")}, {"y"});
  const Imported imported = dropped(m);
  EXPECT_EQ(kinds(imported.graph), (std::vector{OpKind::kClip, OpKind::kMaxPool2d}));
  const OpAttrs& attrs = imported.graph.node(imported.graph.order()[1]).attrs;
  EXPECT_EQ(attrs.lo, 0);
  EXPECT_EQ(attrs.hi, 6);
}

// Levels of 16 bits are numbers in float32: their rounding must not be quantized, and their limits
// are activations, too.
TEST(OnnxQuantized, DroppedQuantizationOf16BitsLeavesTheFloatNetwork) {
  for (ElementType type : {ElementType::kUint16, ElementType::kInt16}) {
    const bool has_relu = type == ElementType::kUint16;
    QdqModel m(type);
    m.scale("a", 0.0002, 31000);
    m.scale("c", 0.0003, has_relu ? 0 : -300);
    const auto w = m.weights("w", {5, 6, 3, 3});
    m.model.node("Conv", {m.rounded("x", "a"), w[0], w[1]}, {"conv"});
    m.model.node("MaxPool", {m.quantize("conv", "c")}, {"pool"}, {{"kernel_shape", Dims{2, 2}}});
    m.model.node("Identity", {m.dequantize("pool", "c")}, {"y"});
    std::vector<OpKind> left = {OpKind::kConv2d, OpKind::kMaxPool2d};
    if (has_relu) left.insert(left.begin() + 1, OpKind::kRelu);
    EXPECT_EQ(kinds(dropped(m).graph), left) << to_string(type);
  }
}

TEST(OnnxQuantized, DroppedQuantizationOf16BitsKeepsTheOtherScaleOfADequantization) {
  QdqModel m(ElementType::kInt16);
  m.scale("a", 0.001, 100);
  m.scale("b", 0.002, 300);
  m.model.node("Identity", {m.dequantize(m.quantize("x", "a"), "b")}, {"y"});
  const Imported imported = dropped(m);
  const Tensor x(TensorType{DType::kFloat32, {1, 6, 7, 8}});  // zeros: level 100 stands for -0.4
  EXPECT_NEAR(run(imported, {x})[0], -0.4, 1e-6);
}

TEST(OnnxQuantized, DroppedQuantizationOfMovedLevelsMovesRealNumbers) {
  QdqModel m(ElementType::kUint8);
  m.scale("a", 0.04, 100);
  m.model.integers("pads", {0, 0, 1, 0, 0, 0, 0, 2});
  m.model.constant({"level", ElementType::kUint8, {}, {150}});
  const std::string x = m.quantize("x", "a");
  m.model.node("Pad", {x, "pads", "level"}, {"padded"});
  m.model.node("MaxPool", {"padded"}, {"pool"}, {{"kernel_shape", Dims{2, 2}}});
  m.model.node("Identity", {m.dequantize("pool", "a")}, {"y"});
  const Imported imported = dropped(m);
  EXPECT_EQ(kinds(imported.graph), (std::vector{OpKind::kPad, OpKind::kMaxPool2d}));
  const Tensor numbers = Tensor({1, 6, 7, 8}, std::vector<float>(336, 1.5F));
  const std::vector<float> levels = run(import(m.model), {numbers});
  const std::vector<float> real = run(imported, {numbers});
  ASSERT_EQ(levels.size(), real.size());
  for (size_t i = 0; i < real.size(); ++i) EXPECT_NEAR(real[i], levels[i], 0.02) << i;
}

INSTANTIATE_TEST_SUITE_P(Types, OnnxQdq, testing::Values(ElementType::kUint8, ElementType::kInt8),
                         [](const auto& test) {
                           return test.param == ElementType::kUint8 ? "uint8" : "int8";
                         });

struct QuantizedOperator {
  const char* name;
  std::vector<std::string> inputs;  // "x" and "w" with what belongs to them
  const char* domain = "";
};

const QuantizedOperator kQuantizedOperators[] = {
    {"MatMulInteger", {"x", "w", "zx", "zw"}},
    {"ConvInteger", {"x", "w", "zx", "zw"}},
    {"QLinearMatMul", {"x", "s", "zx", "w", "s", "zw", "s", "zy"}},
    {"QLinearConv", {"x", "s", "zx", "w", "s", "zw", "s", "zy"}},
    {"QLinearAdd", {"x", "s", "zx", "w", "s", "zw", "s", "zy"}, "com.microsoft"},
};

// The error of `tested` with constants of these types.
std::string error_of(const QuantizedOperator& tested, ElementType x, ElementType zero_x,
                     ElementType w, ElementType zero_w) {
  ModelBuilder model(13);
  const auto constant = [&](const char* name, ElementType type, std::vector<int64_t> dims) {
    const size_t size = dims.empty() ? 1 : 4;
    if (type == ElementType::kFloat) {
      model.floats(name, dims, std::vector<double>(size, 1));
    } else {
      model.constant({name, type, dims, std::vector<double>(size, 1)});
    }
  };
  constant("x", x, {1, 1, 2, 2});
  constant("w", w, {1, 1, 2, 2});
  constant("zx", zero_x, {});
  constant("zw", zero_w, {});
  constant("zy", ElementType::kInt8, {});
  model.input("unused", {1}).floats("s", {}, {0.5});
  model.node(tested.name, tested.inputs, {"y"}, {}, tested.domain).output("y");
  return error_of(model);
}

TEST(OnnxQuantized, OperandsAreSmallIntegersWithZeroPointsOfTheirType) {
  using enum ElementType;
  const auto expect = [](const std::string& error, const std::string& end) {
    EXPECT_TRUE(error.ends_with(end)) << error;
  };
  for (const QuantizedOperator& tested : kQuantizedOperators) {
    SCOPED_TRACE(tested.name);
    EXPECT_EQ(error_of(tested, kInt8, kInt8, kInt8, kInt8), "");
    for (const ElementType wide : {kFloat, kInt32}) {
      const std::string end = fmt::format(
          " has element type {}, supported are integers of up to 16 bits", to_string(wide));
      expect(error_of(tested, wide, kInt8, kInt8, kInt8), "('x')" + end);
      expect(error_of(tested, kInt8, kInt8, wide, kInt8), "('w')" + end);
    }
    expect(error_of(tested, kInt8, kUint8, kInt8, kInt8),
           "('x') is int8, but its zero point uint8");
    expect(error_of(tested, kInt8, kInt8, kInt8, kUint8),
           "('w') is int8, but its zero point uint8");
  }
  // Sums of differences from it would be beyond int64.
  expect(error_of(kQuantizedOperators[0], kInt8, kInt64, kInt8, kInt8),
         "('x') is int8, but its zero point int64");
}

TEST(OnnxQuantized, NodesWithoutOutputsAreImported) {
  ModelBuilder model(13);
  model.input("x", {1, 2, 2, 2})
      .floats("s", {}, {0.5})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .constant({"w", ElementType::kInt8, {1, 2, 1, 1}, {3, -3}})
      .node("QuantizeLinear", {"x", "s", "zero"}, {"q"})
      .node("QLinearConv", {"q", "s", "zero", "w", "s", "zero", "s", "zero"}, {})
      .output("q");
  EXPECT_EQ(import(model).outputs.size(), 1u);
}

}  // namespace
}  // namespace vta::onnx
