// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/passes.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool is_dense_of_image(const Graph& graph, const Node& dense, const CoreConfig& core) {
  if (dense.kind != OpKind::kQDense) return false;
  const Node& flat = graph.node(dense.inputs[0]);
  const bool flattens = flat.kind == OpKind::kFlatten || flat.kind == OpKind::kReshape;
  if (!flattens || !graph.is_constant(dense.inputs[1])) return false;
  const std::vector<int64_t>& image = graph.node(flat.inputs[0]).type.shape;
  return image.size() == 4 && image[0] == dense.type.shape[0] && image[2] * image[3] > 1 &&
         image[1] % core.block_in == 0;
}

}  // namespace

bool unflatten_dense(Graph& graph, const CoreConfig& core) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();
  for (NodeId id : order) {
    if (!is_dense_of_image(graph, graph.node(id), core)) continue;
    const Node dense = graph.node(id);
    const NodeId source = graph.node(dense.inputs[0]).inputs[0];
    const std::vector<int64_t> image = graph.node(source).type.shape;
    const Tensor weights = graph.node(dense.inputs[1])
                               .value.reshaped({dense.type.shape[1], image[1], image[2], image[3]});
    Attrs<OpKind::kQConv2d> attrs = dense.attrs;
    attrs.kernel = {image[2], image[3]};
    std::vector<NodeId> inputs = dense.inputs;
    inputs[0] = source;
    inputs[1] = graph.insert_constant_before(id, graph.free_name(dense.name + ".kernel"), weights);
    const NodeId conv = graph.insert_before(id, OpKind::kQConv2d,
                                            graph.free_name(dense.name + ".conv"), inputs, attrs);
    const NodeId flat =
        graph.insert_before(id, OpKind::kFlatten, graph.free_name(dense.name + ".flat"), {conv});
    graph.replace_uses(id, flat);
    changed = true;
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::lower
