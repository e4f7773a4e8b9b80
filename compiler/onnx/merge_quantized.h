// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_
#define VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_

#include "compiler/graph/graph.h"

namespace vta::onnx {

// What a quantized model says in real numbers, between tensors of int8 with power-of-two scales,
// becomes the graph's integer operators:
//
//   quantize(conv2d(dequantize(x), w, b))     ->  qconv2d(x, w, b)       dense alike
//   quantize(add(dequantize(a), dequantize(b)))  ->  qadd(a, b)
//   quantize(move(dequantize(x)))             ->  move(x)                of one scale
//
// also with a relu or clip in front of the quantize, where nobody else uses what goes, and where
// weights and biases are multiples of a power of two that int8 and int32 hold. Results are those of
// ONNX but for ties, which the core rounds up and ONNX to even, and -128, which becomes -127.
// Returns whether anything changed.
bool merge_quantized(graph::Graph& graph);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MERGE_QUANTIZED_H_
