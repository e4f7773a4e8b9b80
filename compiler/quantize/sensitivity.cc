// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/sensitivity.h"

#include <algorithm>

#include "compiler/quantize/free_quantize.h"
#include "compiler/quantize/noise_measurement.h"
#include "compiler/quantize/plan.h"

namespace vta::quantize {
namespace {

using graph::NodeId;

constexpr double kPlanShare = 0.3;  // of the progress

Range range_of(const Tensor& tensor) {
  const auto [lo, hi] = std::ranges::minmax(tensor.data<float>());
  return {lo, hi};
}

Sensitivity noise_of(const graph::Graph& real, const graph::Graph& integer,
                     const std::vector<MeasuredLayer>& layers,
                     const std::vector<std::vector<Tensor>>& calibration) {
  const auto inputs = inputs_to_measure(real.name, calibration);
  const MeasuredNoise noise = measure_layers(real, integer, layers, inputs);
  Sensitivity result{noise.snr_db, inputs.size(), {}};
  for (size_t i = 0; i < layers.size(); ++i) {
    const graph::Node& layer = real.node(layers[i].layer);
    const LayerNoise& measured = noise.layers[i];
    result.layers.push_back({.layer = layer.name,
                             .op = layer.kind,
                             .snr_db = measured.snr_db,
                             .weights = range_of(real.node(layer.inputs.at(1)).value),
                             .results = measured.results,
                             .int8_min = measured.int8_min,
                             .int8_max = measured.int8_max,
                             .clipped = measured.clipped});
  }
  return result;
}

}  // namespace

Sensitivity measure_noise(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration) {
  return noise_of(plan.source, plan.result.graph, measured_layers(plan), calibration);
}

Sensitivity measure_noise(const graph::Graph& graph, const FreePlan& plan,
                          const std::vector<std::vector<Tensor>>& calibration) {
  return noise_of(graph, plan.graph, plan.layers, calibration);
}

Sensitivity measure_sensitivity(const graph::Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double)>& on_progress) {
  const auto progress = [&](double fraction) {
    if (on_progress) on_progress(fraction);
  };
  const Plan plan = make_plan(graph, options, calibration,
                              [&](double fraction) { progress(kPlanShare * fraction); });
  Sensitivity result = measure_noise(plan, calibration);
  const NoiseMeasurement measurement(plan, calibration);
  const std::set<NodeId> all(measurement.layers().begin(), measurement.layers().end());
  for (size_t i = 0; i < result.layers.size(); ++i) {
    const NodeId layer = measurement.layers()[i];
    LayerSensitivity& noise = result.layers[i];
    noise.gain_db = measurement.with_float({layer}).decibels() - result.snr_db;
    std::set<NodeId> others = all;
    others.erase(layer);
    noise.alone_db = measurement.with_float(others).decibels();
    progress(kPlanShare + (1 - kPlanShare) * static_cast<double>(i + 1) /
                              static_cast<double>(result.layers.size()));
  }
  return result;
}

}  // namespace vta::quantize
