// SPDX-License-Identifier: Apache-2.0
//
// Proves that a graph computes each position of an input axis by itself: that the axis is a batch.
#ifndef VTA_COMPILER_GRAPH_PASSES_INDEPENDENT_IMAGES_H_
#define VTA_COMPILER_GRAPH_PASSES_INDEPENDENT_IMAGES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/passes/image_axis.h"

namespace vta::graph {

struct ImageAxes {
  std::map<NodeId, ImageAxis> axes;  // of the values that differ between images
  // The operators that combine images, in order. Their results are taken as equal for all images.
  std::vector<NodeId> mixers;
};

// Follows the images through the graph. `input_axes`: for each input, by attrs.index, the axis with
// the `images` images; nullopt: the input is the same for all images. Requires a graph after
// fold_constants(). An operator on a constant with a row per image mixes unless these
// rows are equal.
ImageAxes find_image_axes(const Graph& graph, const std::vector<std::optional<size_t>>& input_axes,
                          int64_t images);

// The common size of the inputs' first axis if it is greater than 1 and each position of it is
// computed by itself, up to the same axis of the outputs; else 1. An output that no input changes
// has no images, whatever its first axis.
int64_t independent_images(const Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_INDEPENDENT_IMAGES_H_
