// SPDX-License-Identifier: Apache-2.0
//
// Quantization with free scales: scales of any value, and zero points.
#ifndef VTA_COMPILER_QUANTIZE_FREE_QUANTIZE_H_
#define VTA_COMPILER_QUANTIZE_FREE_QUANTIZE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/layer_noise.h"
#include "compiler/quantize/options.h"
#include "runtime/tensor/tensor.h"

namespace vta::quantize {

struct FreePlan {
  graph::Graph graph;
  std::vector<MeasuredLayer> layers;  // the weighted layers that are integer, in order
};

// Rewrites a float graph as quantize() does, with all 256 levels from the least to the largest
// number of each tensor, and weights of one symmetric scale per output channel.
// Inserts quantize and dequantize between the operators, then merges these (merge_quantized.h).
// Results without an integer operator after them, such as scores, have a quarter more range. With
// adaptive rounding, the default with at least kInputsToRefine inputs, weights are then rounded
// again (refine_free.h). Of `options`, rounding and keep_float apply.
// Errors: kInvalidArgument without calibration inputs, or if a result is not finite.
FreePlan make_free_plan(const graph::Graph& graph, const Options& options,
                        const std::vector<std::vector<Tensor>>& calibration,
                        const std::function<void(double fraction)>& on_progress);

// The same, the graph alone.
graph::Graph quantize_freely(const graph::Graph& graph, const Options& options,
                             const std::vector<std::vector<Tensor>>& calibration,
                             const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_FREE_QUANTIZE_H_
