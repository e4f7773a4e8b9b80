// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_MERGE_BIAS_H_
#define VTA_COMPILER_ONNX_MERGE_BIAS_H_

#include "compiler/graph/graph.h"

namespace vta::onnx {

// A constant of one number a channel that is added to a conv2d, conv2d_transpose or dense without a
// bias, and to nothing else, becomes the bias: exporters write MatMul and Add where the graph has
// dense. Returns whether anything changed.
bool merge_bias(graph::Graph& graph);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MERGE_BIAS_H_
