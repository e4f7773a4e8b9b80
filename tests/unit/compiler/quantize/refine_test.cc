// SPDX-License-Identifier: Apache-2.0
//
// Windows, adaptive rounding, bias correction, cross-layer equalization, per-channel scales.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "compiler/quantize/equalize.h"
#include "compiler/quantize/histogram.h"
#include "compiler/quantize/moments.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/quantize.h"
#include "compiler/quantize/round_weights.h"
#include "compiler/quantize/run_graph.h"
#include "compiler/quantize/weight_rows.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

Tensor random_floats(Random& random, std::vector<int64_t> shape, double deviation) {
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(random.normal() * deviation);
  return tensor;
}

Tensor random_int8(Random& random, std::vector<int64_t> shape) {
  Tensor tensor(TensorType{DType::kInt8, std::move(shape)});
  for (int8_t& x : tensor.mutable_data<int8_t>())
    x = static_cast<int8_t>(std::clamp(random.normal() * 5, -20.0, 20.0));
  return tensor;
}

// A layer's result is the product of its rows and windows, for every kind of layer.
void expect_rows_times_windows(OpKind kind, const OpAttrs& attrs, std::vector<int64_t> x_shape,
                               std::vector<int64_t> w_shape, int64_t oc) {
  Random random(7);
  Graph graph;
  const Tensor x = random_int8(random, x_shape), w = random_int8(random, w_shape);
  OpAttrs with_limits = attrs;
  with_limits.lo = -127;
  with_limits.hi = 127;
  with_limits.shift = 4;
  const NodeId input = graph.add_input("x", x.type());
  const NodeId weights = graph.add_constant("w", w);
  const NodeId bias = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {oc}}));
  const NodeId layer = graph.add(kind, "layer", {input, weights, bias}, with_limits);
  graph.set_outputs({layer});
  const Tensor y = run_graph(graph, {x})[0];
  const RowShape shape = row_shape(graph, graph.node(layer));
  const std::vector<int8_t> rows = to_rows<int8_t>(shape, kind, w);
  EXPECT_EQ(from_rows(shape, kind, rows, w.shape()).data<int8_t>().size(), rows.size());
  const Tensor same = from_rows(shape, kind, rows, w.shape());
  EXPECT_TRUE(std::equal(w.bytes().begin(), w.bytes().end(), same.bytes().begin()));
  const Windows windows(graph, graph.node(layer));
  const int64_t plane = y.num_elems() / y.dim(0) / oc;
  ASSERT_EQ(windows.num_pixels(), y.dim(0) * plane);
  std::vector<int8_t> window(static_cast<size_t>(shape.row_elems));
  for (int64_t pixel = 0; pixel < windows.num_pixels(); ++pixel) {
    for (int64_t row = 0; row < oc; ++row) {
      windows.gather(x, shape.group_of(row), pixel, window.data());
      int sum = 8;
      for (int64_t i = 0; i < shape.row_elems; ++i)
        sum += window[i] * rows[row * shape.row_elems + i];
      const int64_t index = (pixel / plane * oc + row) * plane + pixel % plane;
      ASSERT_EQ(y.data<int8_t>()[index], std::clamp(sum >> 4, -127, 127))
          << "pixel " << pixel << ", row " << row;
    }
  }
}

TEST(WeightRows, TimesWindowsGiveTheConvolution) {
  OpAttrs attrs;
  attrs.kernel = {3, 2};
  attrs.stride = {2, 1};
  attrs.pad = {1, 0, 2, 1};
  attrs.dilation = {1, 2};
  expect_rows_times_windows(OpKind::kQConv2d, attrs, {2, 3, 7, 6}, {4, 3, 3, 2}, 4);
  attrs.groups = 2;
  expect_rows_times_windows(OpKind::kQConv2d, attrs, {1, 4, 7, 6}, {6, 2, 3, 2}, 6);
}

TEST(WeightRows, WindowsHaveTheZeroPointInThePadding) {
  Graph graph;
  OpAttrs attrs;
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  attrs.zero = -128;
  const Tensor x({1, 1, 2, 2}, std::vector<int8_t>{1, 2, 3, 4});
  const NodeId w = graph.add_constant("w", Tensor(TensorType{DType::kInt8, {1, 1, 3, 3}}));
  const NodeId b = graph.add_constant("b", Tensor(TensorType{DType::kInt32, {1}}));
  const NodeId layer =
      graph.add(OpKind::kQConv2d, "layer", {graph.add_input("x", x.type()), w, b}, attrs);
  std::vector<int8_t> window(9);
  Windows(graph, graph.node(layer)).gather(x, 0, 0, window.data());
  EXPECT_EQ(window, (std::vector<int8_t>{-128, -128, -128, -128, 1, 2, -128, 3, 4}));
}

