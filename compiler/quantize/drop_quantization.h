// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_QUANTIZE_DROP_QUANTIZATION_H_
#define VTA_COMPILER_QUANTIZE_DROP_QUANTIZATION_H_

#include "compiler/graph/graph.h"

namespace vta::quantize {

// Removes quantize and dequantize from a graph that was quantized elsewhere, so that it can be
// quantized anew. Operators between them that only move levels (max pools, concats, ...) move the
// real numbers instead. Saturation of the levels often stands for an activation that the quantizer
// removed, so that activations are put back where they change something:
//
//   levels of [0, 6]               clip(x, 0, 6)
//   levels of [0, other maximum]   relu(x), unless x is never negative
//   levels of fewer than 8 bits    clip(x) to their limits, with which the network was trained
//
// Other limits come from calibration and are dropped. Levels that are numbers in float32 are
// dropped likewise if they have one scale: levels of other than 8 bits, and levels that QONNX
// rounds up or down. A BipolarQuant stays, because the sign is what the model computes. Dequantize
// of results of integer operators stays. Returns whether the graph changed.
bool drop_quantization(graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_DROP_QUANTIZATION_H_
