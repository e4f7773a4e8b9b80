// SPDX-License-Identifier: Apache-2.0
//
// Layer by layer, other weights and biases than the nearest: those with which the integer layer, on
// the integer inputs that it will get, comes closest to the float one.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_H_
#define VTA_COMPILER_QUANTIZE_REFINE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/rewrite.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// Runs the integer graph once, all calibration inputs side by side. At each weighted layer the
// weights are rounded anew (round_weights.h) with the covariance of its windows. Then the bias is
// moved, by eighths of a step of the result, until the mean of every channel of the result, behind
// the activation, is that of the float graph; behind a sum, the bias of the layer before it.
void refine(const graph::Graph& source, const Scales& scales, const Regions& regions,
            const Statistics& statistics, const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double fraction)>& on_progress, Rewritten& rewritten);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_H_
