// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_LEFT_PRODUCTS_H_
#define VTA_COMPILER_GRAPH_PASSES_LEFT_PRODUCTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Products of a constant matrix and a computed one become convolutions, which have weights:
//
//   matmul(w [m, k], x [1, ..., k, n])   conv2d(x [1, k, 1, n], w [m, k, 1, 1]), between reshapes
//
// Mixers over tokens and Einsum have them. Small matrices stay. Returns whether the graph changed;
// erases unused nodes.
bool left_products_to_convolutions(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_LEFT_PRODUCTS_H_
