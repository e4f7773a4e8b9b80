// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "compiler/lower/passes.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool pads_channels_only(const Node& pad) {
  const auto& before = pad.attrs.before;
  const auto& after = pad.attrs.after;
  if (pad.attrs.pad_mode != PadMode::kConstant) return false;
  return before.size() == 4 && after.size() == 4 && before[0] == 0 && after[0] == 0 &&
         before[2] == 0 && after[2] == 0 && before[3] == 0 && after[3] == 0 && before[1] >= 0 &&
         after[1] >= 0;
}

// Whether the slice takes every n-th row and m-th column of all images and channels, from the
// first.
bool is_spatial_stride(const Node& slice, const TensorType& src) {
  const Attrs<OpKind::kStridedSlice> a = slice.attrs;
  if (a.begin.size() != 4 || a.step.size() != 4) return false;
  if (std::ranges::any_of(a.begin, [](int64_t begin) { return begin != 0; })) return false;
  if (a.step[0] != 1 || a.step[1] != 1 || a.step[2] < 1 || a.step[3] < 1) return false;
  const auto rounded_up = [&](size_t axis) {
    return (src.shape[axis] + a.step[axis] - 1) / a.step[axis];
  };
  for (size_t axis = 0; axis < 4; ++axis) {
    if (slice.type.shape[axis] != rounded_up(axis)) return false;
  }
  return true;
}

struct Shortcut {
  NodeId source = -1;
  Attrs<OpKind::kQConv2d> attrs;
};

// The convolution that computes `pad`; nullopt if `pad` is not such a shortcut.
std::optional<Shortcut> shortcut_of(const Graph& graph, const Node& pad, const CoreConfig& core) {
  if (pad.kind != OpKind::kPad || pad.type.dtype != DType::kInt8 || pad.type.shape.size() != 4)
    return std::nullopt;
  if (!pads_channels_only(pad)) return std::nullopt;
  Shortcut shortcut;
  shortcut.source = pad.inputs.at(0);
  // The full range of int8: the convolution copies and must not clip.
  shortcut.attrs.lo = -128;
  shortcut.attrs.hi = 127;
  const Node& slice = graph.node(shortcut.source);
  if (slice.kind == OpKind::kStridedSlice) {
    const Node& source = graph.node(slice.inputs.at(0));
    const bool is_only_use = graph.users(slice.id).size() == 1 && !graph.is_output(slice.id);
    if (!is_only_use || !is_spatial_stride(slice, source.type)) return std::nullopt;
    shortcut.attrs.stride = {slice.attrs.step[2], slice.attrs.step[3]};
    shortcut.source = source.id;
  }
  const int64_t channels = graph.node(shortcut.source).type.shape[1];
  if (channels < core.block_in) return std::nullopt;
  return shortcut;
}

// The pad value of the channels that are not copied.
Tensor copying_bias(int64_t channels, const Node& pad) {
  Tensor bias(TensorType{DType::kInt32, {pad.type.shape[1]}});
  auto values = bias.mutable_data<int32_t>();
  std::ranges::fill(values, static_cast<int32_t>(pad.attrs.pad_value));
  std::ranges::fill(
      values.subspan(static_cast<size_t>(pad.attrs.before[1]), static_cast<size_t>(channels)), 0);
  return bias;
}

Tensor copying_weights(int64_t channels, const Node& pad) {
  const int64_t outputs = pad.type.shape[1], first = pad.attrs.before[1];
  Tensor weights(TensorType{DType::kInt8, {outputs, channels, 1, 1}});
  auto values = weights.mutable_data<int8_t>();
  for (int64_t c = 0; c < channels; ++c) values[(first + c) * channels + c] = 1;
  return weights;
}

}  // namespace

bool fuse_shortcut(Graph& graph, const CoreConfig& core) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();
  for (NodeId id : order) {
    const auto shortcut = shortcut_of(graph, graph.node(id), core);
    if (!shortcut) continue;
    const Node pad = graph.node(id);
    const int64_t channels = graph.node(shortcut->source).type.shape[1];
    const NodeId weights = graph.insert_constant_before(id, graph.free_name(pad.name + ".weight"),
                                                        copying_weights(channels, pad));
    const NodeId bias = graph.insert_constant_before(id, graph.free_name(pad.name + ".bias"),
                                                     copying_bias(channels, pad));
    const NodeId conv =
        graph.insert_before(id, OpKind::kQConv2d, graph.free_name(pad.name + ".conv"),
                            {shortcut->source, weights, bias}, shortcut->attrs);
    graph.replace_uses(id, conv);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::lower
