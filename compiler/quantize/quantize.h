// SPDX-License-Identifier: Apache-2.0
//
// From a folded float graph to an int8 graph with power-of-two scales.
#ifndef VTA_COMPILER_QUANTIZE_QUANTIZE_H_
#define VTA_COMPILER_QUANTIZE_QUANTIZE_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::quantize {

enum class Method { kGlobal, kMax, kMse };
Method method_from_string(const std::string& text);  // Errors: kInvalidArgument

// Runs a graph node by node on the host. `on_value` sees every result.
std::vector<Tensor> run_graph(
    const graph::Graph& graph, const std::vector<Tensor>& inputs,
    const std::function<void(const graph::Node&, const Tensor&)>& on_value = {});

// The int8 graph of a float graph without batch norms: qconv2d, qadd, qdense and the operators that
// work on int8; quantize behind each input, dequantize before what stays float32 (the last dense
// layer, softmax). `calibration`: one set of inputs each; not used by kGlobal. Errors:
// kInvalidArgument if a method needs calibration and there is none.
graph::Graph quantize(const graph::Graph& graph, Method method,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_QUANTIZE_H_
