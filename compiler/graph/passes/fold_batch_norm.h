// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// With s[c] = gamma[c] / sqrt(variance[c] + epsilon), in double precision:
//
//   batch_norm(conv2d(x, w, b))  ->  conv2d(x, w * s, (b - mean) * s + beta)      conv2d_transpose,
//   dense alike batch_norm(x) of an image    ->  conv2d(x, s, beta - mean * s) {groups = c}   1x1
//
// The first only where nothing else uses the convolution; it keeps its name, and its new constants
// are called
// "<name>.folded_weight" and "<name>.folded_bias" (or with a number behind, where a layer has that
// name). Batch norms of other shapes or with computed
// operands stay. Returns whether anything changed; what became unused is erased.
// Errors: kInvalidArgument, naming the layer, where a folded value is not finite.
bool fold_batch_norm(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_BATCH_NORM_H_
