// SPDX-License-Identifier: Apache-2.0
//
// Scales of activations and weights, as numbers of fractional bits.
#ifndef VTA_COMPILER_QUANTIZE_SCALES_H_
#define VTA_COMPILER_QUANTIZE_SCALES_H_

#include <map>
#include <vector>

#include "compiler/quantize/options.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

struct Scales {
  std::map<graph::NodeId, int> activations;  // by result that owns a scale (Regions::scale_of)
  // By integer weighted layer: one number for all weights, or one per output channel.
  std::map<graph::NodeId, std::vector<int>> weights;

  int of(const Regions& regions, graph::NodeId id) const {
    return activations.at(regions.scale_of.at(id));
  }
};

// Method kGlobal: 4 for activations, weight_frac_bits_by_max() for weights.
Scales global_scales(const graph::Graph& graph, const Regions& regions);

// The other methods: activations by the histograms (results of classifiers as with kMax); weights
// by weight_frac_bits_by_max() (kMax) or by the estimated error of the layer's result. `options`
// are resolved().
Scales calibrated_scales(const graph::Graph& graph, const Regions& regions, const Options& options,
                         const Statistics& statistics);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_SCALES_H_
