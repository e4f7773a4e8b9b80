// SPDX-License-Identifier: Apache-2.0
//
// Cross-layer equalization: channels of one tensor have one scale, so a channel of small numbers
// has few of them. Where everything between one layer and the next multiplies through, a channel
// can be made larger before and smaller after.
#ifndef VTA_COMPILER_QUANTIZE_EQUALIZE_H_
#define VTA_COMPILER_QUANTIZE_EQUALIZE_H_

#include "compiler/graph/graph.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/statistics.h"

namespace vta::quantize {

// Multiplies the weights and the bias of output channels of weighted layers by powers of two, and
// divides the weights of all layers that take these channels by them, where the noise that
// quantization is estimated to add to those layers' results sinks: a compromise between equal
// activations and equal weights. Layers may have relu, leaky_relu, pools, zero padding, nearest
// resizing, flatten and concat between them. The network's results stay, bit by bit but for
// underflow. `per_channel`: whether output channels of weights may have scales of their own.
// Returns whether anything changed; then the statistics are void.
bool equalize(graph::Graph& graph, const Regions& regions, const Statistics& statistics,
              bool per_channel);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_EQUALIZE_H_