TEST(WeightRows, TimesWindowsGiveTheTransposedConvolution) {
  OpAttrs attrs;
  attrs.kernel = {4, 3};
  attrs.stride = {2, 3};
  attrs.pad = {1, 0, 1, 1};
  attrs.output_pad = {1, 0};
  expect_rows_times_windows(OpKind::kQConv2dTranspose, attrs, {1, 3, 4, 5}, {3, 2, 4, 3}, 2);
  attrs.groups = 2;
  expect_rows_times_windows(OpKind::kQConv2dTranspose, attrs, {1, 4, 4, 5}, {4, 3, 4, 3}, 6);
}

TEST(WeightRows, TimesWindowsGiveTheDenseLayer) {
  expect_rows_times_windows(OpKind::kQDense, {}, {3, 10}, {5, 10}, 5);
}

TEST(MomentsTest, CovarianceIsThatOfTheWindows) {
  Random random(11);
  constexpr int64_t kSize = 5, kStride = 7, kFirst = 1, kCount = 1500;  // more than one block
  std::vector<int8_t> windows;
  for (int64_t i = 0; i < kCount * kStride; ++i)
    windows.push_back(static_cast<int8_t>(random.between(-127, 127)));
  Moments moments(kSize);
  moments.add(windows, kStride, kFirst);
  const std::vector<float> covariance = moments.covariance(0), about_7 = moments.about(7, 0);
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      double xy = 0, x = 0, y = 0;
      for (int64_t w = 0; w < kCount; ++w) {
        const double a = windows[w * kStride + kFirst + i], b = windows[w * kStride + kFirst + j];
        xy += a * b / kCount;
        x += a / kCount;
        y += b / kCount;
      }
      EXPECT_NEAR(covariance[i * kSize + j], xy - x * y, 0.01) << i << ", " << j;
      EXPECT_NEAR(about_7[i * kSize + j], xy - 7 * (x + y) + 49, 0.05) << i << ", " << j;
    }
  }
}

double cost(const std::vector<double>& row, const std::vector<int8_t>& q,
            const std::vector<float>& covariance) {
  double sum = 0;
  const size_t n = row.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      sum += (row[i] - q[i]) * double{covariance[i * n + j]} * (row[j] - q[j]);
  }
  return sum;
}

TEST(RoundWeights, IsNearestWithoutCovariance) {
  const std::vector<float> covariance = {1, 0, 0, 0, 2, 0, 0, 0, 3};
  EXPECT_EQ(round_weights(std::vector<double>{0.4, -1.6, 300}, covariance, 3),
            (std::vector<int8_t>{0, -2, 127}));
}

TEST(RoundWeights, ErrorsOfEqualInputsCancel) {
  const std::vector<float> covariance = {1.001f, 1, 1, 1.001f};
  const std::vector<int8_t> q = round_weights(std::vector<double>{0.4, 0.4}, covariance, 2);
  EXPECT_EQ(q[0] + q[1], 1);  // nearest would lose 0.8
}

TEST(RoundWeights, BeatsNearestWithCovariance) {
  Random random(13);
  constexpr int64_t kSize = 8;
  double of_nearest = 0, of_chosen = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> mix, row;
    for (int64_t i = 0; i < kSize * kSize; ++i) mix.push_back(random.normal());
    for (int64_t i = 0; i < kSize; ++i) row.push_back(random.normal() * 20);
    std::vector<float> covariance(kSize * kSize);
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        double sum = i == j ? 0.01 : 0;
        for (int64_t k = 0; k < kSize; ++k) sum += mix[i * kSize + k] * mix[j * kSize + k];
        covariance[i * kSize + j] = static_cast<float>(sum);
      }
    }
    std::vector<int8_t> nearest;
    for (double w : row) nearest.push_back(static_cast<int8_t>(std::lround(w)));
    of_nearest += cost(row, nearest, covariance);
    of_chosen += cost(row, round_weights(row, covariance, kSize), covariance);
  }
  EXPECT_LT(of_chosen, 0.7 * of_nearest);
}

