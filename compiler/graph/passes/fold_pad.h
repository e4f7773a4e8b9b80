// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Folds zero padding of h and w into the following conv2d or avg_pool2d, and padding with minus
// infinity (or with zeros, of a tensor that is never negative) into the following max_pool2d.
// Returns whether the graph changed; erases unused nodes.
bool fold_pad(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_
