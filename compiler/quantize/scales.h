// SPDX-License-Identifier: Apache-2.0
//
// Scales: the numbers that a method picks, in fractional bits.
#ifndef VTA_COMPILER_QUANTIZE_SCALES_H_
#define VTA_COMPILER_QUANTIZE_SCALES_H_

#include <functional>
#include <map>

#include "compiler/quantize/quantize.h"
#include "compiler/quantize/regions.h"

namespace vta::quantize {

struct Scales {
  std::map<graph::NodeId, int>
      activations;  // of each result that is a scale of its own (Regions::scale_of)
  std::map<graph::NodeId, int> weights;  // of each integer conv2d and dense layer

  int of(const Regions& regions, graph::NodeId id) const {
    return activations.at(regions.scale_of.at(id));
  }
};

// kGlobal: activations 4, weights by their largest.
Scales global_scales(const graph::Graph& graph, const Regions& regions);

// kMax, kMse: activations by their largest or by squared error over the calibration inputs, weights
// likewise. Runs the float graph once for each set of inputs. Errors: kInvalidArgument, naming the
// layer, where a result is infinite or no number.
Scales calibrated_scales(const graph::Graph& graph, const Regions& regions, Method method,
                         const std::vector<std::vector<Tensor>>& calibration,
                         const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SCALES_H_
