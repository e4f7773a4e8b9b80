// SPDX-License-Identifier: Apache-2.0
//
// quantize(): from a folded float graph to an int8 graph with power-of-two scales.
#ifndef VTA_COMPILER_QUANTIZE_QUANTIZE_H_
#define VTA_COMPILER_QUANTIZE_QUANTIZE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"
#include "runtime/tensor/tensor.h"

namespace vta::quantize {

// Rewrites a float graph to an int8 graph. Operators that have an integer form become integer
// operators of runtime/tensor/ops.def. Quantize and dequantize are put around those that stay
// float32 (the last dense layer, softmax, `keep_float`). `calibration`: sets of inputs; not used by
// kGlobal. With free scales: quantize_freely(). Errors: kInvalidArgument if the method needs
// calibration inputs and there are none, for a name in `keep_float` that is not a layer, and for
// options that the method does not have.
graph::Graph quantize(const graph::Graph& graph, const Options& options,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_QUANTIZE_H_
