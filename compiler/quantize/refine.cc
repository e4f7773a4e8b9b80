// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/refine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/limits/parallel.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int kBiasPasses = 2;
constexpr double kBiasParts = 8;          // biases move by this fraction of the result's scale,
constexpr double kMaxSteps = 4;           // at most by this many units of it at once;
constexpr double kMinInsideShare = 0.02;  // not if nearly all elements of the channel are clipped

// Per channel, of the int8 results for all inputs.
struct ResultStatistics {
  std::vector<double> mean;  // in units of the scale
  // Change of the mean with the bias: the share of elements that are not clipped, those below zero
  // weighted by the slope of a leaky relu.
  std::vector<double> inside;
};

// Statistics of the clamped results.
ResultStatistics statistics_of(const Batch& results, const WantedResult& wanted) {
  const auto lo = static_cast<int64_t>(wanted.lo), hi = static_cast<int64_t>(wanted.hi);
  const auto rows = static_cast<size_t>(results[0].dim(0));
  const auto channels = static_cast<size_t>(results[0].dim(1));
  const size_t plane = static_cast<size_t>(results[0].num_elems()) / (rows * channels);
  std::vector<int64_t> sums(channels), below(channels), above(channels);  // zero
  for (const Tensor& result : results) {
    const auto y = result.data<int8_t>();
    for (size_t i = 0; i < rows * channels; ++i) {
      for (int8_t x : y.subspan(i * plane, plane)) {
        sums[i % channels] += std::clamp<int64_t>(x, lo, hi);
        below[i % channels] += x > lo && x < std::min<int64_t>(hi, 0) ? 1 : 0;
        above[i % channels] += x > std::max<int64_t>(lo, -1) && x < hi ? 1 : 0;
      }
    }
  }
  const double count = static_cast<double>(rows * plane * results.size());
  ResultStatistics statistics;
  for (size_t c = 0; c < channels; ++c) {
    statistics.mean.push_back(static_cast<double>(sums[c]) / count);
    statistics.inside.push_back(
        (wanted.slope * static_cast<double>(below[c]) + static_cast<double>(above[c])) / count);
  }
  return statistics;
}

class Refiner {
 public:
  Refiner(Graph& graph, RefinedLayers& layers, CorrectedBiases* biases,
          const std::vector<std::vector<Tensor>>& calibration)
      : calibration_(calibration), graph_(graph), layers_(layers), biases_(biases) {
    for (NodeId id : graph_.order()) {
      for (NodeId input : graph_.node(id).inputs) ++uses_[input];
    }
  }

  void run(const std::function<void(double)>& on_progress) {
    const std::vector<NodeId> order = graph_.order();
    for (size_t i = 0; i < order.size(); ++i) {
      visit(order[i]);
      if (on_progress) on_progress(static_cast<double>(i + 1) / static_cast<double>(order.size()));
    }
  }

 private:
  void visit(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.kind == OpKind::kConstant) return;
    if (layers_.contains(id)) refine_weights(id);
    run(id);
    if (biases_ != nullptr) refine_bias(id);
    for (NodeId input : node.inputs) release(input);
  }

  void run(NodeId id) {
    const Node& node = graph_.node(id);
    Batch result(calibration_.size());
    in_parallel(calibration_.size(), [&](size_t image) { result[image] = compute(node, image); });
    values_[id] = std::move(result);
  }

  Tensor compute(const Node& node, size_t image) const {
    if (node.kind == OpKind::kInput)
      return calibration_[image].at(static_cast<size_t>(node.attrs.index));
    std::vector<Tensor> operands;
    for (NodeId input : node.inputs) {
      const Node& operand = graph_.node(input);
      operands.push_back(operand.kind == OpKind::kConstant ? operand.value
                                                           : values_.at(input)[image]);
    }
    return host::execute(node.kind, node.attrs, operands);
  }

  void release(NodeId id) {
    if (--uses_[id] > 0) return;
    values_.erase(id);
    if (kept_inputs_.erase(id) != 0) release(graph_.node(id).inputs[0]);
  }

  void refine_weights(NodeId id) {
    const NodeId input = graph_.node(id).inputs[0];
    layers_.round(id, values_.at(input));
    if (biases_ == nullptr) return;
    const std::vector<NodeId> users = graph_.users(id);
    // The layer's bias may move again after a sum.
    if (users.size() == 1 && graph_.node(users[0]).kind == OpKind::kQAdd && uses_[id] == 1) {
      kept_inputs_.insert(id);
      ++uses_[input];
    }
  }

  // Moves the bias of the layer that computes the result, or of one that only the sum uses.
  void refine_bias(NodeId result) {
    NodeId layer = result;
    for (NodeId input : graph_.node(result).inputs) {
      if (kept_inputs_.count(input) != 0) layer = input;
    }
    if (!layers_.contains(layer)) return;
    const std::optional<WantedResult> wanted = biases_->wanted(result);
    if (!wanted) return;
    for (int i = 0; i < kBiasPasses; ++i) {
      if (!move_bias(layer, result, *wanted)) return;
      run(layer);
      if (layer != result) run(result);
    }
  }

  bool move_bias(NodeId layer, NodeId result, const WantedResult& wanted) {
    const ResultStatistics now = statistics_of(values_.at(result), wanted);
    std::vector<double> levels(now.mean.size());
    for (size_t c = 0; c < levels.size(); ++c) {
      if (now.inside[c] < kMinInsideShare) continue;
      const double steps = (wanted.means[c] - now.mean[c]) / now.inside[c];
      levels[c] = std::round(std::clamp(steps, -kMaxSteps, kMaxSteps) * kBiasParts) / kBiasParts;
    }
    if (std::ranges::all_of(levels, [](double level) { return level == 0; })) return false;
    biases_->move_bias(layer, result, levels);
    return true;
  }

  const std::vector<std::vector<Tensor>>& calibration_;
  Graph& graph_;
  RefinedLayers& layers_;
  CorrectedBiases* const biases_;  // may be null
  std::set<NodeId> kept_inputs_;   // layers before a sum, whose inputs are still needed
  std::map<NodeId, int> uses_;
  std::map<NodeId, Batch> values_;
};

}  // namespace

void refine(Graph& graph, RefinedLayers& layers, CorrectedBiases* biases,
            const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double)>& on_progress) {
  Refiner(graph, layers, biases, calibration).run(on_progress);
}

}  // namespace vta::quantize
