// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/refine_shifts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/refine.h"
#include "compiler/quantize/sum_bounds.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Layers that share their weights with more others, as the steps of a recurrent one, keep the
// nearest rounding and their biases: each step would get weights of its own.
constexpr int kMaxUses = 4;

class ShiftedLayers : public RefinedLayers, public CorrectedBiases {
 public:
  ShiftedLayers(const Graph& source, const Scales& scales, const Regions& regions,
                const Statistics& statistics, Rewritten& rewritten)
      : source_(source),
        scales_(scales),
        regions_(regions),
        statistics_(statistics),
        graph_(rewritten.graph) {
    std::map<NodeId, int> uses;  // of weights, by layers
    for (const auto& [layer, scale] : scales.weights) ++uses[source.node(layer).inputs[1]];
    for (const auto& [from, to] : rewritten.integer_of) {
      if (scales.weights.count(from) != 0 && uses[source.node(from).inputs[1]] > kMaxUses) continue;
      if (scales.weights.count(from) != 0) layer_of_[to] = from;
      // A fused activation follows the operator in the source graph.
      if (statistics.outputs.count(from) != 0) float_of_[to] = from;
    }
  }

  bool contains(NodeId layer) const override { return layer_of_.count(layer) != 0; }

  void round(NodeId id, const Batch& inputs) override {
    const Node& layer = source_.node(layer_of_.at(id));
    const Node& integer = graph_.node(id);
    const RowShape shape = row_shape(source_, layer);
    const std::vector<float> weights =
        to_rows<float>(shape, layer.kind, source_.node(layer.inputs[1]).value);
    std::vector<double> rows;
    rows.reserve(weights.size());
    for (int64_t row = 0; row < shape.num_rows; ++row) {
      const double unit = power_of_two(frac_of_weights(layer.id, static_cast<size_t>(row)));
      for (int64_t i = 0; i < shape.row_elems; ++i)
        rows.push_back(weights[row * shape.row_elems + i] * unit);
    }
    Node& constant = graph_.node(integer.inputs[1]);
    constant.value =
        from_rows(shape, layer.kind, round_layer(graph_, integer, inputs, rows, std::nullopt),
                  constant.type.shape);
  }

  // Empty if int8 clips the range over which the float graph's mean was taken: the means would
  // differ by the clipping.
  std::optional<WantedResult> wanted(NodeId result) const override {
    const auto source = float_of_.find(result);
    if (source == float_of_.end()) return std::nullopt;
    const OpAttrs& attrs = graph_.node(result).attrs;
    const int frac = scales_.of(regions_, source->second);
    WantedResult wanted{{}, attrs.lo, attrs.hi, slope_of(attrs)};
    const auto found = statistics_.ranges.find(source->second);
    if (found != statistics_.ranges.end()) {
      const double lo = std::round(std::ldexp(double{found->second.lo}, frac)),
                   hi = std::round(std::ldexp(double{found->second.hi}, frac));
      if ((std::isfinite(lo) && lo < attrs.lo) || (std::isfinite(hi) && hi > attrs.hi))
        return std::nullopt;
      wanted.lo = std::max(lo, attrs.lo);
      wanted.hi = std::min(hi, attrs.hi);
    }
    for (double mean : statistics_.outputs.at(source->second).mean)
      wanted.means.push_back(std::ldexp(mean, frac));
    return wanted;
  }

  void move_bias(NodeId layer, NodeId result, const std::vector<double>& levels) override {
    const int frac_out = scales_.of(regions_, float_of_.at(result));
    const std::vector<double> most = largest_biases(graph_.node(layer));
    const auto bias = graph_.node(graph_.node(layer).inputs[2]).value.mutable_data<int32_t>();
    for (size_t c = 0; c < bias.size(); ++c) {
      const double change = std::ldexp(levels[c], frac_of_sum(layer, c) - frac_out);
      bias[c] = quantized_bias(std::clamp(bias[c] + change, -most[c], most[c]), 0);
    }
  }

 private:
  // By channel: the magnitude at which the sums, shifted or with what rounds them, fit int32.
  std::vector<double> largest_biases(const Node& layer) const {
    const RowShape shape = row_shape(graph_, layer);
    const std::vector<int8_t> rows =
        to_rows<int8_t>(shape, layer.kind, graph_.node(layer.inputs[1]).value);
    std::vector<double> most;
    for (int64_t c = 0; c < shape.num_rows; ++c) {
      const int shift = layer.inputs.size() < 4
                            ? static_cast<int>(layer.attrs.shift)
                            : graph_.node(layer.inputs[3]).value.data<int32_t>()[c];
      double sum = shift > 0 ? std::ldexp(1.0, shift - 1) : 0;
      for (int64_t i = 0; i < shape.row_elems; ++i)
        sum += kMaxInt8 * std::abs(rows[c * shape.row_elems + i]);
      most.push_back(std::max(std::ldexp(kMaxSum, std::min(shift, 0)) - sum, 0.0));
    }
    return most;
  }

  static double slope_of(const OpAttrs& attrs) {
    return attrs.leak == 0 ? 1
                           : std::ldexp(double(attrs.leak), -static_cast<int>(attrs.leak_shift));
  }

  int frac_of_weights(NodeId layer, size_t channel) const {
    const std::vector<int>& weights = scales_.weights.at(layer);
    return weights.size() == 1 ? weights[0] : weights[channel];
  }

  int frac_of_sum(NodeId layer, size_t channel) const {
    const Node& source = source_.node(layer_of_.at(layer));
    return scales_.of(regions_, source.inputs[0]) + frac_of_weights(source.id, channel);
  }

  const Graph& source_;
  const Scales& scales_;
  const Regions& regions_;
  const Statistics& statistics_;
  Graph& graph_;
  std::map<NodeId, NodeId> float_of_;  // integer result -> float operator
  std::map<NodeId, NodeId> layer_of_;  // likewise, weighted layers only
};

}  // namespace

void refine_shifts(const Graph& source, const Scales& scales, const Regions& regions,
                   const Statistics& statistics,
                   const std::vector<std::vector<Tensor>>& calibration,
                   const std::function<void(double)>& on_progress, Rewritten& rewritten) {
  ShiftedLayers layers(source, scales, regions, statistics, rewritten);
  refine(rewritten.graph, layers, &layers, calibration, on_progress);
}

}  // namespace vta::quantize
