// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/equalize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int kMaxExponent = 6;      // of a channel's factor
constexpr double kWorthwhile = 0.1;  // minimum relative reduction of the noise

// A layer that reads channels of the equalized tensor.
struct Consumer {
  NodeId layer;
  int64_t offset;  // of the tensor's first channel among the layer's input channels
  int64_t span;    // input features per channel: h * w after a flatten, else 1
};

// Walks from a layer's result to its consumers through operators that commute with factors.
class ConsumerSearch {
 public:
  ConsumerSearch(const Graph& graph, const Regions& regions) : graph_(graph), regions_(regions) {}

  // Empty if the result has other uses.
  std::optional<std::vector<Consumer>> run(NodeId producer) {
    const bool found = follow(producer, 0, 1) && !consumers_.empty();
    return found ? std::optional(consumers_) : std::nullopt;
  }

 private:
  bool follow(NodeId tensor, int64_t offset, int64_t span) {
    if (graph_.is_output(tensor)) return false;
    for (NodeId user : graph_.users(tensor)) {
      if (!pass(graph_.node(user), tensor, offset, span)) return false;
    }
    return true;
  }

  bool pass(const Node& user, NodeId tensor, int64_t offset, int64_t span) {
    if (!regions_.is_integer(user.id)) return false;
    switch (user.kind) {
      case OpKind::kConv2d:
      case OpKind::kConv2dTranspose:
      case OpKind::kDense:
        consumers_.push_back({user.id, offset, span});
        return form_of(graph_, user) == Form::kWeighted && user.inputs[0] == tensor;
      case OpKind::kPad:
        return user.attrs.pad_value == 0 && user.attrs.before[1] == 0 && user.attrs.after[1] == 0 &&
               follow(user.id, offset, span);
      case OpKind::kRelu:
      case OpKind::kLeakyRelu:
      case OpKind::kMaxPool2d:
      case OpKind::kGlobalMaxPool2d:
      case OpKind::kAvgPool2d:
      case OpKind::kGlobalAvgPool2d:
      case OpKind::kResize2d:
        return follow(user.id, offset, span);
      case OpKind::kFlatten:
        return follow_flatten(user, offset, span);
      case OpKind::kConcat:
        return follow_concat(user, tensor, offset, span);
      default:
        return false;
    }
  }

  bool follow_flatten(const Node& flatten, int64_t offset, int64_t span) {
    const std::vector<int64_t>& shape = graph_.node(flatten.inputs[0]).type.shape;
    const int64_t plane = flatten.type.shape[1] / shape[1];
    return follow(flatten.id, offset * plane, span * plane);
  }

  bool follow_concat(const Node& concat, NodeId tensor, int64_t offset, int64_t span) {
    const auto rank = static_cast<int64_t>(concat.type.shape.size());
    if ((concat.attrs.axis + rank) % rank != 1) return false;
    int64_t before = 0;
    for (NodeId operand : concat.inputs) {
      if (operand == tensor && !follow(concat.id, before + offset, span)) return false;
      before += graph_.node(operand).type.shape[1];
    }
    return true;
  }

  const Graph& graph_;
  const Regions& regions_;
  std::vector<Consumer> consumers_;
};

// A consumer's share of the estimated noise.
class ConsumerNoise {
 public:
  ConsumerNoise(const Graph& graph, const Consumer& consumer, const ChannelStatistics& input,
                int64_t num_channels, bool per_channel)
      : consumer_(consumer),
        input_(input),
        num_channels_(num_channels),
        per_channel_(per_channel),
        shape_(row_shape(graph, graph.node(consumer.layer))),
        rows_(to_rows<float>(shape_, graph.node(consumer.layer).kind,
                             graph.node(graph.node(consumer.layer).inputs[1]).value)) {}