// Two layers with a relu between them; channel c of the tensor between them has range sizes[c].
struct TwoLayers {
  explicit TwoLayers(const std::vector<double>& sizes, bool grouped = false) {
    Random random(17);
    const auto channels = static_cast<int64_t>(sizes.size());
    const NodeId x = graph.add_input("data", {DType::kFloat32, {1, 3, 8, 8}});
    Tensor w1 = random_floats(random, {channels, 3, 3, 3}, 0.3);
    for (int64_t i = 0; i < w1.num_elems(); ++i)
      w1.mutable_data<float>()[i] *= static_cast<float>(sizes[i / 27]);
    Tensor w2 = random_floats(random, {channels, grouped ? 1 : channels, 3, 3}, 0.3);
    // Small channels have large weights, as in trained networks.
    for (int64_t i = 0; i < w2.num_elems(); ++i) {
      const int64_t channel = grouped ? i / 9 : i / 9 % channels;
      w2.mutable_data<float>()[i] /= static_cast<float>(std::sqrt(sizes[channel]));
    }
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.pad = {1, 1, 1, 1};
    const NodeId b1 = graph.add_constant("b1", random_floats(random, {channels}, 0.1));
    const NodeId a = graph.add(OpKind::kConv2d, "a", {x, graph.add_constant("w1", w1), b1}, attrs);
    const NodeId relu = graph.add(OpKind::kRelu, "relu", {a});
    if (grouped) attrs.groups = channels;
    graph.set_outputs(
        {graph.add(OpKind::kConv2d, "b", {relu, graph.add_constant("w2", w2)}, attrs)});
  }

  std::vector<std::vector<Tensor>> inputs(uint64_t seed, int count) const {
    Random random(seed);
    std::vector<std::vector<Tensor>> result;
    // Neighbours correlate, as in images: a ramp and a little noise in every channel.
    for (int i = 0; i < count; ++i) {
      Tensor image = random_floats(random, {1, 3, 8, 8}, 0.1);
      for (int64_t c = 0; c < 3; ++c) {
        const double level = random.normal(), down = random.normal() / 8,
                     right = random.normal() / 8;
        for (int64_t k = 0; k < 64; ++k)
          image.mutable_data<float>()[c * 64 + k] +=
              static_cast<float>(level + down * (k / 8) + right * (k % 8));
      }
      result.push_back({image});
    }
    return result;
  }

  // SNR of the integer graph in dB, on inputs other than the calibration inputs.
  double signal_to_noise(const Options& options) const {
    const Graph integer = quantize(graph, options, inputs(1, 16));
    graph::verify(integer);
    double signal = 0, noise = 0;
    for (const auto& input : inputs(2, 8)) {
      const Tensor a = run_graph(graph, input)[0], b = run_graph(integer, input)[0];
      for (int64_t i = 0; i < a.num_elems(); ++i) {
        const double exact = a.data<float>()[i], error = exact - b.data<float>()[i];
        signal += exact * exact;
        noise += error * error;
      }
    }
    return 10 * std::log10(signal / noise);
  }

  Graph graph;
};

Options plain() {
  Options options(Method::kMse);
  options.per_channel = false;
  options.equalize = false;
  options.rounding = WeightRounding::kNearest;
  return options;
}

const std::vector<double> kUnequal = {1, 0.02, 0.3, 0.05, 1, 0.01, 0.1, 0.5};
const std::vector<double> kEqual(8, 1.0);

TEST(Refine, AdaptiveRoundingHasLessNoise) {
  Options adaptive = plain();
  adaptive.rounding = WeightRounding::kAdaptive;
  const TwoLayers net(kEqual);
  EXPECT_GT(net.signal_to_noise(adaptive), net.signal_to_noise(plain()) + 0.5);
}

TEST(Refine, MeansOfEveryChannelAreThoseOfTheFloatGraph) {
  const TwoLayers net(kEqual);
  Options adaptive = plain();
  adaptive.rounding = WeightRounding::kAdaptive;
  const auto inputs = net.inputs(1, 16);
  const auto largest_offset = [&](const Options& options) {
    const Graph integer = quantize(net.graph, options, inputs);
    std::vector<double> offsets(8);
    for (const auto& input : inputs) {
      const Tensor a = run_graph(net.graph, input)[0], b = run_graph(integer, input)[0];
      for (int64_t i = 0; i < a.num_elems(); ++i)
        offsets[i / 64 % 8] += (a.data<float>()[i] - b.data<float>()[i]) / (64 * 16);
    }
    double largest = 0;
    for (double offset : offsets) largest = std::max(largest, std::abs(offset));
    return largest;
  };
  EXPECT_LT(largest_offset(adaptive), 0.5 * largest_offset(plain()));
}

