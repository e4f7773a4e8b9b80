// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/scales.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/sum_bounds.h"
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
        rows_(shape_, layer.kind, graph.node(layer.inputs[1]).value),
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

  // The bound of the magnitudes of all sums, biases included, in units of the sum.
  double largest_sum(int frac_bits) const {
    double largest = 0;
    for (int64_t index = 0; index < shape_.num_rows; ++index)
      largest = std::max(largest, largest_sum(index, frac_bits));
    return largest;
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
  std::span<const float> row(int64_t index) const { return rows_.row(index); }
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
    return safe_bits(index, std::min(chosen, limit(index)));
  }

  int one_for_all() const {
    int common = common_bits();
    for (int64_t index = 0; index < shape_.num_rows; ++index) common = safe_bits(index, common);
    return common;
  }

  int common_bits() const {
    int limit_of_all = limit(0);
    for (int64_t index = 1; index < shape_.num_rows; ++index)
      limit_of_all = std::min(limit_of_all, limit(index));
    if (!by_error_) return std::min(weight_frac_bits_by_max(rows_.all()), limit_of_all);
    const auto error_at = [&](int frac_bits, double limit) {
      double sum = 0;
      for (int64_t index = 0; index < shape_.num_rows && sum < limit; ++index)
        sum = weight_error(row(index), frac_bits, importance(index), sum);
      return sum;
    };
    return std::min(
        frac_bits_by_error(weight_frac_bits_by_max(rows_.all()), kErrorMargin, error_at),
        limit_of_all);
  }

  int limit(int64_t index) const { return most_weight_bits(bias_of(index), frac_in_, frac_out_); }

  double bias_of(int64_t index) const {
    return bias_.empty() ? 0 : bias_[static_cast<size_t>(index)];
  }

  // Weights may be rounded up, adaptively.
  double largest_sum(int64_t index, int frac_bits) const {
    double sum = 0;
    for (float w : row(index))
      sum += std::min(std::ceil(std::ldexp(std::abs(double{w}), frac_bits)), double{kMaxInt8});
    return sum * kMaxInt8 + std::ldexp(std::abs(bias_of(index)), frac_in_ + frac_bits) + 1;
  }

  // The largest number of fractional bits, at most `wanted`, at which no sum exceeds int32, also
  // with what rounds the result. `wanted` if there is none: check_sums() refuses the layer.
  int safe_bits(int64_t index, int wanted) const {
    const double all = static_cast<double>(shape_.row_elems) * kMaxInt8 * kMaxInt8;
    const auto rounding = [&](int frac_bits) {
      const int shift = frac_in_ + frac_bits - frac_out_;
      return shift > 0 ? std::ldexp(1.0, shift - 1) : 0;
    };
    const double bias = std::ldexp(std::abs(bias_of(index)), frac_in_ + wanted) + 1;
    if (all + bias + rounding(wanted) <= kMaxSum) return wanted;
    // Every weight that is not 0 counts as at least 1 in largest_sum().
    const auto num_weights = std::ranges::count_if(row(index), [](float w) { return w != 0; });
    if (static_cast<double>(num_weights) * kMaxInt8 + 2 > kMaxSum) return wanted;
    while (largest_sum(index, wanted) + rounding(wanted) > kMaxSum) --wanted;
    return wanted;
  }

  const RowShape shape_;
  const WeightRows<float> rows_;
  const bool by_error_;
  const int frac_in_, frac_out_;
  std::vector<double> bias_;
  std::vector<double> importance_;  // [groups][row_elems]: mean squares of the input
};

// An average may be nearly zero, as after a normalization; its own scale would be finer than its
// operand's by more than qavg_pool2d shifts.
void limit_average(const Regions& regions, const Node& average, Scales& scales) {
  int& frac_bits = scales.activations.at(regions.scale_of.at(average.id));
  frac_bits = std::min(frac_bits, scales.of(regions, average.inputs[0]) + kMaxAverageShift);
}

// Before the operators that share a scale with an average choose theirs.
void limit_averages(const Graph& graph, const Regions& regions, Scales& scales) {
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (form_of(graph, node) == Form::kAverage && regions.is_integer(id))
      limit_average(regions, node, scales);
  }
}

// Scales of results that were 0 for all calibration inputs, such as of a relu that is always off.
// Any would hold them; they get one that the operators after them need.
class ZeroScales {
 public:
  ZeroScales(const Graph& graph, const Regions& regions, const Statistics& statistics)
      : graph_(graph), regions_(regions), statistics_(statistics) {}

  bool is_zero(NodeId id) const {
    const auto histogram = statistics_.histograms.find(regions_.scale_of.at(id));
    return histogram != statistics_.histograms.end() && histogram->second.largest() == 0;
  }

