// SPDX-License-Identifier: Apache-2.0
//
// Lookup tables: integer form of a function of one variable.
#ifndef VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_
#define VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_

#include <optional>

#include "compiler/graph/graph.h"
#include "compiler/quantize/result_range.h"

namespace vta::quantize {

// Evaluates an operator of form kLookup at each element of `x` [n]; returns float32 [n].
Tensor evaluate_lookup(const graph::Graph& graph, const graph::Node& node, const Tensor& x);

// The range of `node` outside which the results of all its users change by less than 1/256: users
// that saturate (sigmoid, tanh, ...). Values beyond the range must not make the scale of `node`
// coarser. nullopt if another operator uses `node`.
std::optional<Range> useful_range(const graph::Graph& graph, const graph::Node& node);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_
