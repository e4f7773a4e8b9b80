// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/quantize.h"

#include "compiler/quantize/regions.h"
#include "compiler/quantize/rewrite.h"
#include "compiler/quantize/scales.h"

namespace vta::quantize {

Method method_from_string(const std::string& text) {
  if (text == "global") return Method::kGlobal;
  if (text == "max") return Method::kMax;
  if (text == "mse") return Method::kMse;
  fail(ErrorCode::kInvalidArgument, "quantization '{}' is not one of global, max, mse", text);
}

graph::Graph quantize(const graph::Graph& graph, Method method,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double)>& on_progress) {
  const Regions regions = find_regions(graph);
  if (method == Method::kGlobal) {
    return rewrite(graph, regions, global_scales(graph, regions), {.truncate_average = true});
  }
  if (calibration.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: quantization by max or mse needs calibration inputs",
         graph.name);
  }
  const Scales scales = calibrated_scales(graph, regions, method, calibration, on_progress);
  return rewrite(graph, regions, scales, {.truncate_average = false});
}

}  // namespace vta::quantize
