// SPDX-License-Identifier: Apache-2.0
//
// What passes share that fold numbers by channel into the layer before them.
#ifndef VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_
#define VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_

#include <vector>

#include "compiler/graph/graph.h"

namespace vta::graph {

// y[c] = x[c] * scale[c] + shift[c]; an empty list stands for ones or zeros.
struct Affine {
  std::vector<double> scale, shift;
};

// Whether it is a conv2d, conv2d_transpose or dense with constant weights, and used once.
bool can_absorb(const Graph& graph, const Node& layer);

// The layer's result becomes what `affine` makes of it: new constants "<name>.folded_weight" and
// "<name>.folded_bias" (or with a number behind, where a layer has that name), in double precision.
// Errors: kInvalidArgument, naming the constant, where a value is not finite.
void absorb(Graph& graph, NodeId layer, const Affine& affine);

// A constant before `position`, called `name` or with a number behind. Errors: as absorb().
NodeId insert_folded(Graph& graph, NodeId position, const std::string& name, const Tensor& value);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_PASSES_ABSORB_AFFINE_H_
