// SPDX-License-Identifier: Apache-2.0
//
// Refinement: adaptive rounding of weights and bias correction, layer by layer, on the integer
// inputs that each layer gets.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_H_
#define VTA_COMPILER_QUANTIZE_REFINE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/rewrite.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// Runs the integer graph once on all calibration inputs. At each weighted layer, rounds the weights
// again (round_weights.h) with the covariance of the layer's windows, then moves the bias by
// eighths of the result's scale until the mean of every result channel, after the activation,
// equals that of the float graph. After a sum, it moves the bias of the layer before the sum.
void refine(const graph::Graph& source, const Scales& scales, const Regions& regions,
            const Statistics& statistics, const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double fraction)>& on_progress, Rewritten& rewritten);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_H_
