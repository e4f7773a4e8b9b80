// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/scales.h"

#include "compiler/quantize/histogram.h"
#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int kGlobalFracBits = 4;  // 8.0 / 128: |x| up to 8

std::map<NodeId, int> weight_scales(const Graph& graph, const Regions& regions, bool by_error) {
  std::map<NodeId, int> result;
  for (NodeId id : regions.integer) {
    const Node& node = graph.node(id);
    if (node.kind != OpKind::kConv2d && node.kind != OpKind::kDense) continue;
    const auto weights = graph.node(node.inputs[1]).value.data<float>();
    result[id] = by_error ? weight_frac_bits_by_error(weights) : weight_frac_bits_by_max(weights);
  }
  return result;
}

std::map<NodeId, Histogram> collect(const Graph& graph, const Regions& regions,
                                    const std::vector<std::vector<Tensor>>& calibration,
                                    const std::function<void(double)>& on_progress) {
  std::map<NodeId, Histogram> histograms;
  const auto observe = [&](const Node& node, const Tensor& value) {
    if (regions.scale_of.at(node.id) != node.id) return;
    if (!histograms[node.id].add(value.data<float>())) {
      fail(ErrorCode::kInvalidArgument, "{}: the result for a calibration input is not finite",
           node.name);
    }
  };
  for (size_t i = 0; i < calibration.size(); ++i) {
    run_graph(graph, calibration[i], observe);
    if (on_progress)
      on_progress(static_cast<double>(i + 1) / static_cast<double>(calibration.size()));
  }
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (node.kind == OpKind::kConstant) histograms[id].add(node.value.data<float>());
  }
  return histograms;
}

}  // namespace

Scales global_scales(const Graph& graph, const Regions& regions) {
  Scales scales;
  for (NodeId id : graph.order()) scales.activations[id] = kGlobalFracBits;
  scales.weights = weight_scales(graph, regions, false);
  return scales;
}

Scales calibrated_scales(const Graph& graph, const Regions& regions, Method method,
                         const std::vector<std::vector<Tensor>>& calibration,
                         const std::function<void(double)>& on_progress) {
  Scales scales;
  for (const auto& [id, histogram] : collect(graph, regions, calibration, on_progress)) {
    scales.activations[id] = method == Method::kMse
                                 ? histogram.best_frac_bits()
                                 : frac_bits_without_clipping(histogram.largest());
  }
  scales.weights = weight_scales(graph, regions, method == Method::kMse);
  return scales;
}

}  // namespace vta::quantize
