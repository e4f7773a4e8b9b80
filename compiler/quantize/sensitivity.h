// SPDX-License-Identifier: Apache-2.0
//
// Sensitivity: what quantization costs, layer by layer.
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
  double snr_db = 0;   // its int8 result against the float graph's: signal to noise, all noise from
                       // the layers before it included
  double gain_db = 0;  // by which the network's results become better if this layer alone stays
                       // float32
};

struct Sensitivity {
  double snr_db = 0;  // of the network's results
  size_t num_inputs = 0;
  std::vector<LayerSensitivity> layers;  // the weighted ones that are integer, in order
};

inline constexpr double kMaxDecibels = 200;  // stands for no noise at all

// Measured on the first (at most 8) of the calibration inputs. Runs the integer graph once for each
// layer and input. Errors: those of quantize(); kInvalidArgument without calibration inputs.
Sensitivity measure_sensitivity(const graph::Graph& graph, const Options& options,
                                const std::vector<std::vector<Tensor>>& calibration,
                                const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SENSITIVITY_H_
