// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/merge_bias.h"

#include <algorithm>
#include <map>

namespace vta::onnx {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool takes_bias(const Node& node) {
  const bool is_product = node.kind == OpKind::kConv2d || node.kind == OpKind::kConv2dTranspose ||
                          node.kind == OpKind::kDense;
  return is_product && node.inputs.size() == 2;
}

// Whether a constant of this shape has one number per channel (axis 1) of `result`.
bool is_per_channel(const std::vector<int64_t>& shape, const std::vector<int64_t>& result) {
  if (shape.size() > result.size()) return false;
  std::vector<int64_t> wanted(result.size(), 1);
  wanted[1] = result[1];
  const size_t missing = result.size() - shape.size();
  return missing <= 1 && std::equal(shape.begin(), shape.end(),
                                    wanted.begin() + static_cast<std::ptrdiff_t>(missing));
}

// The number of uses of each node, including outputs.
std::map<NodeId, int> count_uses(const Graph& graph) {
  std::map<NodeId, int> uses;
  for (NodeId id : graph.order()) {
    for (NodeId input : graph.node(id).inputs) ++uses[input];
  }
  for (NodeId id : graph.outputs()) ++uses[id];
  return uses;
}

// The product and the constant of an add that can be merged; -1 for others.
struct BiasAdd {
  NodeId product = -1;
  NodeId constant = -1;
};

BiasAdd as_bias_add(const Graph& graph, const Node& add) {
  for (const size_t place : {0, 1}) {
    const Node &product = graph.node(add.inputs[place]), &bias = graph.node(add.inputs[1 - place]);
    if (takes_bias(product) && bias.kind == OpKind::kConstant &&
        is_per_channel(bias.type.shape, product.type.shape)) {
      return {product.id, bias.id};
    }
  }
  return {};
}

}  // namespace

bool merge_bias(Graph& graph) {
  const std::map<NodeId, int> uses = count_uses(graph);
  std::map<NodeId, std::string> names;  // names of removed products, for their replacements
  const std::vector<NodeId> order = graph.order();
  for (NodeId id : order) {
    if (graph.node(id).kind != OpKind::kAdd) continue;
    const BiasAdd found = as_bias_add(graph, graph.node(id));
    if (found.product < 0 || uses.at(found.product) != 1) continue;
    const Node& product = graph.node(found.product);
    const Tensor bias = graph.node(found.constant).value.reshaped({product.type.shape[1]});
    const NodeId b =
        graph.insert_constant_before(id, graph.free_name(product.name + ".bias"), bias);
    const NodeId merged =
        graph.insert_before(id, product.kind, graph.free_name(product.name),
                            {product.inputs[0], product.inputs[1], b}, product.attrs);
    graph.replace_uses(id, merged);
    names[merged] = graph.node(found.product).name;
  }
  graph.erase_dead();
  for (const auto& [id, name] : names) graph.rename(id, graph.free_name(name));
  return !names.empty();
}

}  // namespace vta::onnx
