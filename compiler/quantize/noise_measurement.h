// SPDX-License-Identifier: Apache-2.0
//
// The noise of a plan's integer graph, with some of its layers in float32 instead.
#ifndef VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_
#define VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_

#include <map>
#include <set>
#include <vector>

#include "compiler/quantize/plan.h"

namespace vta::quantize {

// Squares of numbers and of their errors, summed.
struct Energy {
  double signal = 0, noise = 0;

  void add(const Tensor& exact, const Tensor& approximate);  // indices (int32) do not count
  double decibels() const;                                   // from -200 to 200 (no noise)
};

// Signal-to-noise ratios of the network's results, and of those of each layer.
struct MeasuredNoise {
  double snr_db = 0;
  std::vector<double> layers_db;
};

class NoiseMeasurement {
 public:
  // On the first inputs, at most 8. `plan` outlives it. Runs the float graph once per input.
  // Errors: kInvalidArgument without inputs.
  NoiseMeasurement(const Plan& plan, const std::vector<std::vector<Tensor>>& calibration);

  const Plan& plan() const { return plan_; }
  // The weighted layers that the plan makes integer, in order.
  const std::vector<graph::NodeId>& layers() const { return layers_; }
  size_t num_inputs() const { return inputs_.size(); }
  // In the order of layers(), once. Runs the integer graph once per input.
  MeasuredNoise measure_layers();
  // The network's results if these of layers() are float32 and the others have the scales and
  // weights of the plan.
  Energy with_float(const std::set<graph::NodeId>& floats) const;

 private:
  graph::NodeId result_of(graph::NodeId layer) const;
  Scales scales_of_all() const;

  const Plan& plan_;
  std::vector<std::vector<Tensor>> inputs_;
  std::vector<std::vector<Tensor>> exact_;               // the float graph's results
  std::vector<std::map<graph::NodeId, Tensor>> values_;  // likewise, those of layers
  std::vector<graph::NodeId> layers_;
  std::map<graph::NodeId, graph::NodeId> watched_;  // integer result -> float result
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_NOISE_MEASUREMENT_H_
