// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/hoist_average_pools.h"

#include <algorithm>
#include <vector>

namespace vta::graph {
namespace {

// Channels of the convolution's result. A pool before the convolution has the channels of the
// operand, usually more: the core's ALU takes about 5 cycles for 16 of them at a pixel. GEMM saves
// 1 cycle for each 16 x 16 products at 3 of 4 pixels. For a convolution that halves the channels,
// both are equal at about 54.
constexpr int64_t kMinChannels = 64;

bool is_pointwise(const Node& node) {
  const auto is = [](const auto& sizes, int64_t wanted) {
    return std::ranges::all_of(sizes, [&](int64_t size) { return size == wanted; });
  };
  return node.kind == OpKind::kConv2d && is(node.attrs.kernel, 1) && is(node.attrs.stride, 1) &&
         is(node.attrs.pad, 0);
}

bool has_whole_windows(const Node& pool) {
  return pool.kind == OpKind::kAvgPool2d && !pool.attrs.ceil_mode &&
         std::ranges::all_of(pool.attrs.pad, [](int64_t pad) { return pad == 0; });
}

bool can_hoist(const Graph& graph, NodeId id) {
  const Node& pool = graph.node(id);
  if (!has_whole_windows(pool) || pool.type.is_open()) return false;
  const Node& convolution = graph.node(pool.inputs[0]);
  return is_pointwise(convolution) && !convolution.type.is_open() &&
         pool.type.num_elems() < convolution.type.num_elems() &&
         convolution.type.shape[1] >= kMinChannels && graph.users(convolution.id).size() == 1 &&
         !graph.is_output(convolution.id);
}

// Returns the pool that replaces the pool.
NodeId hoist(Graph& graph, NodeId id) {
  const Node pool = graph.node(id);
  const Node convolution = graph.node(pool.inputs[0]);
  std::vector<NodeId> operands = convolution.inputs;
  operands[0] = graph.insert_before(id, pool.kind, pool.name, {operands[0]}, pool.attrs);
  const NodeId pooled =
      graph.insert_before(id, convolution.kind, convolution.name, operands, convolution.attrs);
  graph.replace_uses(id, pooled);
  graph.erase(id);
  graph.erase(convolution.id);
  return operands[0];
}

}  // namespace

bool hoist_average_pools(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    for (NodeId pool = id; can_hoist(graph, pool); changed = true) pool = hoist(graph, pool);
  }
  return changed;
}

}  // namespace vta::graph
