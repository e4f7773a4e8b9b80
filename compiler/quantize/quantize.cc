// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/quantize.h"

#include "compiler/quantize/free_quantize.h"
#include "compiler/quantize/plan.h"

namespace vta::quantize {

using graph::Graph;

Graph quantize(const Graph& graph, const Options& options,
               const std::vector<std::vector<Tensor>>& calibration,
               const std::function<void(double)>& on_progress) {
  if (options.free_scales) return quantize_freely(graph, options, calibration, on_progress);
  return make_plan(graph, options, calibration, on_progress).result.graph;
}

}  // namespace vta::quantize
