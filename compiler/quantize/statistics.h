// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a float graph over the calibration inputs.
#ifndef VTA_COMPILER_QUANTIZE_STATISTICS_H_
#define VTA_COMPILER_QUANTIZE_STATISTICS_H_

#include <functional>
#include <map>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/histogram.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/regions.h"

namespace vta::quantize {

// Per channel of a tensor [n, c, ...], over all inputs.
struct ChannelStatistics {
  std::vector<double> mean, mean_square, largest;  // largest: max |x|
};

struct Statistics {
  // By scale of the integer graph (Regions::scale_of): all results that share it.
  std::map<graph::NodeId, Histogram> histograms;
  // By integer weighted layer: its input.
  std::map<graph::NodeId, ChannelStatistics> inputs;
  // By result that only saturating functions use: the range outside which they are constant. Values
  // are clamped to it before they are counted.
  std::map<graph::NodeId, Range> ranges;
  // By integer weighted layer or sum: its result, after a fused activation.
  std::map<graph::NodeId, ChannelStatistics> outputs;
};

// Runs the float graph once per set of inputs. Errors: kInvalidArgument, naming the layer, if a
// result is infinite or NaN.
Statistics collect_statistics(const graph::Graph& graph, const Regions& regions,
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_STATISTICS_H_
