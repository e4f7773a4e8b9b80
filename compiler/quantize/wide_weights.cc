// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/wide_weights.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace vta::quantize {

using graph::CopiedChannel;
using graph::Graph;
using graph::NodeId;

namespace {

// Weights of some channels: [num_rows][channels * taps].
using Part = std::vector<int8_t>;

// The channels with a row whose level there is not 0.
std::vector<int64_t> used_channels(const RowShape& shape, const std::vector<int16_t>& rows) {
  std::vector<bool> is_used(static_cast<size_t>(shape.channels_per_group()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t column = static_cast<int64_t>(i) % shape.row_elems;
    if (rows[i] != 0) is_used[static_cast<size_t>(column / shape.taps)] = true;
  }
  std::vector<int64_t> channels;
  for (size_t c = 0; c < is_used.size(); ++c)
    if (is_used[c]) channels.push_back(static_cast<int64_t>(c));
  return channels;
}

// What int8 holds of these channels; the rows keep the rest.
Part take_int8(const RowShape& shape, const std::vector<int64_t>& channels,
               std::vector<int16_t>& rows) {
  Part taken;
  for (int64_t row = 0; row < shape.num_rows; ++row) {
    for (int64_t channel : channels) {
      const int64_t first = row * shape.row_elems + channel * shape.taps;
      for (int64_t tap = 0; tap < shape.taps; ++tap) {
        int16_t& level = rows[static_cast<size_t>(first + tap)];
        taken.push_back(static_cast<int8_t>(std::clamp<int16_t>(level, -128, 127)));
        level = static_cast<int16_t>(level - taken.back());
      }
    }
  }
  return taken;
}

// -zero * (sum of the weights of a tap): [num_rows][taps].
std::vector<int64_t> zero_sums(const RowShape& shape, const std::vector<int16_t>& rows,
                               int64_t zero) {
  std::vector<int64_t> sums(static_cast<size_t>(shape.num_rows * shape.taps));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / shape.row_elems;
    const int64_t tap = static_cast<int64_t>(i) % shape.row_elems % shape.taps;
    sums[static_cast<size_t>(row * shape.taps + tap)] -= zero * rows[i];
  }
  return sums;
}

// The parts of the layer's rows side by side.
std::vector<int8_t> joined(int64_t num_rows, const std::vector<Part>& parts) {
  std::vector<int8_t> rows;
  for (int64_t row = 0; row < num_rows; ++row) {
    for (const Part& part : parts) {
      const std::ptrdiff_t size = std::ssize(part) / num_rows;
      rows.insert(rows.end(), part.begin() + row * size, part.begin() + (row + 1) * size);
    }
  }
  return rows;
}

class Widening {
 public:
  explicit Widening(const RowShape& shape) : layer_{{}, shape, {}} {}

  void split(std::vector<int16_t> rows, bool copies_all) {
    std::vector<int64_t> own(static_cast<size_t>(layer_.shape.channels_per_group()));
    std::iota(own.begin(), own.end(), 0);
    parts_.push_back(take_int8(layer_.shape, own, rows));
    while (true) {
      std::vector<int64_t> copies = used_channels(layer_.shape, rows);
      if (copies.empty()) return;
      if (copies_all || 2 * copies.size() > own.size()) copies = own;
      for (int64_t channel : copies) layer_.channels.push_back({channel});
      parts_.push_back(take_int8(layer_.shape, copies, rows));
    }
  }

  // Digits of the sums: a channel of 1 for the ones, channels of kDigit for multiples of it.
  void add_constants(std::vector<int64_t> sums) {
    constexpr int64_t kDigit = 127;
    Part ones;
    for (int64_t& sum : sums) {
      ones.push_back(static_cast<int8_t>(sum % kDigit));
      sum /= kDigit;
    }
    add_constant(1, std::move(ones));
    while (std::ranges::any_of(sums, [](int64_t sum) { return sum != 0; })) {
      Part multiples;
      for (int64_t& sum : sums) {
        multiples.push_back(static_cast<int8_t>(std::clamp(sum, -kDigit, kDigit)));
        sum -= multiples.back();
      }
      add_constant(kDigit, std::move(multiples));
    }
  }

