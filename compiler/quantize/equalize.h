// SPDX-License-Identifier: Apache-2.0
//
// Cross-layer equalization: scales channels between consecutive layers, because all channels of a
// tensor share one scale and a channel of small range uses few of its 256 levels. Requires
// operators between the layers that commute with positive factors (Nagel et al., "Data-Free
// Quantization Through Weight Equalization and Bias Correction").
#ifndef VTA_COMPILER_QUANTIZE_EQUALIZE_H_
#define VTA_COMPILER_QUANTIZE_EQUALIZE_H_

#include "compiler/graph/graph.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// Multiplies weights and bias of a layer's output channels by powers of two and divides the weights
// of all consumers of these channels by the same factors. It does so if that lowers the estimated
// quantization noise of the consumers' results: a compromise between equal ranges of activations
// and of weights. Between the layers, relu, leaky_relu, pools, zero padding, nearest resizing,
// flatten and concat are allowed. The network's results do not change, bit by bit except for
// underflow. `per_channel`: whether weights may have per-channel scales. Returns whether the graph
// changed; the statistics are invalid then.
bool equalize(graph::Graph& graph, const Regions& regions, const Statistics& statistics,
              bool per_channel);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_EQUALIZE_H_
