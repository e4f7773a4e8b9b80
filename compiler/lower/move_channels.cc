// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "compiler/graph/copy_channels.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/passes.h"
#include "runtime/program/program.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Each is a convolution.
constexpr size_t kMaxSources = 4;

// A channel of another tensor.
struct Channel {
  NodeId source;
  int64_t channel;
};
// By channel of a result.
using Channels = std::vector<Channel>;

bool is_image(const TensorType& type) {
  return type.dtype == DType::kInt8 && type.shape.size() == 4;
}

// The operand of a shuffle, whose last operator is `reshape`: channels as [groups, rest],
// transposed. nullopt: another reshape. `groups` is set.
std::optional<NodeId> shuffled_operand(const Graph& graph, const Node& reshape, int64_t& groups) {
  if (reshape.kind != OpKind::kReshape || !is_image(reshape.type)) return std::nullopt;
  const Node& transpose = graph.node(reshape.inputs[0]);
  if (transpose.kind != OpKind::kTranspose ||
      transpose.attrs.perm != std::vector<int64_t>{0, 2, 1, 3, 4})
    return std::nullopt;
  const Node& split = graph.node(transpose.inputs[0]);
  if (split.kind != OpKind::kReshape) return std::nullopt;
  const Node& source = graph.node(split.inputs[0]);
  if (source.type != reshape.type) return std::nullopt;
  const std::vector<int64_t>& s = source.type.shape;
  groups = split.type.shape[1];
  if (split.type.shape != std::vector<int64_t>{s[0], groups, s[1] / groups, s[2], s[3]})
    return std::nullopt;
  return source.id;
}

class ChannelMover {
 public:
  ChannelMover(Graph& graph, const CoreConfig& core) : graph_(graph), core_(core) {}

  bool run() {
    const std::vector<NodeId> order = graph_.order();
    for (NodeId id : order) visit(id);
    if (changed_) graph_.erase_dead();
    return changed_;
  }

 private:
  void visit(NodeId id) {
    const Node& node = graph_.node(id);
    const auto channels = moved_channels(node);
    if (!channels) return;
    if (is_needed(node) && move(id, *channels)) return;
    moves_[id] = *channels;
  }

  // nullopt: no move of channels, or a view.
  std::optional<Channels> moved_channels(const Node& node) const {
    if (node.inputs.empty() || !is_image(node.type)) return std::nullopt;
    int64_t groups = 0;
    if (const auto source = shuffled_operand(graph_, node, groups)) {
      const Channels from = channels_of(*source);
      Channels to;
      const int64_t rest = static_cast<int64_t>(from.size()) / groups;
      for (int64_t i = 0; i < rest; ++i)
        for (int64_t g = 0; g < groups; ++g) to.push_back(from[g * rest + i]);
      return to;
    }
    if (is_view(node)) return std::nullopt;
    if (node.kind == OpKind::kConcat) return concatenated(node);
    if (node.kind == OpKind::kStridedSlice) return sliced(node);
    return std::nullopt;
  }

  bool is_view(const Node& node) const {
    std::vector<TensorType> types;
    for (NodeId input : node.inputs) {
      if (moves_.contains(input)) return false;
      types.push_back(graph_.node(input).type);
    }
    return view_offsets(node.kind, node.attrs, types, node.type, core_).has_value();
  }

  std::optional<Channels> concatenated(const Node& node) const {
    if (node.attrs.axis != 1 && node.attrs.axis != -3) return std::nullopt;
    Channels result;
    for (NodeId input : node.inputs)
      std::ranges::copy(channels_of(input), std::back_inserter(result));
    return result;
  }

  std::optional<Channels> sliced(const Node& node) const {
    const Channels from = channels_of(node.inputs[0]);
    std::vector<int64_t> whole = graph_.node(node.inputs[0]).type.shape;
    whole[1] = node.type.shape[1];
    if (node.type.shape != whole) return std::nullopt;
    for (size_t axis : {size_t{0}, size_t{2}, size_t{3}})
      if (node.attrs.step[axis] != 1) return std::nullopt;
    Channels result;
    for (int64_t c = 0; c < whole[1]; ++c)
      result.push_back(from.at(static_cast<size_t>(node.attrs.begin[1] + c * node.attrs.step[1])));
    return result;
  }

  Channels channels_of(NodeId id) const {
    if (const auto found = moves_.find(id); found != moves_.end()) return found->second;
    Channels result;
    for (int64_t c = 0; c < graph_.node(id).type.shape[1]; ++c) result.push_back({id, c});
    return result;
  }

  // Slices end what would become moves of ever more tensors; other moves of moves are one.
  bool is_needed(const Node& node) const {
    if (node.kind == OpKind::kStridedSlice || graph_.is_output(node.id)) return true;
    return std::ranges::any_of(graph_.users(node.id), [&](NodeId id) {
      const Node& user = graph_.node(id);
      return user.kind != OpKind::kConcat && user.kind != OpKind::kStridedSlice &&
             !(user.kind == OpKind::kReshape && user.type.shape.size() == 5);
    });
  }

  // Replaces the node by convolutions of its sources, and their sum. Returns whether the core
  // computes all sources.
  bool move(NodeId id, const Channels& channels) {
    std::vector<NodeId> sources;
    for (const Channel& c : channels) {
      if (std::ranges::find(sources, c.source) == sources.end()) sources.push_back(c.source);
    }
    const bool on_core = std::ranges::all_of(sources, [&](NodeId source) {
      return find_core_lowering(graph_.node(source).kind) != nullptr;
    });
    if (sources.size() > kMaxSources || !on_core) return false;
    // The full range of int8: copies.
    const Attrs<OpKind::kQAdd> whole(attr::lo{-128}, attr::hi{127});
    const std::string name = graph_.node(id).name;
    NodeId sum = -1;
    for (NodeId source : sources) {
      const NodeId part = copying_convolution(id, source, channels);
      sum = sum < 0 ? part
                    : graph_.insert_before(id, OpKind::kQAdd, graph_.free_name(name + ".sum"),
                                           {sum, part}, whole);
    }
    graph_.replace_uses(id, sum);
    return changed_ = true;
  }

  NodeId copying_convolution(NodeId id, NodeId source, const Channels& channels) {
    std::vector<graph::CopiedChannel> copied;
    for (const Channel& c : channels) {
      copied.push_back(c.source == source ? graph::CopiedChannel{c.channel}
                                          : graph::CopiedChannel{});
    }
    return graph::insert_channel_copy(graph_, id, graph_.node(id).name + ".conv", source, copied);
  }

  Graph& graph_;
  const CoreConfig& core_;
  std::map<NodeId, Channels> moves_;  // of moves that are not replaced
  bool changed_ = false;
};

}  // namespace

bool move_channels(Graph& graph, const CoreConfig& core) { return ChannelMover(graph, core).run(); }

}  // namespace vta::lower
