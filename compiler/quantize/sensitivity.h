// SPDX-License-Identifier: Apache-2.0
//
// Sensitivity: quantization noise, layer by layer. Ratios are from -200 to 200 dB (no noise).
#ifndef VTA_COMPILER_QUANTIZE_SENSITIVITY_H_
#define VTA_COMPILER_QUANTIZE_SENSITIVITY_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"
#include "compiler/quantize/result_range.h"

namespace vta::quantize {

struct LayerSensitivity {
  std::string layer;
  OpKind op;            // of the float graph
  double snr_db = 0;    // signal-to-noise ratio of its int8 result, including the noise of all
                        // previous layers
  double gain_db = 0;   // improvement of the network's results if only this layer stays float32
  double alone_db = 0;  // of the network's results if all layers but this one stay float32: what
                        // one of several equally noisy layers adds, which gain_db does not show
  Range weights = {0, 0}, results = {0, 0};  // float32, of all calibration inputs
  double int8_min = 0, int8_max = 0;  // the least and the largest number of the results' scale
  double clipped = 0;                 // share of the results beyond int8
};

struct Sensitivity {
  double snr_db = 0;                     // of the network's results
  size_t num_inputs = 0;                 // calibration inputs
  std::vector<LayerSensitivity> layers;  // integer weighted layers, in order
};

struct Plan;
struct FreePlan;

// Measures the noise of a plan on the first calibration inputs, at most 8; all gains are 0, and so
// is alone_db. Runs both graphs once per input. Errors: kInvalidArgument without calibration
// inputs.
Sensitivity measure_noise(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration);

// The same of free scales: of the plan that make_free_plan() made of `graph`.
Sensitivity measure_noise(const graph::Graph& graph, const FreePlan& plan,
                          const std::vector<std::vector<Tensor>>& calibration);

// The same with gains, of the plan that quantize() makes. Runs the integer graph twice per layer
// and input. Errors: as quantize(); kInvalidArgument without calibration inputs.
Sensitivity measure_sensitivity(const graph::Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SENSITIVITY_H_
