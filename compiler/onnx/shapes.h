// SPDX-License-Identifier: Apache-2.0
//
// Shape rules of data movement operators, for tensors of the graph and for constants. Each function
// reads the attributes and inputs of `node`.
#ifndef VTA_COMPILER_ONNX_SHAPES_H_
#define VTA_COMPILER_ONNX_SHAPES_H_

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

Dims reshape_dims(NodeContext& node);  // 0: copies the axis; -1: inferred
// `node` has an input with open axes. Returns the axis of the result that gets its size in a run.
int64_t open_axis_of_reshape(NodeContext& node);
Dims flatten_dims(NodeContext& node);
Dims squeeze_dims(NodeContext& node);
int64_t open_axis_of_squeeze(NodeContext& node);
Dims unsqueeze_dims(NodeContext& node);
int64_t open_axis_of_unsqueeze(NodeContext& node);
Dims transpose_perm(NodeContext& node);  // default: reversed axes
int64_t concat_axis(NodeContext& node);  // checks that the shapes match

// One per axis: elements begin, begin + step, ... up to end, exclusive (-1 is possible if step <
// 0). Clamped to the axis; count may be 0.
struct SliceRange {
  int64_t begin = 0, end = 0, step = 1;
  int64_t count() const;
};
std::vector<SliceRange> slice_ranges(NodeContext& node);

struct SplitParts {
  int64_t axis = 0;
  Dims sizes;  // one per output; their sum is the axis
};
SplitParts split_parts(NodeContext& node);

// The concat of one or more parts along an axis; of more than an operator takes, by several.
graph::NodeId concatenated(NodeContext& node, std::vector<graph::NodeId> parts, int64_t axis);

// x repeated so that it has the shape `to`, to which it broadcasts.
graph::NodeId expanded(NodeContext& node, graph::NodeId x, const Dims& to);

// NumPy broadcasting. Errors: kCorrupt for incompatible shapes.
Dims broadcast_dims(const Dims& a, const Dims& b);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_SHAPES_H_