  // max |x| of a channel of the tensor.
  double largest_input(int64_t channel) const {
    double largest = 0;
    for (int64_t i = 0; i < consumer_.span; ++i)
      largest = std::max(largest, input_.largest[consumer_.offset + channel * consumer_.span + i]);
    return largest;
  }
  // max |w| of every channel of the tensor.
  std::vector<double> largest_weights() const {
    std::vector<double> largest(static_cast<size_t>(num_channels_));
    for_each_weight([&](int64_t, int64_t feature, double w) {
      const int64_t channel = channel_of(feature);
      if (channel >= 0) largest[channel] = std::max(largest[channel], std::abs(w));
    });
    return largest;
  }

  // The noise with channel c of the tensor divided by 2^exponents[c].
  double with(const std::vector<int>& exponents) const {
    std::vector<double> factors(input_.largest.size(), 1);
    double range = 0;  // of the scaled input
    for (size_t feature = 0; feature < factors.size(); ++feature) {
      const int64_t channel = channel_of(static_cast<int64_t>(feature));
      if (channel >= 0) factors[feature] = std::ldexp(1.0, exponents[channel]);
      range = std::max(range, input_.largest[feature] / factors[feature]);
    }
    const auto num_rows = static_cast<size_t>(shape_.num_rows);
    std::vector<double> largest(num_rows), squares(num_rows), power(num_rows);
    for_each_weight([&](int64_t row, int64_t feature, double w) {
      const double scaled = w * factors[feature];
      largest[row] = std::max(largest[row], std::abs(scaled));
      squares[row] += scaled * scaled;
      power[row] += input_.mean_square[feature] / (factors[feature] * factors[feature]);
    });
    const double largest_of_all = *std::max_element(largest.begin(), largest.end());
    double noise = 0;  // in units of (1 / 127)^2 / 12
    for (size_t row = 0; row < num_rows; ++row) {
      const double step = per_channel_ ? largest[row] : largest_of_all;
      noise += range * range * squares[row] + step * step * power[row];
    }
    return noise;
  }

 private:
  int64_t channel_of(int64_t feature) const {
    const int64_t channel = (feature - consumer_.offset) / consumer_.span;
    return feature >= consumer_.offset && channel < num_channels_ ? channel : -1;
  }

  template <typename Action>
  void for_each_weight(Action&& action) const {
    for (int64_t row = 0, i = 0; row < shape_.num_rows; ++row) {
      const int64_t first = shape_.group_of(row) * shape_.channels_per_group();
      for (int64_t column = 0; column < shape_.row_elems; ++column, ++i)
        action(row, first + column / shape_.taps, double{rows_[i]});
    }
  }

  const Consumer consumer_;
  const ChannelStatistics& input_;
  const int64_t num_channels_;
  const bool per_channel_;
  const RowShape shape_;
  const std::vector<float> rows_;
};

// Exponents of factors proportional to inputs^of_inputs / weights^of_weights, the largest 2^0.
std::vector<int> exponents_for(const std::vector<double>& inputs,
                               const std::vector<double>& weights, double of_inputs,
                               double of_weights) {
  std::vector<double> wanted(inputs.size());
  double largest = -std::numeric_limits<double>::infinity();
  for (size_t c = 0; c < inputs.size(); ++c) {
    if (inputs[c] == 0 || weights[c] == 0) continue;
    wanted[c] = of_inputs * std::log2(inputs[c]) - of_weights * std::log2(weights[c]);
    largest = std::max(largest, wanted[c]);
  }
  std::vector<int> exponents(inputs.size());
  for (size_t c = 0; c < inputs.size(); ++c) {
    if (inputs[c] == 0 || weights[c] == 0) continue;
    exponents[c] = std::max(static_cast<int>(std::floor(wanted[c] - largest + 0.5)), -kMaxExponent);
  }
  return exponents;
}

