// SPDX-License-Identifier: Apache-2.0
//
// A function of one number, as integers have it: by its values.
#ifndef VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_
#define VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_

#include <optional>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// The operator of form kLookup for each of `x` [n]: float32 [n].
Tensor evaluate_lookup(const graph::Graph& graph, const graph::Node& node, const Tensor& x);

struct Range {
  float lo, hi;
};

// Outside of which numbers the result of all integer operators that take `node` hardly changes: by
// less than 1/256. Saturating functions have such a range, and what lies beyond must not make their
// operand's scale coarser. None if anything else takes it.
std::optional<Range> useful_range(const graph::Graph& graph, const graph::Node& node);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LOOKUP_TABLE_H_
