// SPDX-License-Identifier: Apache-2.0
//
// Refinement: adaptive rounding of weights and bias correction, layer by layer, on the integer
// inputs that each layer gets.
#ifndef VTA_COMPILER_QUANTIZE_REFINE_H_
#define VTA_COMPILER_QUANTIZE_REFINE_H_

#include <functional>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/layer_rounding.h"

namespace vta::quantize {

// What the means of a result's channels are to be, in levels (int8 numbers).
struct WantedResult {
  std::vector<double> means;  // of the levels, clamped to [lo, hi]
  double lo = -127, hi = 127;
  double slope = 1;  // by which a leaky relu multiplies changes of levels below 0
};

// The layers of an integer graph as its scales define them.
class RefinedLayers {
 public:
  virtual ~RefinedLayers() = default;
  virtual bool contains(graph::NodeId layer) const = 0;
  // Rounds the layer's weights again.
  virtual void round(graph::NodeId layer, const Batch& inputs) = 0;
};

// The biases of these layers.
class CorrectedBiases {
 public:
  virtual ~CorrectedBiases() = default;
  // nullopt if the result has no means to be matched.
  virtual std::optional<WantedResult> wanted(graph::NodeId result) const = 0;
  // Adds numbers of levels of `result`, one per channel, to the bias of a layer.
  virtual void move_bias(graph::NodeId layer, graph::NodeId result,
                         const std::vector<double>& levels) = 0;
};

// Runs the integer graph once on all calibration inputs. At each weighted layer, rounds the weights
// again (round_weights.h) with the covariance of the layer's windows. Then, with `biases`, moves
// the bias by eighths of the result's scale until the mean of every result channel, after the
// activation, equals the wanted one. After a sum, it moves the bias of the layer before the sum.
// `biases` may be null.
void refine(graph::Graph& graph, RefinedLayers& layers, CorrectedBiases* biases,
            const std::vector<std::vector<Tensor>>& calibration,
            const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_REFINE_H_
