// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/integer_layer.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantize/lattice.h"
#include "compiler/quantize/weight_rows.h"
#include "compiler/quantize/wide_weights.h"
#include "runtime/tensor/leak.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

OpKind integer_kind(OpKind kind) {
  if (kind == OpKind::kDense) return OpKind::kQDense;
  return kind == OpKind::kConv2d ? OpKind::kQConv2d : OpKind::kQConv2dTranspose;
}

// Weights as levels of a unit by output channel.
struct RowLevels {
  std::vector<double> units;
  std::vector<int16_t> levels;
};

std::optional<RowLevels> row_levels(const RowShape& shape, OpKind kind, const Tensor& weights) {
  const std::vector<float> real = to_rows<float>(shape, kind, weights);
  RowLevels result;
  for (int64_t row = 0; row < shape.num_rows; ++row) {
    const auto lattice = lattice_of(std::span(real).subspan(
        static_cast<size_t>(row * shape.row_elems), static_cast<size_t>(shape.row_elems)));
    if (!lattice) return std::nullopt;
    result.units.push_back(lattice->unit);
    result.levels.insert(result.levels.end(), lattice->levels.begin(), lattice->levels.end());
  }
  return result;
}

std::vector<double> real_biases(const Graph& graph, const Node& layer, size_t num_channels) {
  if (layer.inputs.size() < 3) return std::vector<double>(num_channels, 0);
  const auto values = graph.node(layer.inputs[2]).value.data<float>();
  return {values.begin(), values.end()};
}

// The layer's numbers if powers of two without zero points allow shifts: exact, in fewer passes.
struct Shifted {
  std::vector<int32_t> biases, shifts;

  bool is_uniform() const {
    return std::ranges::all_of(shifts, [&](int32_t shift) { return shift == shifts[0]; });
  }
};

std::optional<Shifted> shifted(const IntegerLayer& layer, const Levels& to) {
  if (layer.x.levels.zero != 0 || to.zero != 0) return std::nullopt;
  constexpr double kMaxBias = 1 << 30;
  Shifted result;
  const size_t row = layer.rows.size() / layer.units.size();
  for (size_t c = 0; c < layer.units.size(); ++c) {
    const double unit = layer.x.levels.unit * layer.units[c], bias = layer.biases[c] / unit;
    const auto shift = exact_shift_of(unit / to.unit);
    if (!shift || std::abs(bias) > kMaxBias || bias != std::floor(bias)) return std::nullopt;
    ScaledChannel channel;
    set_weights(std::span(layer.rows).subspan(c * row, row), 0, channel);
    const double largest = static_cast<double>(std::max(-channel.low, channel.high)) +
                           std::abs(bias) + std::ldexp(1.0, static_cast<int>(*shift));
    const bool fits = std::ldexp(largest, static_cast<int>(std::max<int64_t>(-*shift, 0))) < 0x1p31;
    if (!fits) return std::nullopt;
    result.biases.push_back(static_cast<int32_t>(bias));
    result.shifts.push_back(static_cast<int32_t>(*shift));
  }
  const bool all_right = std::ranges::all_of(result.shifts, [](int32_t n) { return n >= 0; });
  if (!result.is_uniform() && !all_right) return std::nullopt;
  return result;
}

std::optional<ScaledLayer> scaled(const IntegerLayer& layer, const Levels& to) {
  std::vector<ScaledChannel> channels(layer.units.size());
  const size_t row = layer.rows.size() / layer.units.size();
  for (size_t c = 0; c < channels.size(); ++c) {
    channels[c].ratio = layer.x.levels.unit * layer.units[c] / to.unit;
    channels[c].bias = layer.biases[c] / to.unit;
    set_weights(std::span(layer.rows).subspan(c * row, row), layer.x.levels.zero, channels[c]);
  }
  return scaled_layer(channels, layer.x.levels.zero, to.zero);
}

Tensor vector_of(const std::vector<int32_t>& values) {
  return Tensor({static_cast<int64_t>(values.size())}, values);
}

// The layer's attributes and constants: biases, and factors or shifts by channel.
struct Requantization {
  OpAttrs attrs;
  std::vector<int32_t> offsets, numbers;
};

