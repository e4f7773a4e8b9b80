// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/sensitivity.h"

#include "compiler/quantize/noise_measurement.h"
#include "compiler/quantize/plan.h"

namespace vta::quantize {
namespace {

using graph::NodeId;

constexpr double kPlanShare = 0.3;  // of the progress

Sensitivity sensitivity_of(NoiseMeasurement& measurement) {
  const MeasuredNoise noise = measurement.measure_layers();
  Sensitivity result{noise.snr_db, measurement.num_inputs(), {}};
  for (size_t i = 0; i < noise.layers_db.size(); ++i) {
    const graph::Node& layer = measurement.plan().source.node(measurement.layers()[i]);
    result.layers.push_back({.layer = layer.name, .op = layer.kind, .snr_db = noise.layers_db[i]});
  }
  return result;
}

}  // namespace

Sensitivity measure_noise(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration) {
  NoiseMeasurement measurement(plan, calibration);
  return sensitivity_of(measurement);
}

Sensitivity measure_sensitivity(const graph::Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double)>& on_progress) {
  const auto progress = [&](double fraction) {
    if (on_progress) on_progress(fraction);
  };
  const Plan plan = make_plan(graph, options, calibration,
                              [&](double fraction) { progress(kPlanShare * fraction); });
  NoiseMeasurement measurement(plan, calibration);
  Sensitivity result = sensitivity_of(measurement);
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
