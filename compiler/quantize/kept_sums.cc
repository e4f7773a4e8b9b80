// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/kept_sums.h"

#include <algorithm>
#include <cstdlib>

#include "base/limits/memory_limit.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;

constexpr int kMaxPartsBits = 6;  // 2^15 parts are 512 levels
// Sums beyond 16 bits are clipped. Results are, too, as long as a bias moves by at most this.
constexpr int32_t kMaxMovedParts = 1 << 14;

std::span<const int32_t> biases_of(const Graph& graph, const Node& layer) {
  return graph.node(layer.inputs[2]).value.data<int32_t>();
}

int shift_of(const Graph& graph, const Node& layer, size_t channel) {
  if (layer.inputs.size() < 4) return static_cast<int>(layer.attrs.shift);
  return graph.node(layer.inputs[3]).value.data<int32_t>()[channel];
}

bool fit(size_t size_bytes) {
  const uint64_t used = memory_in_use_bytes(), limit = memory_limit_bytes();
  return used < limit && size_bytes <= (limit - used) / 2;
}

}  // namespace

std::optional<KeptSums> KeptSums::of(const Graph& graph, const Node& layer, size_t num_inputs) {
  const size_t elems = num_inputs * static_cast<size_t>(layer.type.num_elems());
  if (layer.attrs.scaled || layer.attrs.leak != 0 || !fit(elems * sizeof(int16_t)))
    return std::nullopt;
  KeptSums kept;
  kept.sums_.resize(num_inputs);
  const auto biases = biases_of(graph, layer);
  for (size_t c = 0; c < biases.size(); ++c) {
    const int shift = shift_of(graph, layer, c);
    if (shift < 0) return std::nullopt;
    const int parts_bits = std::min(shift, kMaxPartsBits);
    kept.channels_.push_back({parts_bits, shift - parts_bits, biases[c]});
  }
  return kept;
}

void KeptSums::keep(const Graph& graph, const Node& layer, const Tensor& x, size_t input) {
  std::vector<Tensor> operands = {x};
  for (size_t i = 1; i < layer.inputs.size(); ++i)
    operands.push_back(graph.node(layer.inputs[i]).value);
  const Tensor sums = host::sums_of_layer(layer.kind, layer.attrs, operands);
  const auto values = sums.data<int32_t>();
  const size_t planes = static_cast<size_t>(sums.dim(0)) * channels_.size();
  const size_t plane = values.size() / planes;
  std::vector<int16_t>& kept = sums_[input];
  kept.resize(values.size());
  for (size_t i = 0; i < planes; ++i) {
    const Channel& channel = channels_[i % channels_.size()];
    const int shift = channel.parts_bits + channel.unit_bits;
    const uint32_t added =
        static_cast<uint32_t>(channel.bias) + (shift > 0 ? uint32_t{1} << (shift - 1) : 0);
    for (size_t k = i * plane; k < (i + 1) * plane; ++k) {
      // Sums wrap as the operator's do.
      const auto sum = static_cast<int32_t>(static_cast<uint32_t>(values[k]) + added);
      const int32_t parts = sum >> channel.unit_bits;
      kept[k] = static_cast<int16_t>(std::clamp<int32_t>(parts, INT16_MIN, INT16_MAX));
    }
  }
}

bool KeptSums::follow(const Graph& graph, const Node& layer) const {
  const auto biases = biases_of(graph, layer);
  for (size_t c = 0; c < biases.size(); ++c) {
    const int64_t moved = int64_t{biases[c]} - channels_[c].bias;
    const int64_t unit = int64_t{1} << channels_[c].unit_bits;
    if (moved % unit != 0 || std::abs(moved / unit) > kMaxMovedParts) return false;
  }
  return true;
}

Tensor KeptSums::result(const Graph& graph, const Node& layer, size_t input) const {
  Tensor result(layer.type);
  const auto y = result.mutable_data<int8_t>();
  const std::vector<int16_t>& kept = sums_[input];
  const auto biases = biases_of(graph, layer);
  // Rounding keeps the order of numbers, so relu may follow it.
  const auto lo = static_cast<int32_t>(layer.attrs.relu ? std::max(layer.attrs.lo, 0.0)
                                                        : layer.attrs.lo),
             hi = static_cast<int32_t>(layer.attrs.hi);
  const size_t planes = static_cast<size_t>(layer.type.shape[0]) * channels_.size();
  const size_t plane = kept.size() / planes;
  for (size_t i = 0; i < planes; ++i) {
    const size_t c = i % channels_.size();
    const Channel& channel = channels_[c];
    const int32_t moved = (biases[c] - channel.bias) >> channel.unit_bits;
    for (size_t k = i * plane; k < (i + 1) * plane; ++k) {
      const int32_t level = (kept[k] + moved) >> channel.parts_bits;
      y[k] = static_cast<int8_t>(std::max(std::min(level, hi), lo));
    }
  }
  return result;
}

}  // namespace vta::quantize