std::vector<int> best_exponents(const std::vector<ConsumerNoise>& consumers, size_t num_channels) {
  std::vector<double> inputs(num_channels), weights(num_channels);
  for (const ConsumerNoise& consumer : consumers) {
    const std::vector<double> of_consumer = consumer.largest_weights();
    for (size_t c = 0; c < num_channels; ++c) {
      inputs[c] = std::max(inputs[c], consumer.largest_input(static_cast<int64_t>(c)));
      weights[c] = std::max(weights[c], of_consumer[c]);
    }
  }
  const auto noise = [&](const std::vector<int>& exponents) {
    double sum = 0;
    for (const ConsumerNoise& consumer : consumers) sum += consumer.with(exponents);
    return sum;
  };
  std::vector<int> best(num_channels);
  double least = noise(best) * (1 - kWorthwhile);
  for (const auto& [of_inputs, of_weights] :
       {std::pair(1.0, 0.0), {0.5, 0.0}, {0.5, 0.5}, {0.25, 0.25}}) {
    const std::vector<int> candidate = exponents_for(inputs, weights, of_inputs, of_weights);
    const double sum = noise(candidate);
    if (sum >= least) continue;
    least = sum;
    best = candidate;
  }
  return best;
}

// Multiplies each of the layer's weights by 2^exponent(row, input feature), in a new constant.
template <typename Exponent>
void scale_weights(Graph& graph, NodeId layer, Exponent&& exponent) {
  const Node& node = graph.node(layer);
  const RowShape shape = row_shape(graph, node);
  const Node& weights = graph.node(node.inputs[1]);
  std::vector<float> rows = to_rows<float>(shape, node.kind, weights.value);
  for (int64_t row = 0, i = 0; row < shape.num_rows; ++row) {
    const int64_t first = shape.group_of(row) * shape.channels_per_group();
    for (int64_t column = 0; column < shape.row_elems; ++column, ++i)
      rows[i] = std::ldexp(rows[i], exponent(row, first + column / shape.taps));
  }
  const NodeId scaled = graph.insert_constant_before(
      layer, graph.free_name(weights.name), from_rows(shape, node.kind, rows, weights.type.shape));
  graph.set_input(layer, 1, scaled);
}

void scale_bias(Graph& graph, NodeId layer, const std::vector<int>& exponents) {
  if (graph.node(layer).inputs.size() < 3) return;
  const Node& bias = graph.node(graph.node(layer).inputs[2]);
  Tensor value = bias.value;
  const auto b = value.mutable_data<float>();
  for (size_t c = 0; c < b.size(); ++c) b[c] = std::ldexp(b[c], -exponents[c]);
  const NodeId scaled =
      graph.insert_constant_before(layer, graph.free_name(bias.name), std::move(value));
  graph.set_input(layer, 2, scaled);
}

void apply(Graph& graph, NodeId producer, const std::vector<Consumer>& consumers,
           const std::vector<int>& exponents) {
  scale_weights(graph, producer, [&](int64_t row, int64_t) { return -exponents[row]; });
  scale_bias(graph, producer, exponents);
  for (const Consumer& consumer : consumers) {
    scale_weights(graph, consumer.layer, [&](int64_t, int64_t feature) {
      const int64_t channel = (feature - consumer.offset) / consumer.span;
      const bool is_scaled =
          feature >= consumer.offset && channel < static_cast<int64_t>(exponents.size());
      return is_scaled ? exponents[channel] : 0;
    });
  }
}

}  // namespace

bool equalize(Graph& graph, const Regions& regions, const Statistics& statistics,
              bool per_channel) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    const Node& layer = graph.node(id);
    if (!regions.is_integer(id) || form_of(graph, layer) != Form::kWeighted) continue;
    const auto consumers = ConsumerSearch(graph, regions).run(id);
    if (!consumers) continue;
    const int64_t channels = layer.type.shape[1];
    std::vector<ConsumerNoise> noises;
    for (const Consumer& consumer : *consumers) {
      noises.emplace_back(graph, consumer, statistics.inputs.at(consumer.layer), channels,
                          per_channel);
    }
    const std::vector<int> exponents = best_exponents(noises, static_cast<size_t>(channels));
    if (std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; })) continue;
    apply(graph, id, *consumers, exponents);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::quantize
