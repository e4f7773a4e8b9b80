// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/refine.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compiler/quantize/moments.h"
#include "compiler/quantize/parallel.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/round_weights.h"
#include "compiler/quantize/weight_rows.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int64_t kMaxBlockElems = 2304;  // rows of a covariance: 21 MB of float
constexpr int64_t kMinSamples = 1024, kMaxSamples = 8192;
constexpr double kRidge = 0.01;
constexpr int kBiasPasses = 2;
constexpr double kBiasParts = 8;          // biases move by this fraction of the result's scale,
constexpr double kMaxSteps = 4;           // at most by this many units of it at once;
constexpr double kMinInsideShare = 0.02;  // not if nearly all elements of the channel are clipped

// One node's value for every calibration input.
using Batch = std::vector<Tensor>;

// New weights of one weighted layer, from its integer inputs.
class WeightRefiner {
 public:
  WeightRefiner(const Graph& source, const Node& layer, const Graph& graph, const Node& integer,
                const Batch& inputs, std::vector<int> frac_weights)
      : inputs_(inputs),
        shape_(row_shape(source, layer)),
        windows_(graph, integer),
        kind_(layer.kind),
        frac_weights_(std::move(frac_weights)),
        weights_(to_rows<float>(shape_, kind_, source.node(layer.inputs[1]).value)),
        rounded_(weights_.size()) {}

  Tensor run(const std::vector<int64_t>& weights_shape) {
    in_parallel(static_cast<size_t>(shape_.groups),
                [&](size_t group) { round_group(static_cast<int64_t>(group)); });
    return from_rows(shape_, kind_, rounded_, weights_shape);
  }

 private:
  int frac_weights(int64_t row) const {
    return frac_weights_.size() == 1 ? frac_weights_[0] : frac_weights_[row];
  }

  void round_group(int64_t group) {
    const std::vector<int8_t> samples = sample(group);
    // Blocks consist of whole channels.
    const int64_t most = std::max(kMaxBlockElems / shape_.taps, int64_t{1}) * shape_.taps;
    for (int64_t first = 0; first < shape_.row_elems; first += most)
      round_block(group, samples, first, std::min(most, shape_.row_elems - first));
  }

  // Samples windows of all images, spread over the pixels.
  std::vector<int8_t> sample(int64_t group) const {
    const int64_t wanted =
        std::clamp(2 * std::min(shape_.row_elems, kMaxBlockElems), kMinSamples, kMaxSamples);
    const auto num_images = static_cast<int64_t>(inputs_.size());
    const int64_t pixels = windows_.num_pixels();
    const int64_t of_image = std::min(pixels, (wanted + num_images - 1) / num_images);
    std::vector<int8_t> samples(static_cast<size_t>(num_images * of_image * shape_.row_elems));
    int8_t* target = samples.data();
    for (int64_t image = 0; image < num_images; ++image) {
      for (int64_t i = 0; i < of_image; ++i, target += shape_.row_elems) {
        const int64_t pixel = (i * pixels + image * pixels / num_images) / of_image % pixels;
        windows_.gather(inputs_[image], group, pixel, target);
      }
    }
    return samples;
  }

  void round_block(int64_t group, const std::vector<int8_t>& samples, int64_t first, int64_t size) {
    Moments moments(size);
    moments.add(samples, shape_.row_elems, first);
    const std::vector<float> covariance = moments.covariance(kRidge);
    const int64_t num_rows = shape_.rows_per_group(), first_row = group * num_rows;
    std::vector<double> rows;
    for (int64_t row = first_row; row < first_row + num_rows; ++row) {
      for (int64_t i = first; i < first + size; ++i) {
        rows.push_back(std::ldexp(double{weights_[row * shape_.row_elems + i]}, frac_weights(row)));
      }
    }
    const std::vector<int8_t> result = round_weights(rows, covariance, size);
    for (int64_t r = 0; r < num_rows; ++r) {
      std::copy_n(result.begin() + r * size, size,
                  rounded_.begin() + (first_row + r) * shape_.row_elems + first);
    }
  }

  const Batch& inputs_;
  const RowShape shape_;
  const Windows windows_;
  const OpKind kind_;
  const std::vector<int> frac_weights_;
  const std::vector<float> weights_;
  std::vector<int8_t> rounded_;
};

// Per channel, of the int8 results for all inputs.
struct ResultStatistics {
  std::vector<double> mean;  // in units of the scale
  // Change of the mean with the bias: the share of elements that are not clipped, those below zero
  // weighted by the slope of a leaky relu.
  std::vector<double> inside;
};

// Of int8 numbers.
struct Limits {
  double lo, hi;
};

// Of the results, clamped. `slope`: of numbers below zero.
ResultStatistics statistics_of(const Batch& results, const Limits& limits, double slope) {
  const auto lo = static_cast<int64_t>(limits.lo), hi = static_cast<int64_t>(limits.hi);
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
        (slope * static_cast<double>(below[c]) + static_cast<double>(above[c])) / count);
  }
  return statistics;
}

