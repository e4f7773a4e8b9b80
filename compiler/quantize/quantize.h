// SPDX-License-Identifier: Apache-2.0
//
// From a folded float graph to an int8 graph with power-of-two scales.
#ifndef VTA_COMPILER_QUANTIZE_QUANTIZE_H_
#define VTA_COMPILER_QUANTIZE_QUANTIZE_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"
#include "runtime/tensor/tensor.h"

namespace vta::quantize {

// The int8 graph of a float graph: the integer operators of runtime/tensor/ops.def where an
// operator has an integer form, quantize and dequantize around those that stay float32 (the last
// dense layer, softmax, `keep_float`). `calibration`: one set of inputs each; not used by kGlobal.
// Errors: kInvalidArgument if a method needs calibration and there is none, for a layer of
// `keep_float` that does not exist, naming it, and for options that the method does not have.
graph::Graph quantize(const graph::Graph& graph, const Options& options,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_QUANTIZE_H_
