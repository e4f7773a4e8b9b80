// SPDX-License-Identifier: Apache-2.0
//
// Layers that int8 weights on int8 levels compute once they have more input channels:
//
// - uint8 weights less their zero point have levels from -255 to 255. Such a level is a sum of int8
//   levels, each the weight of a copy of its input channel.
// - An input with zero point z adds -z * w for each tap of a window. In a transposed convolution
//   the taps of a window differ from output to output, so no bias holds the sum. Channels of
//   constant levels hold it: their weights of a tap are the digits of -z * (sum of its weights).
#ifndef VTA_COMPILER_QUANTIZE_WIDE_WEIGHTS_H_
#define VTA_COMPILER_QUANTIZE_WIDE_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/copy_channels.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {

struct WidenedLayer {
  std::vector<graph::CopiedChannel> channels;  // follow the layer's own, in this order
  RowShape shape;                              // with these channels
  std::vector<int8_t> rows;                    // by output channel
};

// `rows`: levels of a layer of one group, [shape.num_rows][shape.row_elems]. Only channels with a
// weight beyond int8 are copied, or all if these are many or `copies_all`: the tensor itself is
// then the copy; at most twice. `zero`: the zero point that constant channels replace; 0: none do.
// They are at most one more than the layer's channels.
WidenedLayer widened(const RowShape& shape, const std::vector<int16_t>& rows, int64_t zero,
                     bool copies_all);

// Inserts before `position` the int8 tensor `x`, [n, c, h, w] or [n, c], followed by `channels` of
// it. `name`: of the layer that reads it.
graph::NodeId insert_channels(graph::Graph& graph, graph::NodeId position, const std::string& name,
                              graph::NodeId x, const std::vector<graph::CopiedChannel>& channels);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_WIDE_WEIGHTS_H_
