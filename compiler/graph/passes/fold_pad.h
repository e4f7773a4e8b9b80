// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_
#define VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Zeros around h and w go into the window of the conv2d or avg_pool2d that takes them, and a pad
// of minus infinity (or of zeros, around what is not negative) into that of a max_pool2d. Returns
// whether anything changed; what became unused is erased.
bool fold_pad(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_FOLD_PAD_H_
