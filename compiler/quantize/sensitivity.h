// SPDX-License-Identifier: Apache-2.0
//
// Sensitivity: quantization noise, layer by layer.
#ifndef VTA_COMPILER_QUANTIZE_SENSITIVITY_H_
#define VTA_COMPILER_QUANTIZE_SENSITIVITY_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"

namespace vta::quantize {

struct LayerSensitivity {
  std::string layer;
  OpKind op;           // of the float graph
  double snr_db = 0;   // signal-to-noise ratio of its int8 result, including the noise of all
                       // previous layers
  double gain_db = 0;  // improvement of the network's results if only this layer stays float32
};

struct Sensitivity {
  double snr_db = 0;                     // of the network's results
  size_t num_inputs = 0;                 // calibration inputs
  std::vector<LayerSensitivity> layers;  // integer weighted layers, in order
};

inline constexpr double kMaxDecibels = 200;  // reported for zero noise

struct Plan;

// Measures the noise of a plan on the first calibration inputs, at most 8; all gains are 0. Runs
// both graphs once per input. Errors: kInvalidArgument without calibration inputs.
Sensitivity measure_noise(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration);

// The same with gains, of the plan that quantize() makes. Runs the integer graph once per layer and
// input. Errors: as quantize(); kInvalidArgument without calibration inputs.
Sensitivity measure_sensitivity(const graph::Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SENSITIVITY_H_
