// SPDX-License-Identifier: Apache-2.0
//
// ImageAxis: which axis of a value holds the images, and what operators make of it.
//
// A graph is made for one image and runs for several. Each of its values then has, on one axis, the
// images between other positions: [before][image][after], where before and after are 1 on an axis
// of images alone. An operator that treats the positions of that axis one by one computes each
// image as if it were alone; one that looks across them does not.
#ifndef VTA_COMPILER_LOWER_IMAGE_AXIS_H_
#define VTA_COMPILER_LOWER_IMAGE_AXIS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::lower {

struct ImageAxis {
  size_t axis = 0;
  int64_t before = 1;

  bool operator==(const ImageAxis&) const = default;
};

// Where the images of the node's result are. `operands`: where its operands have theirs, nullopt if
// an operand is the same for all images; one at least has some. nullopt: the operator computes
// across images, or has no result with the images on one axis. `images`: that the graph is made
// for.
std::optional<ImageAxis> image_axis_of(const graph::Graph& graph, const graph::Node& node,
                                       const std::vector<std::optional<ImageAxis>>& operands,
                                       int64_t images);

// Where an operand that is the same for all images has to be repeated for each; nullopt where it
// serves all of them as it is. `result`: what image_axis_of() says.
std::optional<ImageAxis> repeated_axis_of(const graph::Graph& graph, const graph::Node& node,
                                          size_t operand, const ImageAxis& result);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_IMAGE_AXIS_H_
