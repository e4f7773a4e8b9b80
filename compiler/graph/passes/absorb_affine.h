// SPDX-License-Identifier: Apache-2.0
//
// Folding of per-channel factors and offsets into the preceding layer.
#ifndef VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_
#define VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_

#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

// y[c] = x[c] * scale[c] + shift[c]; an empty list means all ones or all zeros.
struct Affine {
  std::vector<double> scale, shift;
};

// Whether the layer is a conv2d, conv2d_transpose or dense with constant weights and one use.
bool can_absorb(const Graph& graph, const Node& layer);

// Applies `affine` to the layer's result by new constants "<name>.folded_weight" and
// "<name>.folded_bias" (with a number appended if the name is taken), computed in double precision.
// Errors: kInvalidArgument, naming the constant, if a value is not finite.
void absorb(Graph& graph, NodeId id, const Affine& affine);

// Inserts a constant before `position`, called `name` or `name` with a number appended.
// Errors: as absorb().
NodeId insert_folded(Graph& graph, NodeId position, const std::string& name, const Tensor& value);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_
