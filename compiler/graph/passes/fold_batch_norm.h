// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Folds batch norms. With s[c] = gamma[c] / sqrt(variance[c] + epsilon), in double precision:
//
//   batch_norm(conv2d(x, w, b))    ->  conv2d(x, w * s, (b - mean) * s + beta)
//                                      conv2d_transpose and dense alike
//   batch_norm(x), x an image      ->  conv2d(x, s, beta - mean * s) {groups = c}, 1x1
//
// The first form requires that nothing else uses the convolution. The convolution keeps its name;
// its new constants are "<name>.folded_weight" and "<name>.folded_bias" (with a number appended if
// the name is taken). Batch norms of other shapes or with computed operands stay.
// Returns whether the graph changed; erases unused nodes.
// Errors: kInvalidArgument, naming the layer, if a folded value is not finite.
bool fold_batch_norm(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_
