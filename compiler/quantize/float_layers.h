// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_QUANTIZE_FLOAT_LAYERS_H_
#define VTA_COMPILER_QUANTIZE_FLOAT_LAYERS_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"

namespace vta::quantize {

// The weighted layers that stay float32 so that the network's results have a signal-to-noise ratio
// of at least `wanted_db` on the first calibration inputs (at most 8), with as few multiply-
// accumulates in float32 as a greedy choice finds. The noise of each layer is measured with all
// others in float32, and that of the choice with all of its layers at once: equally noisy layers
// hide each other from a measurement one at a time. `options.keep_float` stays float32, too.
// Runs the graph once per layer and input, and quantizes it at least twice. Errors: as quantize();
// kInvalidArgument without calibration inputs, and for free scales and method global.
std::vector<std::string> choose_float_layers(
    const graph::Graph& graph, const Options& options,
    const std::vector<std::vector<Tensor>>& calibration, double wanted_db,
    const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_FLOAT_LAYERS_H_
