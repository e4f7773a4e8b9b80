// SPDX-License-Identifier: Apache-2.0
//
// What the calibration inputs say about a float graph.
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

// Of one tensor [n, c, ...], by channel, over all inputs.
struct ChannelStatistics {
  std::vector<double> mean, mean_square, largest;  // largest: max |x|
};

struct Statistics {
  // Of every scale that the integer graph needs (Regions::scale_of), all results that have it.
  std::map<graph::NodeId, Histogram> histograms;
  // Of integer weighted layers: of what comes in.
  std::map<graph::NodeId, ChannelStatistics> inputs;
  // Of results that only saturating functions take: outside of which numbers nothing changes. All
  // that is counted of them is limited to it.
  std::map<graph::NodeId, Range> ranges;
  // Of integer weighted layers and sums: of what comes out, behind the activation that they merge
  // with.
  std::map<graph::NodeId, ChannelStatistics> outputs;
};

// Runs the float graph once for each set of inputs. Errors: kInvalidArgument, naming the layer,
// where a result is infinite or no number.
Statistics collect_statistics(const graph::Graph& graph, const Regions& regions,
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::function<void(double fraction)>& on_progress);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_STATISTICS_H_