std::optional<Requantization> requantization(const IntegerLayer& layer, const Levels& to) {
  Requantization numbers_of{layer.attrs, {}, {}};
  auto& [result, offsets, numbers] = numbers_of;
  if (result.leak != 0 && !takes_leak(to)) return std::nullopt;
  clip_to(to, result);
  if (const auto by_shifts = shifted(layer, to)) {
    result.relu = to.lo == 0;
    offsets = by_shifts->biases;
    if (by_shifts->is_uniform()) result.shift = by_shifts->shifts[0];
    if (!by_shifts->is_uniform()) numbers = by_shifts->shifts;
  } else if (const auto by_factors = scaled(layer, to)) {
    result.scaled = true;
    result.pre_shift = by_factors->pre_shift;
    result.shift = by_factors->shift;
    if (layer.kind == OpKind::kQConv2d) result.zero = layer.x.levels.zero;
    if (result.leak != 0) result.result_zero = to.zero;
    if (result.result_zero != 0 && result.shift < kMinOffsetShift) return std::nullopt;
    offsets = by_factors->biases;
    numbers = by_factors->factors;
  } else {
    return std::nullopt;
  }
  return numbers_of;
}

}  // namespace

std::optional<NodeId> IntegerLayer::add_to(Graph& graph, NodeId position, const Levels& to) const {
  const auto numbers_of = requantization(*this, to);
  if (!numbers_of) return std::nullopt;
  const auto& [result, offsets, numbers] = *numbers_of;
  const auto constant = [&](const char* suffix, Tensor value) {
    return graph.insert_constant_before(position, graph.free_name(name + suffix), std::move(value));
  };
  std::vector<NodeId> inputs = {x.node, constant(".weight", weights),
                                constant(".bias", vector_of(offsets))};
  if (!numbers.empty())
    inputs.push_back(constant(result.scaled ? ".factors" : ".shifts", vector_of(numbers)));
  return graph.insert_before(position, kind, graph.free_name(name), std::move(inputs), result);
}

bool IntegerLayer::update(Graph& graph, NodeId id) const {
  const auto numbers_of = requantization(*this, current);
  if (!numbers_of || !numbers_of->attrs.scaled) return false;
  Node& node = graph.node(id);
  VTA_ASSERT(node.attrs.scaled, "factors, not shifts");
  node.attrs = numbers_of->attrs;
  graph.node(node.inputs[1]).value = weights;
  graph.node(node.inputs[2]).value = vector_of(numbers_of->offsets);
  graph.node(node.inputs[3]).value = vector_of(numbers_of->numbers);
  return true;
}

std::optional<IntegerLayer> integer_layer_of(Graph& graph, NodeId position, const Node& layer) {
  const auto x = level_operand(graph, layer.inputs[0]);
  const bool are_constant = std::all_of(layer.inputs.begin() + 1, layer.inputs.end(),
                                        [&](NodeId input) { return graph.is_constant(input); });
  if (!x || !are_constant) return std::nullopt;
  const Node& weights = graph.node(layer.inputs[1]);
  const RowShape shape = row_shape(graph, layer);
  const auto levels = row_levels(shape, layer.kind, weights.value);
  if (!levels) return std::nullopt;
  IntegerLayer result{layer.name, integer_kind(layer.kind), layer.attrs, *x, {}, {}, {}, {}, {}, -1,
                      0};
  result.units = levels->units;
  result.biases = real_biases(graph, layer, result.units.size());
  std::vector<int64_t> weights_shape = weights.type.shape;
  const bool transposed = is_transposed(layer.kind);
  WidenedLayer wide = widened(shape, levels->levels, transposed ? x->levels.zero : 0,
                              /*copies_all=*/layer.kind == OpKind::kDense);
  if (!wide.channels.empty()) {
    if (shape.groups > 1) return std::nullopt;
    result.x.node = insert_channels(graph, position, layer.name, x->node, wide.channels);
    if (transposed) result.x.levels.zero = 0;
    weights_shape[transposed ? 0 : 1] += std::ssize(wide.channels);
    if (result.kind == OpKind::kQConv2d) result.attrs.products = shape.row_elems;
  }
  result.rows = std::move(wide.rows);
  result.weights = from_rows(wide.shape, layer.kind, result.rows, weights_shape);
  return result;
}

}  // namespace vta::quantize