// Rows of a matrix and images of a batch are not channels.
TEST(Refine, HasLessNoiseForSeveralRowsToo) {
  Random random(5);
  Graph graph;
  OpAttrs rows;
  rows.shape = {24, 8};
  NodeId x = graph.add_input("data", {DType::kFloat32, {1, 3, 8, 8}});
  x = graph.add(OpKind::kReshape, "rows", {x}, rows);
  for (const char* name : {"a", "b", "c"}) {
    const NodeId w =
        graph.add_constant(std::string(name) + ".w", random_floats(random, {8, 8}, 0.4));
    const NodeId b = graph.add_constant(std::string(name) + ".b", random_floats(random, {8}, 1));
    x = graph.add(OpKind::kDense, name, {x, w, b});
  }
  graph.set_outputs({x});
  TwoLayers net(kEqual);
  net.graph = std::move(graph);
  Options adaptive = plain();
  adaptive.rounding = WeightRounding::kAdaptive;
  EXPECT_GT(net.signal_to_noise(adaptive), net.signal_to_noise(plain()) - 1);
}

TEST(Equalize, KeepsTheNetworksResults) {
  for (bool grouped : {false, true}) {
    TwoLayers net(kUnequal, grouped);
    const Graph before = net.graph;
    const auto inputs = net.inputs(1, 4);
    const Regions regions = find_regions(net.graph);
    const Statistics statistics = collect_statistics(net.graph, regions, inputs, {});
    EXPECT_TRUE(equalize(net.graph, regions, statistics, grouped));
    graph::verify(net.graph);
    for (const auto& input : inputs) {
      const Tensor a = run_graph(before, input)[0], b = run_graph(net.graph, input)[0];
      for (int64_t i = 0; i < a.num_elems(); ++i)
        ASSERT_NEAR(a.data<float>()[i], b.data<float>()[i], 1e-5) << "grouped " << grouped;
    }
  }
}

TEST(Equalize, HelpsWhereChannelsAreOfUnequalSize) {
  Options equalized = plain();
  equalized.equalize = true;
  EXPECT_GT(TwoLayers(kUnequal).signal_to_noise(equalized),
            TwoLayers(kUnequal).signal_to_noise(plain()) + 3);
}

TEST(Equalize, FindsNothingWhereTheyAreEqual) {
  TwoLayers net(kEqual);
  const Regions regions = find_regions(net.graph);
  const Statistics statistics = collect_statistics(net.graph, regions, net.inputs(1, 8), {});
  const std::string before = graph::to_text(net.graph);
  equalize(net.graph, regions, statistics, true);
  EXPECT_EQ(graph::to_text(net.graph), before);
}

TEST(PerChannel, ShiftsAreUsedWhereTheyHelp) {
  Options per_channel = plain();
  per_channel.per_channel = true;
  const TwoLayers net(kUnequal, true);
  EXPECT_GT(net.signal_to_noise(per_channel), net.signal_to_noise(plain()) + 1);
  const Graph integer = quantize(net.graph, per_channel, net.inputs(1, 16));
  int layers = 0;
  for (NodeId id : integer.order()) {
    const Node& node = integer.node(id);
    if (node.kind != OpKind::kQConv2d || node.inputs.size() < 4) continue;
    ++layers;
    EXPECT_EQ(node.attrs.shift, 0);
    for (int32_t shift : integer.node(node.inputs[3]).value.data<int32_t>()) {
      EXPECT_GE(shift, 0);
      EXPECT_LE(shift, 31);
    }
  }
  EXPECT_GE(layers, 1);
}

TEST(HistogramDivergence, LargeWhereMuchIsClipped) {
  Random random(3);
  std::vector<float> values;
  for (int i = 0; i < 50000; ++i) values.push_back(static_cast<float>(random.normal()));
  values.push_back(30);  // an outlier costs `max` three bits
  Histogram histogram;
  ASSERT_TRUE(histogram.add(values));
  const int coarsest = frac_bits_without_clipping(histogram.largest());
  EXPECT_GT(histogram.least_divergent_frac_bits(), coarsest);
  EXPECT_GT(histogram.divergence(7), histogram.divergence(histogram.least_divergent_frac_bits()));
  EXPECT_GE(histogram.divergence(coarsest), 0);
}

}  // namespace
}  // namespace vta::quantize
