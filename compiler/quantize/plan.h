// SPDX-License-Identifier: Apache-2.0
//
// The decisions of quantize(), for tests and for measure_sensitivity().
#ifndef VTA_COMPILER_QUANTIZE_PLAN_H_
#define VTA_COMPILER_QUANTIZE_PLAN_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/rewrite.h"
#include "compiler/quantize/scales.h"

namespace vta::quantize {

struct Plan {
  graph::Graph source;                  // the float graph, equalized
  std::vector<std::string> keep_float;  // names of layers
  Regions regions;
  Scales scales;
  RewriteOptions rewriting;
  Rewritten result;
};

// As quantize().
Plan make_plan(const graph::Graph& graph, const Options& options,
               const std::vector<std::vector<Tensor>>& calibration,
               const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_PLAN_H_
