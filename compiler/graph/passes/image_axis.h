// SPDX-License-Identifier: Apache-2.0
//
// ImageAxis: the batch axis of a value, and how operators propagate it.
//
// A graph for one image is rebatched for several. One axis of each of its values is then
// [before][image][after]: images interleaved with other positions; before and after are 1 on a pure
// batch axis. An operator that treats the positions of the axis independently computes each image
// as if it were the only one; an operator that combines them does not.
#ifndef VTA_COMPILER_GRAPH_PASSES_IMAGE_AXIS_H_
#define VTA_COMPILER_GRAPH_PASSES_IMAGE_AXIS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

struct ImageAxis {
  size_t axis = 0;
  int64_t before = 1;

  bool operator==(const ImageAxis&) const = default;
};

// The image axis of the node's result. `operands`: the axes of its operands, nullopt for an operand
// that is the same for all images; at least one operand has an axis. `images`: the batch size of
// the graph. nullopt: the operator combines images, or its result does not have them on one axis.
std::optional<ImageAxis> image_axis_of(const Graph& graph, const Node& node,
                                       const std::vector<std::optional<ImageAxis>>& operands,
                                       int64_t images);

// The axis on which an operand that is the same for all images must be repeated per image; nullopt
// if it can be used as it is. `result`: from image_axis_of().
std::optional<ImageAxis> repeated_axis_of(const Graph& graph, const Node& node, size_t operand,
                                          const ImageAxis& result);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_IMAGE_AXIS_H_
