// SPDX-License-Identifier: Apache-2.0
//
// Scales: the numbers that a method picks, in fractional bits.
#ifndef VTA_COMPILER_QUANTIZE_SCALES_H_
#define VTA_COMPILER_QUANTIZE_SCALES_H_

#include <map>
#include <vector>

#include "compiler/quantize/options.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

struct Scales {
  std::map<graph::NodeId, int>
      activations;  // of each result that is a scale of its own (Regions::scale_of)
  // Of each integer weighted layer: one for all its weights, or one for each output channel.
  std::map<graph::NodeId, std::vector<int>> weights;

  int of(const Regions& regions, graph::NodeId id) const {
    return activations.at(regions.scale_of.at(id));
  }
};

// kGlobal: activations 4, weights by their largest.
Scales global_scales(const graph::Graph& graph, const Regions& regions);

// The other methods: activations by what the histograms say, weights by their largest (kMax) or by
// the error that they make of inputs like those of the calibration. `options` are resolved().
Scales calibrated_scales(const graph::Graph& graph, const Regions& regions, const Options& options,
                         const Statistics& statistics);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SCALES_H_
