// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_
#define VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_

#include "compiler/graph/graph.h"

namespace vta::onnx {

// Replaces real-valued operators between int8 tensors with power-of-two scales by integer
// operators:
//
//   quantize(conv2d(dequantize(x), w, b))     ->  qconv2d(x, w, b)       likewise dense
//   quantize(add(dequantize(a), dequantize(b)))  ->  qadd(a, b)
//   quantize(move(dequantize(x)))             ->  move(x)                of the same scale
//
// also with a relu or clip before the quantize. Conditions: the removed nodes have no other users,
// and weights and biases are multiples of a power of two that fit int8 and int32. Results equal
// ONNX's except for ties (the core rounds up, ONNX to even) and -128, which becomes -127.
// Returns whether the graph changed.
bool merge_quantized(graph::Graph& graph);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_