class Refiner {
 public:
  Refiner(const Graph& source, const Scales& scales, const Regions& regions,
          const Statistics& statistics, const std::vector<std::vector<Tensor>>& calibration,
          Rewritten& rewritten)
      : source_(source),
        scales_(scales),
        regions_(regions),
        statistics_(statistics),
        calibration_(calibration),
        graph_(rewritten.graph) {
    for (const auto& [from, to] : rewritten.integer_of) {
      if (scales.weights.count(from) != 0) layer_of_[to] = from;
      // A fused activation follows the operator in the source graph.
      if (statistics.outputs.count(from) != 0) float_of_[to] = from;
    }
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
    if (layer_of_.count(id) != 0) refine_weights(id);
    run(id);
    const auto layer = float_of_.find(id);
    if (layer != float_of_.end()) refine_bias(id, layer->second);
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
    const Node& layer = source_.node(layer_of_.at(id));
    const Node& integer = graph_.node(id);
    WeightRefiner refiner(source_, layer, graph_, integer, values_.at(integer.inputs[0]),
                          scales_.weights.at(layer.id));
    Node& weights = graph_.node(integer.inputs[1]);
    weights.value = refiner.run(weights.type.shape);
    const std::vector<NodeId> users = graph_.users(id);
    // The layer's bias may move again after a sum.
    if (users.size() == 1 && graph_.node(users[0]).kind == OpKind::kQAdd && uses_[id] == 1) {
      kept_inputs_.insert(id);
      ++uses_[integer.inputs[0]];
    }
  }

  // Moves the bias of the layer that computes the result, or of one that only the sum uses.
  void refine_bias(NodeId result, NodeId source) {
    NodeId layer = result;
    for (NodeId input : graph_.node(result).inputs) {
      if (kept_inputs_.count(input) != 0) layer = input;
    }
    if (layer_of_.count(layer) == 0) return;
    for (int i = 0; i < kBiasPasses; ++i) {
      if (!move_bias(layer, result, source)) return;
      run(layer);
      if (layer != result) run(result);
    }
  }

  bool move_bias(NodeId layer, NodeId result, NodeId source) {
    const std::optional<Limits> limits = limits_of(result, source);
    if (!limits) return false;
    const ResultStatistics now = statistics_of(values_.at(result), *limits, slope_of(result));
    const std::vector<double>& wanted = statistics_.outputs.at(source).mean;
    const int frac_out = scales_.of(regions_, source);
    const auto bias = graph_.node(graph_.node(layer).inputs[2]).value.mutable_data<int32_t>();
    bool moved = false;
    for (size_t c = 0; c < bias.size(); ++c) {
      if (now.inside[c] < kMinInsideShare) continue;
      const double steps = (std::ldexp(wanted[c], frac_out) - now.mean[c]) / now.inside[c];
      const double eighths = std::round(std::clamp(steps, -kMaxSteps, kMaxSteps) * kBiasParts);
      const int frac_sum = frac_of_sum(layer, c);
      const double change = std::ldexp(eighths / kBiasParts, frac_sum - frac_out);
      bias[c] = quantized_bias(bias[c] + change, 0);
      moved |= eighths != 0;
    }
    return moved;
  }

  // Of numbers below zero.
  double slope_of(NodeId result) const {
    const OpAttrs& attrs = graph_.node(result).attrs;
    return attrs.leak == 0 ? 1
                           : std::ldexp(double(attrs.leak), -static_cast<int>(attrs.leak_shift));
  }

  // Empty if int8 clips the range over which the float graph's mean was taken: the means would
  // differ by the clipping.
  std::optional<Limits> limits_of(NodeId result, NodeId source) const {
    const OpAttrs& attrs = graph_.node(result).attrs;
    Limits limits = {attrs.lo, attrs.hi};
    const auto found = statistics_.ranges.find(source);
    if (found == statistics_.ranges.end()) return limits;
    const int frac = scales_.of(regions_, source);
    const double lo = std::round(std::ldexp(double{found->second.lo}, frac)),
                 hi = std::round(std::ldexp(double{found->second.hi}, frac));
    if ((std::isfinite(lo) && lo < limits.lo) || (std::isfinite(hi) && hi > limits.hi))
      return std::nullopt;
    return Limits{std::max(lo, limits.lo), std::min(hi, limits.hi)};
  }

  int frac_of_sum(NodeId layer, size_t channel) const {
    const Node& source = source_.node(layer_of_.at(layer));
    const std::vector<int>& weights = scales_.weights.at(source.id);
    return scales_.of(regions_, source.inputs[0]) +
           (weights.size() == 1 ? weights[0] : weights[channel]);
  }

  const Graph& source_;
  const Scales& scales_;
  const Regions& regions_;
  const Statistics& statistics_;
  const std::vector<std::vector<Tensor>>& calibration_;
  Graph& graph_;
  std::map<NodeId, NodeId> float_of_;  // integer result -> float operator
  std::map<NodeId, NodeId> layer_of_;  // likewise, weighted layers only
  std::set<NodeId> kept_inputs_;       // layers before a sum, whose inputs are still needed
  std::map<NodeId, int> uses_;
  std::map<NodeId, Batch> values_;
};

}  // namespace

void refine(const Graph& source, const Scales& scales, const Regions& regions,
            const Statistics& statistics, const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double)>& on_progress, Rewritten& rewritten) {
  Refiner(source, scales, regions, statistics, calibration, rewritten).run(on_progress);
}

}  // namespace vta::quantize
