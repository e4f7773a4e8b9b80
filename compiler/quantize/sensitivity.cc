// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/limits/parallel.h"
#include "compiler/quantize/forms.h"
#include "compiler/quantize/plan.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr size_t kMaxInputs = 8;
constexpr double kPlanShare = 0.3;  // of the progress

struct Energy {
  double signal = 0, noise = 0;

  void add(const Tensor& exact, const Tensor& approximate) {
    if (exact.dtype() != DType::kFloat32) return;  // indices
    for (int64_t i = 0; i < exact.num_elems(); ++i) {
      const double x = exact.data<float>()[i], error = x - approximate.data<float>()[i];
      signal += x * x;
      noise += error * error;
    }
  }
  double decibels() const {
    if (noise == 0 || signal == 0) return noise == 0 ? kMaxDecibels : -kMaxDecibels;
    return std::clamp(10 * std::log10(signal / noise), -kMaxDecibels, kMaxDecibels);
  }
};

class Measurement {
 public:
  Measurement(const Plan& plan, std::vector<std::vector<Tensor>> inputs)
      : plan_(plan), inputs_(std::move(inputs)), exact_(inputs_.size()) {
    for (NodeId id : plan_.source.order()) {
      if (plan_.scales.weights.count(id) != 0) layers_.push_back(id);
    }
    for (NodeId id : layers_) watched_[plan_.result.integer_of.at(id)] = result_of(id);
  }

  const std::vector<NodeId>& layers() const { return layers_; }

  // Runs the float graph, then the integer graph, and compares the layers' results.
  Sensitivity measure_layers() {
    std::vector<std::map<NodeId, Tensor>> values(inputs_.size());
    in_parallel(inputs_.size(), [&](size_t i) {
      exact_[i] = run_graph(plan_.source, inputs_[i], [&](const Node& node, const Tensor& value) {
        for (NodeId id : layers_) {
          if (result_of(id) == node.id) values[i][node.id] = value;
        }
      });
    });
    std::map<NodeId, Energy> energies;
    Energy outputs;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const auto results =
          run_graph(plan_.result.graph, inputs_[i], [&](const Node& node, const Tensor& value) {
            const auto found = watched_.find(node.id);
            if (found == watched_.end()) return;
            OpAttrs attrs;
            attrs.frac_bits = plan_.scales.of(plan_.regions, found->second);
            energies[node.id].add(values[i].at(found->second),
                                  host::execute(OpKind::kDequantize, attrs, {value}));
          });
      for (size_t k = 0; k < results.size(); ++k) outputs.add(exact_[i][k], results[k]);
      values[i].clear();
    }
    Sensitivity result{outputs.decibels(), inputs_.size(), {}};
    for (NodeId id : layers_) {
      const Node& layer = plan_.source.node(id);
      const double decibels = energies[plan_.result.integer_of.at(id)].decibels();
      result.layers.push_back({layer.name, layer.kind, decibels, 0});
    }
    return result;
  }

  // SNR of the network's results with one layer in float.
  double without(NodeId layer) const {
    std::vector<std::string> keep_float = plan_.keep_float;
    keep_float.push_back(plan_.source.node(layer).name);
    const Regions regions = find_regions(plan_.source, keep_float);
    RewriteOptions rewriting = plan_.rewriting;
    for (NodeId id : layers_) {
      if (id != layer) rewriting.constants[id] = plan_.result.constants_of(id);
    }
    const Graph graph = rewrite(plan_.source, regions, scales_of_all(), rewriting).graph;
    std::vector<std::vector<Tensor>> results(inputs_.size());
    in_parallel(inputs_.size(), [&](size_t i) { results[i] = run_graph(graph, inputs_[i]); });
    Energy outputs;
    for (size_t i = 0; i < results.size(); ++i) {
      for (size_t k = 0; k < results[i].size(); ++k) outputs.add(exact_[i][k], results[i][k]);
    }
    return outputs.decibels();
  }

 private:
  // The layer's result, after a fused activation.
  NodeId result_of(NodeId layer) const {
    const auto activation = plan_.regions.fused_activation.find(layer);
    return activation == plan_.regions.fused_activation.end() ? layer : activation->second;
  }

  // Every result keeps the scale of the plan, including results that share it.
  Scales scales_of_all() const {
    Scales scales = plan_.scales;
    for (const auto& [id, shared] : plan_.regions.scale_of) {
      const auto found = plan_.scales.activations.find(shared);
      if (found != plan_.scales.activations.end()) scales.activations[id] = found->second;
    }
    return scales;
  }

  const Plan& plan_;
  const std::vector<std::vector<Tensor>> inputs_;
  std::vector<std::vector<Tensor>> exact_;  // the float graph's results
  std::vector<NodeId> layers_;
  std::map<NodeId, NodeId> watched_;  // integer result -> float result
};

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

Sensitivity measure_noise(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration) {
  return Measurement(plan, first_inputs(plan.source.name, calibration)).measure_layers();
}

Sensitivity measure_sensitivity(const Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double)>& on_progress) {
  const auto progress = [&](double fraction) {
    if (on_progress) on_progress(fraction);
  };
  const auto inputs = first_inputs(graph.name, calibration);
  const Plan plan = make_plan(graph, options, calibration,
                              [&](double fraction) { progress(kPlanShare * fraction); });
  Measurement measurement(plan, inputs);
  Sensitivity result = measurement.measure_layers();
  for (size_t i = 0; i < result.layers.size(); ++i) {
    result.layers[i].gain_db = measurement.without(measurement.layers()[i]) - result.snr_db;
    progress(kPlanShare + (1 - kPlanShare) * static_cast<double>(i + 1) /
                              static_cast<double>(result.layers.size()));
  }
  return result;
}

}  // namespace vta::quantize
