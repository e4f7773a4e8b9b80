// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Folds factors and offsets, per channel or single, into the layer that computes the tensor, if the
// tensor has no other use:
//
//   conv2d(x, w, b) * s  ->  conv2d(x, w * s, b * s)      conv2d_transpose and dense alike
//   conv2d(x, w, b) + t  ->  conv2d(x, w, b + t)
//   image * s            ->  conv2d(image, s) {groups = c}, 1x1, where s differs from channel to
//                            channel and the image is not a network input
//
// Computed in double precision. Returns whether the graph changed; erases unused nodes.
bool fold_affine(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_
