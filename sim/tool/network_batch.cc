// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/network_batch.h"

#include <algorithm>
#include <map>

namespace vta::sim {

import::Network with_batch(const import::Network& network, int64_t batch) {
  import::Network batched = network;
  graph::Graph& graph = batched.graph = graph::Graph();
  graph.name = network.graph.name;
  std::map<graph::NodeId, graph::NodeId> ids;
  const auto new_ids = [&](const std::vector<graph::NodeId>& old_ids) {
    std::vector<graph::NodeId> result;
    for (const graph::NodeId id : old_ids) result.push_back(ids.at(id));
    return result;
  };
  for (const graph::NodeId id : network.graph.order()) {
    const graph::Node& node = network.graph.node(id);
    if (node.kind == OpKind::kInput) {
      TensorType type = node.type;
      type.shape.at(0) = batch;
      ids[id] = graph.add_input(node.name, type);
    } else if (node.kind == OpKind::kConstant) {
      ids[id] = graph.add_constant(node.name, node.value);
    } else {
      OpAttrs attrs = node.attrs;
      // A slice keeps all images; its other axes are those of one image.
      if (node.kind == OpKind::kStridedSlice) attrs.end.at(0) = batch;
      ids[id] = graph.add(node.kind, node.name, new_ids(node.inputs), attrs);
    }
  }
  graph.set_outputs(new_ids(network.graph.outputs()));
  return batched;
}

Tensor stack_images(const std::vector<Tensor>& images, size_t first, int64_t batch) {
  TensorType type = images.at(first).type();
  type.shape.at(0) = batch;
  Tensor stacked(type);
  auto target = stacked.mutable_bytes().begin();
  for (int64_t i = 0; i < batch; ++i) {
    const size_t index = first + i < images.size() ? first + i : 0;
    target = std::copy(images[index].bytes().begin(), images[index].bytes().end(), target);
  }
  return stacked;
}

}  // namespace vta::sim
