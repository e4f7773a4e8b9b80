// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// A number for each channel (or for all) that is multiplied with a tensor or added to it goes into
// the layer that made the tensor, if nothing else uses that:
//
//   conv2d(x, w, b) * s  ->  conv2d(x, w * s, b * s)      conv2d_transpose and dense alike
//   conv2d(x, w, b) + t  ->  conv2d(x, w, b + t)
//   image * s            ->  conv2d(image, s) {groups = c}, 1x1, where s differs from channel to
//                            channel and the image is no input of the network
//
// In double precision. Returns whether anything changed; what became unused is erased.
bool fold_affine(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_AFFINE_H_
