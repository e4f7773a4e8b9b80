// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/noise_measurement.h"

#include <algorithm>
#include <cmath>

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

std::vector<std::vector<Tensor>> first_inputs(const std::string& network,
                                              const std::vector<std::vector<Tensor>>& calibration) {
  if (calibration.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: the measurement of noise needs calibration inputs",
         network);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(calibration.size(), kMaxInputs));
  return {calibration.begin(), calibration.begin() + count};
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

double Energy::decibels() const {
  if (noise == 0 || signal == 0) return noise == 0 ? kMaxDecibels : -kMaxDecibels;
  return std::clamp(10 * std::log10(signal / noise), -kMaxDecibels, kMaxDecibels);
}

NoiseMeasurement::NoiseMeasurement(const Plan& plan,
                                   const std::vector<std::vector<Tensor>>& calibration)
    : plan_(plan),
      inputs_(first_inputs(plan.source.name, calibration)),
      exact_(inputs_.size()),
      values_(inputs_.size()) {
  for (NodeId id : plan_.source.order()) {
    if (plan_.scales.weights.count(id) != 0) layers_.push_back(id);
  }
  std::set<NodeId> results;
  for (NodeId id : layers_) {
    watched_[plan_.result.integer_of.at(id)] = result_of(id);
    results.insert(result_of(id));
  }
  in_parallel(inputs_.size(), [&](size_t i) {
    exact_[i] = run_graph(plan_.source, inputs_[i], [&](const Node& node, const Tensor& value) {
      if (results.contains(node.id)) values_[i][node.id] = value;
    });
  });
}

MeasuredNoise NoiseMeasurement::measure_layers() {
  std::map<NodeId, Energy> energies;
  Energy outputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const auto results =
        run_graph(plan_.result.graph, inputs_[i], [&](const Node& node, const Tensor& value) {
          const auto found = watched_.find(node.id);
          if (found == watched_.end()) return;
          OpAttrs attrs;
          attrs.frac_bits = plan_.scales.of(plan_.regions, found->second);
          energies[node.id].add(values_[i].at(found->second),
                                host::execute(OpKind::kDequantize, attrs, {value}));
        });
    for (size_t k = 0; k < results.size(); ++k) outputs.add(exact_[i][k], results[k]);
    values_[i].clear();
  }
  MeasuredNoise result{outputs.decibels(), {}};
  for (NodeId id : layers_)
    result.layers_db.push_back(energies[plan_.result.integer_of.at(id)].decibels());
  return result;
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

// The layer's result, after a fused activation.
NodeId NoiseMeasurement::result_of(NodeId layer) const {
  const auto activation = plan_.regions.fused_activation.find(layer);
  return activation == plan_.regions.fused_activation.end() ? layer : activation->second;
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
