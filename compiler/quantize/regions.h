// SPDX-License-Identifier: Apache-2.0
//
// Regions: which operators of a float graph become integer ones, which of them merge, and which
// results share a scale. Decided once, before any scale is known.
#ifndef VTA_COMPILER_QUANTIZE_REGIONS_H_
#define VTA_COMPILER_QUANTIZE_REGIONS_H_

#include <map>
#include <set>

#include "compiler/graph/graph.h"

namespace vta::quantize {

struct Regions {
  // Operators with an int8 result (those merged into another too). conv2d; every dense layer but
  // the last; what follows them and works on int8.
  std::set<graph::NodeId> integer;

  // conv2d, dense or add -> the relu or clip that is its only user and becomes a part of it.
  std::map<graph::NodeId, graph::NodeId> fused_activation;

  // Result -> the result whose scale it has, for every float result that has an int8 form:
  // max_pool2d, flatten, strided_slice and pad keep their operand's, a merged operator has that of
  // its activation.
  std::map<graph::NodeId, graph::NodeId> scale_of;

  bool is_integer(graph::NodeId id) const { return integer.count(id) != 0; }
};

// Errors: kUnsupported for a batch norm (fold it first) or weights that are not constant.
Regions find_regions(const graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REGIONS_H_
