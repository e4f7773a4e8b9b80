// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_MERGE_BIAS_H_
#define VTA_COMPILER_ONNX_MERGE_BIAS_H_

#include "compiler/graph/graph.h"

namespace vta::onnx {

// Merges the add of a constant with one number per channel into the conv2d, conv2d_transpose or
// dense without bias before it, if the add is its only user. Exporters write MatMul and Add for a
// dense layer. Returns whether the graph changed.
bool merge_bias(graph::Graph& graph);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MERGE_BIAS_H_
