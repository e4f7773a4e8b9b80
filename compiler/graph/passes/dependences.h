// SPDX-License-Identifier: Apache-2.0
//
// Which nodes depend on which others.
#ifndef VTA_COMPILER_GRAPH_PASSES_DEPENDENCES_H_
#define VTA_COMPILER_GRAPH_PASSES_DEPENDENCES_H_

#include <algorithm>
#include <set>

#include "compiler/graph/graph.h"

namespace vta::graph {

// Nodes on which a node that satisfies `is_target` depends.
template <typename IsTarget>
std::set<NodeId> nodes_before(const Graph& graph, IsTarget&& is_target) {
  std::set<NodeId> result;
  for (size_t i = graph.order().size(); i-- > 0;) {
    const Node& node = graph.node(graph.order()[i]);
    if (is_target(node) || result.contains(node.id))
      result.insert(node.inputs.begin(), node.inputs.end());
  }
  return result;
}

// Nodes that depend on a node that satisfies `is_source`.
template <typename IsSource>
std::set<NodeId> nodes_after(const Graph& graph, IsSource&& is_source) {
  std::set<NodeId> result;
  for (const NodeId id : graph.order()) {
    const bool depends = std::ranges::any_of(graph.node(id).inputs, [&](NodeId input) {
      return result.contains(input) || is_source(graph.node(input));
    });
    if (depends) result.insert(id);
  }
  return result;
}

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_DEPENDENCES_H_
