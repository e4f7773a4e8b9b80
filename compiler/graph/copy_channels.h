// SPDX-License-Identifier: Apache-2.0
//
// Channels of an int8 tensor, copied by a layer that the core computes.
#ifndef VTA_COMPILER_GRAPH_COPY_CHANNELS_H_
#define VTA_COMPILER_GRAPH_COPY_CHANNELS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/graph/graph.h"

namespace vta::graph {

// What a channel holds: a channel of the source, or one level.
struct CopiedChannel {
  std::optional<int64_t> from;
  int8_t level = 0;
};

// Inserts before `position` a 1x1 qconv2d with these channels of `source`, int8 [n, c, h, w]. Exact
// for all levels. `name`: of the layer and the start of its constants' names. Returns the layer.
NodeId insert_channel_copy(Graph& graph, NodeId position, const std::string& name, NodeId source,
                           std::span<const CopiedChannel> channels);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_COPY_CHANNELS_H_
