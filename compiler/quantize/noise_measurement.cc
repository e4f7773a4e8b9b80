// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/noise_measurement.h"

#include "base/limits/parallel.h"
#include "compiler/quantize/run_graph.h"

namespace vta::quantize {

using graph::Graph;
using graph::NodeId;

std::vector<MeasuredLayer> measured_layers(const Plan& plan) {
  std::vector<MeasuredLayer> layers;
  for (NodeId id : plan.source.order()) {
    if (plan.scales.weights.count(id) == 0) continue;
    MeasuredLayer layer{.layer = id,
                        .result = plan.regions.result_of(id),
                        .integer = plan.result.integer_of.at(id)};
    layer.dequantize.frac_bits = plan.scales.of(plan.regions, layer.result);
    layers.push_back(layer);
  }
  return layers;
}

NoiseMeasurement::NoiseMeasurement(const Plan& plan,
                                   const std::vector<std::vector<Tensor>>& calibration)
    : plan_(plan),
      inputs_(inputs_to_measure(plan.source.name, calibration)),
      exact_(inputs_.size()) {
  for (const MeasuredLayer& layer : measured_layers(plan)) layers_.push_back(layer.layer);
  in_parallel(inputs_.size(), [&](size_t i) { exact_[i] = run_graph(plan_.source, inputs_[i]); });
}

Energy NoiseMeasurement::with_float(const std::set<NodeId>& floats) const {
  std::vector<std::string> keep_float = plan_.keep_float;
  RewriteOptions rewriting = plan_.rewriting;
  for (NodeId id : layers_) {
    if (floats.contains(id)) {
      keep_float.push_back(plan_.source.node(id).name);
    } else {
      rewriting.constants[id] = plan_.result.constants_of(id);
    }
  }
  const Regions regions = find_regions(plan_.source, keep_float);
  const Graph graph = rewrite(plan_.source, regions, scales_of_all(), rewriting).graph;
  std::vector<std::vector<Tensor>> results(inputs_.size());
  in_parallel(inputs_.size(), [&](size_t i) { results[i] = run_graph(graph, inputs_[i]); });
  Energy outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    for (size_t k = 0; k < results[i].size(); ++k) outputs.add(exact_[i][k], results[i][k]);
  }
  return outputs;
}

// Every result keeps the scale of the plan, including results that share it.
Scales NoiseMeasurement::scales_of_all() const {
  Scales scales = plan_.scales;
  for (const auto& [id, shared] : plan_.regions.scale_of) {
    const auto found = plan_.scales.activations.find(shared);
    if (found != plan_.scales.activations.end()) scales.activations[id] = found->second;
  }
  return scales;
}

}  // namespace vta::quantize
