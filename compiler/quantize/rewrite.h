// SPDX-License-Identifier: Apache-2.0
//
// From float graph, regions and scales to the integer graph.
#ifndef VTA_COMPILER_QUANTIZE_REWRITE_H_
#define VTA_COMPILER_QUANTIZE_REWRITE_H_

#include "compiler/graph/graph.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/scales.h"

namespace vta::quantize {

struct RewriteOptions {
  // global_avg_pool2d of int8: its own integer form, which truncates, or the exact sum and a
  // division in float.
  bool truncate_average = false;
};

// Errors: kUnsupported, naming the layer, if a shift is beyond what an int32 has.
graph::Graph rewrite(const graph::Graph& graph, const Regions& regions, const Scales& scales,
                     const RewriteOptions& options);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REWRITE_H_