  WidenedLayer take() {
    layer_.shape.row_elems += std::ssize(layer_.channels) * layer_.shape.taps;
    layer_.rows = joined(layer_.shape.num_rows, parts_);
    return std::move(layer_);
  }

 private:
  void add_constant(int64_t level, Part weights) {
    layer_.channels.push_back({std::nullopt, static_cast<int8_t>(level)});
    parts_.push_back(std::move(weights));
  }

  WidenedLayer layer_;
  std::vector<Part> parts_;
};

NodeId insert_slice(Graph& graph, NodeId position, const std::string& name, NodeId x,
                    const CopiedChannel& channel) {
  Attrs<OpKind::kStridedSlice> attrs;
  attrs.begin.assign(graph.node(x).type.shape.size(), 0);
  attrs.begin[1] = *channel.from;
  attrs.end = graph.node(x).type.shape;
  attrs.end[1] = *channel.from + 1;
  attrs.step.assign(attrs.end.size(), 1);
  return graph.insert_before(position, OpKind::kStridedSlice, graph.free_name(name), {x}, attrs);
}

// Whether `channels` begin with all channels of a tensor of `count`, in order.
bool is_whole_copy(std::span<const CopiedChannel> channels, int64_t count) {
  if (std::ssize(channels) < count) return false;
  for (int64_t i = 0; i < count; ++i)
    if (channels[static_cast<size_t>(i)].from != i) return false;
  return true;
}

NodeId insert_concat(Graph& graph, NodeId position, const std::string& name,
                     std::vector<NodeId> parts) {
  const Attrs<OpKind::kConcat> attrs(attr::axis{1});
  return graph.insert_before(position, OpKind::kConcat, graph.free_name(name), std::move(parts),
                             attrs);
}

}  // namespace

WidenedLayer widened(const RowShape& shape, const std::vector<int16_t>& rows, int64_t zero,
                     bool copies_all) {
  Widening widening(shape);
  widening.split(rows, copies_all);
  if (zero != 0) widening.add_constants(zero_sums(shape, rows, zero));
  return widening.take();
}

NodeId insert_channels(Graph& graph, NodeId position, const std::string& name, NodeId x,
                       const std::vector<CopiedChannel>& channels) {
  const std::vector<int64_t> shape = graph.node(x).type.shape;
  const bool has_constants =
      std::ranges::any_of(channels, [](const CopiedChannel& c) { return !c.from; });
  // The host copies channels of its results: the layer stays the first of the core, whose kernel is
  // folded into channels.
  const bool copies_on_host = graph.node(x).kind == OpKind::kQuantize && !has_constants;
  // Below the usual block, a copy of all channels costs no more than a concat.
  constexpr int64_t kFewChannels = 16;
  if (shape.size() == 4 && !copies_on_host && shape[1] < kFewChannels) {
    std::vector<CopiedChannel> all;
    for (int64_t channel = 0; channel < shape[1]; ++channel) all.push_back({channel});
    all.insert(all.end(), channels.begin(), channels.end());
    return graph::insert_channel_copy(graph, position, name + ".input", x, all);
  }
  std::vector<NodeId> parts = {x};
  std::span<const CopiedChannel> left = channels;
  for (; is_whole_copy(left, shape[1]); left = left.subspan(static_cast<size_t>(shape[1])))
    parts.push_back(x);
  if (copies_on_host) {
    for (const CopiedChannel& channel : left)
      parts.push_back(insert_slice(graph, position, name + ".copy", x, channel));
  } else if (!left.empty()) {
    parts.push_back(graph::insert_channel_copy(graph, position, name + ".copies", x, left));
  }
  return insert_concat(graph, position, name + ".input", std::move(parts));
}

}  // namespace vta::quantize
