// SPDX-License-Identifier: Apache-2.0
//
// The noise of a plan's integer graph, with some of its layers in float32 instead.
#ifndef VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_
#define VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_

#include <set>
#include <vector>

#include "compiler/quantize/layer_noise.h"
#include "compiler/quantize/plan.h"

namespace vta::quantize {

// The weighted layers that the plan makes integer, in order.
std::vector<MeasuredLayer> measured_layers(const Plan& plan);

class NoiseMeasurement {
 public:
  // On the first inputs, at most 8. `plan` outlives it. Runs the float graph once per input.
  // Errors: kInvalidArgument without inputs.
  NoiseMeasurement(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration);

  const Plan& plan() const { return plan_; }
  // Those of measured_layers().
  const std::vector<graph::NodeId>& layers() const { return layers_; }
  // The network's results if these of layers() are float32 and the others have the scales and
  // weights of the plan.
  Energy with_float(const std::set<graph::NodeId>& floats) const;

 private:
  Scales scales_of_all() const;

  const Plan& plan_;
  std::vector<std::vector<Tensor>> inputs_;
  std::vector<std::vector<Tensor>> exact_;  // the float graph's results
  std::vector<graph::NodeId> layers_;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_
