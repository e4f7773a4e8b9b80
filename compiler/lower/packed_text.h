// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_LOWER_PACKED_TEXT_H_
#define VTA_COMPILER_LOWER_PACKED_TEXT_H_

#include <string>

#include "compiler/graph/graph.h"
#include "configs/core_config.h"

namespace vta::lower {

// The graph after unfold_inputs as the core computes it, in the form of VTA's graph_pack: types and
// layouts are packed, bitpack and bitunpack mark where values enter and leave the core, and
// requantization is in its steps, with the addition that rounds:
//
//   %conv = conv2d(%x, %conv.weight) {..., data_layout = "NCHW1n16c", kernel_layout = "OIHW16o16i"}
//       : int32[1, 4, 56, 56, 1, 16]
//   %conv.1 = add(%conv, %conv.bias : int32[4, 1, 1, 1, 16])
//   %conv.2 = relu(%conv.1)
//   %conv.3 = add(%conv.2, 256)
//   %conv.4 = right_shift(%conv.3, 9)
//   %conv.5 = clip(%conv.4, 0, 127) : int8[1, 4, 56, 56, 1, 16]
//
// Other operators, and those with free scales, are one line each, with packed types.
std::string packed_text(const graph::Graph& graph, const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_PACKED_TEXT_H_