  // From the last result to the first: users have their scales before their operands.
  void choose(Scales& scales) const {
    for (auto id = graph_.order().rbegin(); id != graph_.order().rend(); ++id) {
      if (!is_zero(*id)) continue;
      std::optional<int> finest;
      for (const NodeId user : graph_.users(*id)) {
        if (!regions_.is_integer(user)) continue;
        const int wanted = wanted_by(graph_.node(user), *id, scales);
        finest = std::max(finest.value_or(wanted), wanted);
      }
      if (!finest) continue;
      scales.activations.at(regions_.scale_of.at(*id)) =
          std::clamp(*finest, kMinFracBits, kMaxFracBits);
    }
  }

 private:
  static constexpr int kBitsOfSum = 8;  // of a sum below the unit of its result

  int wanted_by(const Node& user, NodeId operand, const Scales& scales) const {
    const int result = scales.of(regions_, user.id);
    const NodeId first = user.inputs[0];
    switch (form_of(graph_, user)) {
      case Form::kWeighted:  // else the biases would be rounded to coarse units
        return result + kBitsOfSum -
               weight_frac_bits_by_max(graph_.node(user.inputs[1]).value.data<float>());
      case Form::kMatrices:
      case Form::kProduct:
        return result + kBitsOfSum - scales.of(regions_, first == operand ? user.inputs[1] : first);
      case Form::kSum: {  // else the other operand would be rounded
        const NodeId other = first == operand ? user.inputs[1] : first;
        return is_zero(other) ? result : scales.of(regions_, other);
      }
      default:
        return result;
    }
  }

  const Graph& graph_;
  const Regions& regions_;
  const Statistics& statistics_;
};

// The bound of an operator's int32 numbers before they are shifted, and their fractional bits.
struct SumBound {
  double largest = 0;
  int frac_bits = 0;
};

std::optional<SumBound> sum_bound(const Graph& graph, const Regions& regions, const Scales& scales,
                                  const Node& node) {
  const auto frac = [&](size_t i) { return scales.of(regions, node.inputs[i]); };
  constexpr double kLevel = kMaxInt8;
  switch (form_of(graph, node)) {
    case Form::kMatrices: {
      const auto inner = static_cast<double>(graph.node(node.inputs[0]).type.shape.back());
      return SumBound{inner * kLevel * kLevel, frac(0) + frac(1)};
    }
    case Form::kProduct:
      return SumBound{kLevel * kLevel, frac(0) + frac(1)};
    case Form::kSum: {
      const int gap = std::min(std::abs(frac(0) - frac(1)), kMaxScaleGapBits);
      return SumBound{std::ldexp(kLevel, gap) + kLevel, std::min(frac(0), frac(1)) + gap};
    }
    case Form::kActivation:
      return SumBound{2 * kLevel, frac(0) + 1};
    default:
      return std::nullopt;
  }
}

// A result may be so small against its operands, as a difference, that its scale is finer than the
// sum's by more bits than int32 has: a coarser one is taken.
void limit_result(const Regions& regions, NodeId id, const SumBound& sum, Scales& scales) {
  if (sum.largest > kMaxSum) return;  // check_sums() refuses it
  const int finer = static_cast<int>(std::floor(std::log2(kMaxSum / std::max(sum.largest, 1.0))));
  int& frac_bits = scales.activations.at(regions.scale_of.at(id));
  frac_bits = std::min(frac_bits, sum.frac_bits + finer);
}

// Users of a result and of its operand may need scales that are far apart.
void limit_zeros(const Regions& regions, NodeId id, const SumBound& sum, Scales& scales) {
  int& frac_bits = scales.activations.at(regions.scale_of.at(id));
  frac_bits = std::max(frac_bits, sum.frac_bits - kMaxShift);
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
  const ZeroScales zeros(graph, regions, statistics);
  zeros.choose(scales);
  limit_averages(graph, regions, scales);
  // Operands before their users, whose scales follow from those of the operands.
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (!regions.is_integer(id)) continue;
    if (form_of(graph, node) == Form::kAverage) limit_average(regions, node, scales);
    if (const auto sum = sum_bound(graph, regions, scales, node)) {
      limit_result(regions, id, *sum, scales);
      if (zeros.is_zero(id)) limit_zeros(regions, id, *sum, scales);
    }
    if (!is_integer_layer(graph, regions, id)) continue;
    const int frac_in = scales.of(regions, node.inputs[0]);
    const LayerScales choice(graph, node, options, statistics.inputs.at(id), frac_in,
                             scales.of(regions, id));
    const std::vector<int> chosen = choice.choose(*options.per_channel);
    scales.weights[id] = chosen;
    if (chosen.size() == 1 && frac_in + chosen[0] < scales.of(regions, id))
      limit_result(regions, id, {choice.largest_sum(chosen[0]), frac_in + chosen[0]}, scales);
  }
  return scales;
}

}  // namespace vta::quantize
