// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/layer_noise.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors/error.h"
#include "base/limits/parallel.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {

using graph::Graph;
using graph::Node;
using graph::NodeId;

namespace {

constexpr size_t kMaxInputs = 8;
constexpr double kMaxDecibels = 200;
constexpr int64_t kMaxInt8 = 127;

double unit_of(const Attrs<OpKind::kDequantize>& levels) {
  return levels.unit > 0 ? levels.unit : std::exp2(-static_cast<double>(levels.frac_bits));
}

// Powers of two are symmetric.
int64_t min_level(const Attrs<OpKind::kDequantize>& levels) {
  return levels.unit > 0 ? -128 : -127;
}

double real_of(const Attrs<OpKind::kDequantize>& levels, int64_t level) {
  return unit_of(levels) * static_cast<double>(level - levels.zero);
}

// Sums over the results of a layer.
struct LayerSums {
  Energy energy;
  Range results = {kInfinity, -kInfinity};
  int64_t num_elems = 0, clipped = 0;

  void add(const Tensor& exact, const Attrs<OpKind::kDequantize>& levels, const Tensor& integer) {
    energy.add(exact, host::execute(OpKind::kDequantize, levels, {integer}));
    if (exact.dtype() != DType::kFloat32) return;
    const double unit = unit_of(levels);
    const auto least = static_cast<double>(min_level(levels));
    for (const float x : exact.data<float>()) {
      results = results.with({x, x});
      const double level = std::round(x / unit) + static_cast<double>(levels.zero);
      if (level > kMaxInt8 || level < least) ++clipped;
    }
    num_elems += exact.num_elems();
  }
  void add(const LayerSums& other) {
    energy.add(other.energy);
    results = results.with(other.results);
    num_elems += other.num_elems;
    clipped += other.clipped;
  }
  LayerNoise noise(const Attrs<OpKind::kDequantize>& levels) const {
    return {.snr_db = energy.decibels(),
            .results = results,
            .int8_min = real_of(levels, min_level(levels)),
            .int8_max = real_of(levels, kMaxInt8),
            .clipped = static_cast<double>(clipped) /
                       static_cast<double>(std::max<int64_t>(1, num_elems))};
  }
};

// The noise that one input has in the results of the network and of each layer.
struct InputNoise {
  Energy outputs;
  std::vector<LayerSums> layers;
};

InputNoise noise_of(const Graph& real, const Graph& integer,
                    const std::vector<MeasuredLayer>& layers, const std::vector<Tensor>& inputs) {
  std::map<NodeId, Tensor> exact;  // the results of layers
  std::map<NodeId, size_t> index_of;
  for (size_t i = 0; i < layers.size(); ++i) {
    exact[layers[i].result];
    index_of[layers[i].integer] = i;
  }
  const auto exact_outputs = run_graph(real, inputs, [&](const Node& node, const Tensor& value) {
    const auto found = exact.find(node.id);
    if (found != exact.end()) found->second = value;
  });
  InputNoise noise{{}, std::vector<LayerSums>(layers.size())};
  const auto outputs = run_graph(integer, inputs, [&](const Node& node, const Tensor& value) {
    const auto found = index_of.find(node.id);
    if (found == index_of.end()) return;
    const MeasuredLayer& layer = layers[found->second];
    noise.layers[found->second].add(exact.at(layer.result), layer.dequantize, value);
  });
  for (size_t i = 0; i < outputs.size(); ++i) noise.outputs.add(exact_outputs[i], outputs[i]);
  return noise;
}

}  // namespace

void Energy::add(const Tensor& exact, const Tensor& approximate) {
  if (exact.dtype() != DType::kFloat32) return;
  for (int64_t i = 0; i < exact.num_elems(); ++i) {
    const double x = exact.data<float>()[i], error = x - approximate.data<float>()[i];
    signal += x * x;
    noise += error * error;
  }
}

void Energy::add(const Energy& other) {
  signal += other.signal;
  noise += other.noise;
}

double Energy::decibels() const {
  if (noise == 0 || signal == 0) return noise == 0 ? kMaxDecibels : -kMaxDecibels;
  return std::clamp(10 * std::log10(signal / noise), -kMaxDecibels, kMaxDecibels);
}

std::vector<std::vector<Tensor>> inputs_to_measure(
    const std::string& network, const std::vector<std::vector<Tensor>>& calibration) {
  if (calibration.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: the measurement of noise needs calibration inputs",
         network);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(calibration.size(), kMaxInputs));
  return {calibration.begin(), calibration.begin() + count};
}

MeasuredNoise measure_layers(const Graph& real, const Graph& integer,
                             const std::vector<MeasuredLayer>& layers,
                             const std::vector<std::vector<Tensor>>& inputs) {
  std::vector<InputNoise> by_input(inputs.size());
  in_parallel(inputs.size(),
              [&](size_t i) { by_input[i] = noise_of(real, integer, layers, inputs[i]); });
  InputNoise all{{}, std::vector<LayerSums>(layers.size())};
  for (const InputNoise& noise : by_input) {
    all.outputs.add(noise.outputs);
    for (size_t i = 0; i < layers.size(); ++i) all.layers[i].add(noise.layers[i]);
  }
  MeasuredNoise result{all.outputs.decibels(), {}};
  for (size_t i = 0; i < layers.size(); ++i)
    result.layers.push_back(all.layers[i].noise(layers[i].dequantize));
  return result;
}

}  // namespace vta::quantize
