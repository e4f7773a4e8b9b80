// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/scales.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/weight_rows.h"
#include "runtime/tensor/average_shift.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int kGlobalFracBits = 4;  // 8.0 / 128: |x| up to 8
constexpr int kMaxBiasBits = 30;
constexpr int kMaxShift = 31;
// Per-channel scales cost one more load on the core; they must lower the noise of the result by
// this fraction.
constexpr double kWorthwhile = 0.1;

// Largest number of fractional bits of weights at which the bias fits and the result can be shifted
// to its scale.
int most_weight_bits(double bias, int frac_in, int frac_out) {
  const int by_shift = kMaxShift + frac_out - frac_in;
  if (bias == 0) return by_shift;
  return std::min(kMaxBiasBits - frac_in - ceil_log2(std::abs(bias)), by_shift);
}

bool is_integer_layer(const Graph& graph, const Regions& regions, NodeId id) {
  return regions.is_integer(id) && form_of(graph, graph.node(id)) == Form::kWeighted;
}

int activation_frac_bits(Method method, const Histogram& histogram) {
  switch (method) {
    case Method::kMse:
      return histogram.best_frac_bits();
    case Method::kKl:
      return histogram.least_divergent_frac_bits();
    default:
      return frac_bits_without_clipping(histogram.largest());
  }
}

// Chooses the scales of one layer's weights.
class LayerScales {
 public:
  LayerScales(const Graph& graph, const Node& layer, const Options& options,
              const ChannelStatistics& input, int frac_in, int frac_out)
      : shape_(row_shape(graph, layer)),
        rows_(to_rows<float>(shape_, layer.kind, graph.node(layer.inputs[1]).value)),
        by_error_(options.method != Method::kMax),
        frac_in_(frac_in),
        frac_out_(frac_out) {
    if (layer.inputs.size() == 3) {
      const auto bias = graph.node(layer.inputs[2]).value.data<float>();
      bias_.assign(bias.begin(), bias.end());
    }
    importance_.resize(static_cast<size_t>(shape_.groups * shape_.row_elems));
    for (size_t i = 0; i < importance_.size(); ++i)
      importance_[i] = input.mean_square.at(i / static_cast<size_t>(shape_.taps));
  }

  std::vector<int> choose(bool per_channel) const {
    const int common = one_for_all();
    if (!per_channel || shape_.num_rows == 1) return {common};
    std::vector<int> each;
    double noise_common = 0, noise_each = 0;
    for (int64_t row = 0; row < shape_.num_rows; ++row) {
      each.push_back(one_for(row));
      noise_common += noise(row, common);
      noise_each += noise(row, each.back());
    }
    const bool all_shift_right = std::all_of(
        each.begin(), each.end(), [&](int frac_bits) { return frac_in_ + frac_bits >= frac_out_; });
    const double rounding =
        static_cast<double>(shape_.num_rows) * std::ldexp(1.0, -2 * frac_out_) / 12;
    const bool better = noise_each + rounding < (1 - kWorthwhile) * (noise_common + rounding);
    return better && all_shift_right ? each : std::vector<int>{common};
  }

 private:
  std::span<const float> row(int64_t index) const {
    return std::span(rows_).subspan(static_cast<size_t>(index * shape_.row_elems),
                                    static_cast<size_t>(shape_.row_elems));
  }
  std::span<const double> importance(int64_t index) const {
    return std::span(importance_)
        .subspan(static_cast<size_t>(shape_.group_of(index) * shape_.row_elems),
                 static_cast<size_t>(shape_.row_elems));
  }
  double noise(int64_t index, int frac_bits) const {
    return weight_error(row(index), frac_bits, importance(index));
  }

  int one_for(int64_t index) const {
    const int chosen = by_error_ ? weight_frac_bits_by_error(row(index), importance(index))
                                 : weight_frac_bits_by_max(row(index));
    return std::min(chosen, limit(index));
  }

  int one_for_all() const {
    int limit_of_all = limit(0);
    for (int64_t index = 1; index < shape_.num_rows; ++index)
      limit_of_all = std::min(limit_of_all, limit(index));
    if (!by_error_) return std::min(weight_frac_bits_by_max(rows_), limit_of_all);
    std::vector<double> all;
    for (int64_t index = 0; index < shape_.num_rows; ++index) {
      const auto part = importance(index);
      all.insert(all.end(), part.begin(), part.end());
    }
    return std::min(weight_frac_bits_by_error(rows_, all), limit_of_all);
  }

  int limit(int64_t index) const {
    const double bias = bias_.empty() ? 0 : bias_[static_cast<size_t>(index)];
    return most_weight_bits(bias, frac_in_, frac_out_);
  }

  const RowShape shape_;
  const std::vector<float> rows_;
  const bool by_error_;
  const int frac_in_, frac_out_;
  std::vector<double> bias_;
  std::vector<double> importance_;  // [groups][row_elems]: mean squares of the input
};

// An average may be nearly zero, as after a normalization; its own scale would be finer than its
// operand's by more than qavg_pool2d shifts.
void limit_averages(const Graph& graph, const Regions& regions, Scales& scales) {
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (form_of(graph, node) != Form::kAverage || !regions.is_integer(id)) continue;
    int& frac_bits = scales.activations.at(regions.scale_of.at(id));
    frac_bits = std::min(frac_bits, scales.of(regions, node.inputs[0]) + kMaxAverageShift);
  }
}

}  // namespace

Scales global_scales(const Graph& graph, const Regions& regions) {
  Scales scales;
  for (NodeId id : graph.order()) {
    scales.activations[id] = kGlobalFracBits;
    if (!is_integer_layer(graph, regions, id)) continue;
    const Node& layer = graph.node(id);
    const Tensor& weights = graph.node(layer.inputs[1]).value;
    const double bias =
        layer.inputs.size() == 3 ? max_abs(graph.node(layer.inputs[2]).value.data<float>()) : 0;
    scales.weights[id] = {std::min(weight_frac_bits_by_max(weights.data<float>()),
                                   most_weight_bits(bias, kGlobalFracBits, kGlobalFracBits))};
  }
  return scales;
}

Scales calibrated_scales(const Graph& graph, const Regions& regions, const Options& options,
                         const Statistics& statistics) {
  // The largest logits decide: they are not clipped.
  std::set<NodeId> logits;
  for (NodeId id : classifiers_of(graph)) logits.insert(regions.scale_of.at(id));
  Scales scales;
  for (const auto& [id, histogram] : statistics.histograms) {
    const Method method = logits.contains(id) ? Method::kMax : options.method;
    scales.activations[id] = activation_frac_bits(method, histogram);
  }
  limit_averages(graph, regions, scales);
  for (NodeId id : graph.order()) {
    if (!is_integer_layer(graph, regions, id)) continue;
    const Node& layer = graph.node(id);
    const LayerScales choice(graph, layer, options, statistics.inputs.at(id),
                             scales.of(regions, layer.inputs[0]), scales.of(regions, id));
    scales.weights[id] = choice.choose(*options.per_channel);
  }
  return scales;
}

}  // namespace vta::quantize
