// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_GRAPH_PASSES_SINK_MOVEMENTS_H_
#define VTA_COMPILER_GRAPH_PASSES_SINK_MOVEMENTS_H_

#include "compiler/graph/graph.h"

namespace vta::graph {

// Moves transposes, and reshapes of images that only remove or add axes of size 1, after operators
// on single elements where they meet their inverses further on and vanish:
//
//   relu(transpose(x))                   transpose(relu(x))
//   transpose(x) * constant              transpose(x * constant'), also if the constant broadcasts
//   transpose(a) + transpose(b)          transpose(a + b), of equal permutations; concats likewise
//   reshape(a) + b                       reshape(a + reshape'(b)): a reshape moves no bytes
//
// Exporters of channels-last models and 1-D convolutions put such movements around every layer.
// Results are equal bit by bit. Returns whether the graph changed; erases unused nodes.
bool sink_movements(Graph& graph);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_SINK_MOVEMENTS_H_
