// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/refine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/limits/parallel.h"
#include "compiler/quantize/kept_sums.h"
#include "compiler/quantize/weight_rows.h"
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

struct PlaneCounts {
  int64_t sum = 0, below = 0, above = 0;  // of clamped numbers; numbers inside, below zero or not
};

PlaneCounts counts_of(std::span<const int8_t> plane, int32_t lo, int32_t hi) {
  const int32_t end_of_below = std::min(hi, 0), begin_of_above = std::max(lo, -1);
  PlaneCounts counts;
  for (int32_t x : plane) {
    counts.sum += std::clamp(x, lo, hi);
    counts.below += x > lo && x < end_of_below ? 1 : 0;
    counts.above += x > begin_of_above && x < hi ? 1 : 0;
  }
  return counts;
}

// Statistics of the clamped results.
ResultStatistics statistics_of(const Batch& results, const WantedResult& wanted) {
  const auto lo = static_cast<int32_t>(wanted.lo), hi = static_cast<int32_t>(wanted.hi);
  const auto rows = static_cast<size_t>(results[0].dim(0));
  const auto channels = static_cast<size_t>(results[0].dim(1));
  const size_t plane = static_cast<size_t>(results[0].num_elems()) / (rows * channels);
  const double count = static_cast<double>(rows * plane * results.size());
  ResultStatistics statistics{std::vector<double>(channels), std::vector<double>(channels)};
  in_parallel(channels, [&](size_t c) {
    int64_t sum = 0, below = 0, above = 0;  // zero
    for (const Tensor& result : results) {
      const auto y = result.data<int8_t>();
      for (size_t i = c; i < rows * channels; i += channels) {
        const PlaneCounts counts = counts_of(y.subspan(i * plane, plane), lo, hi);
        sum += counts.sum;
        below += counts.below;
        above += counts.above;
      }
    }
    statistics.mean[c] = static_cast<double>(sum) / count;
    statistics.inside[c] =
        (wanted.slope * static_cast<double>(below) + static_cast<double>(above)) / count;
  });
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
    double all = 0, done = 0;
    for (NodeId id : order) all += work_of(id);
    for (NodeId id : order) {
      visit(id);
      done += work_of(id);
      if (on_progress) on_progress(done / all);
    }
  }

 private:
  // About as long as the node takes: its elements, and products that it adds.
  double work_of(NodeId id) const {
    constexpr double kProductsOfAnElement = 64;
    const Node& node = graph_.node(id);
    const double products =
        layers_.contains(id) ? static_cast<double>(row_shape(graph_, node).row_elems) : 0;
    return static_cast<double>(node.type.num_elems()) * (products + kProductsOfAnElement);
  }

  void visit(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.kind == OpKind::kConstant) return;
    const bool is_layer = layers_.contains(id);
    if (is_layer) refine_weights(id);
    if (is_layer && biases_ != nullptr) keep_sums(id);
    run(id);
    if (biases_ != nullptr) refine_bias(id);
    if (!kept_inputs_.contains(id)) sums_.erase(id);
    for (NodeId input : node.inputs) release(input);
  }

  void keep_sums(NodeId id) {
    const Node& node = graph_.node(id);
    std::optional<KeptSums> sums = KeptSums::of(graph_, node, calibration_.size());
    if (!sums) return;
    const Batch& inputs = values_.at(node.inputs[0]);
    in_parallel(calibration_.size(),
                [&](size_t image) { sums->keep(graph_, node, inputs[image], image); });
    sums_[id] = std::move(*sums);
  }

  void run(NodeId id) {
    const Node& node = graph_.node(id);
    const auto sums = sums_.find(id);
    const bool are_kept = sums != sums_.end() && sums->second.follow(graph_, node);
    Batch result(calibration_.size());
    in_parallel(calibration_.size(), [&](size_t image) {
      result[image] = are_kept ? sums->second.result(graph_, node, image) : compute(node, image);
    });
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
    sums_.erase(id);
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
  std::map<NodeId, KeptSums> sums_;  // of layers whose biases may move
};

}  // namespace

void refine(Graph& graph, RefinedLayers& layers, CorrectedBiases* biases,
            const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double)>& on_progress) {
  Refiner(graph, layers, biases, calibration).run(on_progress);
}

}  // namespace vta::quantize
