// SPDX-License-Identifier: Apache-2.0
//
// Rewriting of a float graph to the integer graph, given regions and scales.
#ifndef VTA_COMPILER_QUANTIZE_REWRITE_H_
#define VTA_COMPILER_QUANTIZE_REWRITE_H_

#include <map>

#include "compiler/graph/graph.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/scales.h"

namespace vta::quantize {

// Integer weights (in the layout of the float ones) and bias of a layer.
struct LayerConstants {
  Tensor weights, bias;
};

struct RewriteOptions {
  // The global_avg_pool2d of int8 before the last dense layer: true: its integer form, which
  // truncates; false: the exact sum and a division in float.
  bool truncate_average = false;
  // Weighted layer of the float graph -> its constants, in place of those rounded to nearest.
  std::map<graph::NodeId, LayerConstants> constants;
};

struct Rewritten {
  graph::Graph graph;
  // Result of the float graph -> its integer result, if there is one.
  std::map<graph::NodeId, graph::NodeId> integer_of;

  LayerConstants constants_of(graph::NodeId layer) const;  // of a layer of the float graph
};

// Errors: kUnsupported, naming the layer, if a shift exceeds 31 bits.
Rewritten rewrite(const graph::Graph& graph, const Regions& regions, const Scales& scales,
                  const RewriteOptions& options);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REWRITE_H_
