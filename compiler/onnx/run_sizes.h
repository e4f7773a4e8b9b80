// SPDX-License-Identifier: Apache-2.0
//
// Slice, Expand, Reshape and ConstantOfShape whose sizes a run computes, and Range (operators.def).
//
// Expand is broadcast_to; the others gather by a list 0, 1, ... up to a size of the run (iota). The
// bound of a size follows from the operators that compute it (size_bounds.h), or is kMaxRunSize. A
// larger size is an error of the run that names the node, the size and the bound.
#ifndef VTA_COMPILER_ONNX_RUN_SIZES_H_
#define VTA_COMPILER_ONNX_RUN_SIZES_H_

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// Whether a bound is not a constant, or counts from the end of an open axis.
bool needs_run_slice(NodeContext& node);
void slice_in_run(NodeContext& node);
void expand_in_run(NodeContext& node);
void reshape_in_run(NodeContext& node);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_RUN_SIZES_H_
