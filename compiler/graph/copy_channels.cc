// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/copy_channels.h"

#include "base/errors/error.h"

namespace vta::graph {

NodeId insert_channel_copy(Graph& graph, NodeId position, const std::string& name, NodeId source,
                           std::span<const CopiedChannel> channels) {
  const TensorType type = graph.node(source).type;
  VTA_ASSERT(type.dtype == DType::kInt8 && type.shape.size() == 4, "not an image");
  const auto oc = static_cast<int64_t>(channels.size()), ic = type.shape[1];
  Tensor weights(TensorType{DType::kInt8, {oc, ic, 1, 1}});
  Tensor levels(TensorType{DType::kInt32, {oc}});
  for (int64_t o = 0; o < oc; ++o) {
    const CopiedChannel& channel = channels[static_cast<size_t>(o)];
    if (channel.from) {
      weights.mutable_data<int8_t>()[static_cast<size_t>(o * ic + *channel.from)] = 1;
    } else {
      levels.mutable_data<int32_t>()[static_cast<size_t>(o)] = channel.level;
    }
  }
  const NodeId w =
      graph.insert_constant_before(position, graph.free_name(name + ".weight"), std::move(weights));
  const NodeId b =
      graph.insert_constant_before(position, graph.free_name(name + ".bias"), std::move(levels));
  // The full range of int8.
  const Attrs<OpKind::kQConv2d> attrs(attr::lo{-128}, attr::hi{127}, attr::products{1});
  return graph.insert_before(position, OpKind::kQConv2d, graph.free_name(name), {source, w, b},
                             attrs);
}

}  // namespace vta::graph
