// SPDX-License-Identifier: Apache-2.0
//
// Regions: the operators of a float graph that become integer operators, their fusions, and the
// results that share a scale. Decided once, before any scale is chosen.
#ifndef VTA_COMPILER_QUANTIZE_REGIONS_H_
#define VTA_COMPILER_QUANTIZE_REGIONS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "runtime/tensor/host_reason.h"

namespace vta::quantize {

struct Regions {
  // Operators with an int8 result, including fused ones.
  std::set<graph::NodeId> integer;

  // weighted layer, add or mul -> the activation that is its only user and is fused into it.
  std::map<graph::NodeId, graph::NodeId> fused_activation;

  // Result -> the result that owns its scale, for every result of the float graph. Movements share
  // their operand's, operators with a fused activation the activation's, and results that only
  // concats use the concat's.
  std::map<graph::NodeId, graph::NodeId> scale_of;

  bool is_integer(graph::NodeId id) const { return integer.count(id) != 0; }
  // The operator's result: that of its fused activation, if it has one.
  graph::NodeId result_of(graph::NodeId id) const {
    const auto activation = fused_activation.find(id);
    return activation == fused_activation.end() ? id : activation->second;
  }
};

// The dense layers that no weighted layer follows.
std::vector<graph::NodeId> classifiers_of(const graph::Graph& graph);

// `keep_float`: names of operators that stay float32. Errors: kInvalidArgument for a name that no
// operator has.
Regions find_regions(const graph::Graph& graph, const std::vector<std::string>& keep_float = {});

// By an operator's name: why it computes in fp32 if it is not in `regions`. `keep_float`: as in
// find_regions().
std::map<std::string, HostReason> float_reasons(const graph::Graph& graph,
                                                const std::vector<std::string>& keep_float);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REGIONS_H_
