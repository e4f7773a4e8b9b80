// SPDX-License-Identifier: Apache-2.0
//
// The noise of an integer graph, layer by layer, against the float graph that it was made from.
#ifndef VTA_COMPILER_QUANTIZE_LAYER_NOISE_H_
#define VTA_COMPILER_QUANTIZE_LAYER_NOISE_H_

#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/result_range.h"
#include "runtime/tensor/tensor.h"

namespace vta::quantize {

// Squares of numbers and of their errors, summed.
struct Energy {
  double signal = 0, noise = 0;

  void add(const Tensor& exact, const Tensor& approximate);  // indices (int32) do not count
  void add(const Energy& other);
  double decibels() const;  // from -200 to 200 (no noise)
};

// A weighted layer of a float graph, and its result in the integer graph.
struct MeasuredLayer {
  graph::NodeId layer = -1;
  graph::NodeId result = -1;              // of the float graph, after a fused activation
  graph::NodeId integer = -1;             // of the integer graph: int8
  Attrs<OpKind::kDequantize> dequantize;  // from `integer` to real numbers
};

// What the results of a layer are over all inputs, and how well int8 holds them.
struct LayerNoise {
  double snr_db = 0;
  Range results = {kInfinity, -kInfinity};  // of the float graph
  double int8_min = 0, int8_max = 0;        // least and largest number of the result's scale
  double clipped = 0;                       // share of the results beyond int8
};

// Signal-to-noise ratio of the network's results, and its layers.
struct MeasuredNoise {
  double snr_db = 0;
  std::vector<LayerNoise> layers;
};

// The first inputs of a measurement, at most 8. Errors: kInvalidArgument, naming `network`, if
// there are none.
std::vector<std::vector<Tensor>> inputs_to_measure(
    const std::string& network, const std::vector<std::vector<Tensor>>& calibration);

// Runs both graphs once per input. Ratios of layers are in the order of `layers`.
MeasuredNoise measure_layers(const graph::Graph& real, const graph::Graph& integer,
                             const std::vector<MeasuredLayer>& layers,
                             const std::vector<std::vector<Tensor>>& inputs);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LAYER_NOISE_H_
