// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "compiler/lower/passes.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool has_one_use(const Graph& graph, NodeId id) {
  return graph.users(id).size() == 1 && !graph.is_output(id);
}

bool concats_channels(const Node& node) {
  if (node.kind != OpKind::kConcat || node.type.shape.size() != 4) return false;
  return node.attrs.axis == 1 || node.attrs.axis == -3;
}

// Whether the pool's operand is a concat of convolutions that have no other use.
bool pools_convolutions(const Graph& graph, const Node& pool) {
  if (pool.kind != OpKind::kMaxPool2d || graph.is_output(pool.id)) return false;
  const Node& concat = graph.node(pool.inputs[0]);
  if (!concats_channels(concat) || !has_one_use(graph, concat.id)) return false;
  const std::set<NodeId> distinct(concat.inputs.begin(), concat.inputs.end());
  return distinct.size() == concat.inputs.size() &&
         std::ranges::all_of(concat.inputs, [&](NodeId id) {
           return graph.node(id).kind == OpKind::kQConv2d && has_one_use(graph, id);
         });
}

}  // namespace

bool hoist_pools(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) {
    if (!pools_convolutions(graph, graph.node(id))) continue;
    const Node pool = graph.node(id);
    const Node concat = graph.node(pool.inputs[0]);
    std::vector<NodeId> pools;
    for (NodeId operand : concat.inputs) {
      const std::string name = graph.free_name(pool.name + "." + graph.node(operand).name);
      pools.push_back(graph.insert_before(id, pool.kind, name, {operand}, pool.attrs));
    }
    const NodeId pooled = graph.insert_before(
        id, OpKind::kConcat, graph.free_name(concat.name + ".pooled"), pools, concat.attrs);
    graph.replace_uses(id, pooled);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::lower
