// SPDX-License-Identifier: Apache-2.0
//
// Adaptive rounding (refine.h) of graphs with free scales. Biases are not corrected: that costs
// networks with much noise, such as YOLOv8 n with random weights, up to 0.4 dB.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_FREE_H_
#define VTA_COMPILER_QUANTIZE_REFINE_FREE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/merge_quantized.h"

namespace vta::quantize {

// `graph` is `source` with free scales, `merged` what merge_quantized_layers() returned for it;
// layers have the same names in both. Rows of weights that are multiples of a unit already keep it.
void refine_free(const graph::Graph& source, const std::vector<std::vector<Tensor>>& calibration,
                 const std::function<void(double fraction)>& on_progress, Merged& merged,
                 graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_FREE_H_
