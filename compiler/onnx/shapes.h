// SPDX-License-Identifier: Apache-2.0
//
// The shapes that operators which move data ask for, by ONNX's rules: the same for tensors of the
// graph and for constants. Each reads its attributes and inputs from `node`.
#ifndef VTA_COMPILER_ONNX_SHAPES_H_
#define VTA_COMPILER_ONNX_SHAPES_H_

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

Dims reshape_dims(NodeContext& node);  // 0 copies an axis, -1 is what remains
Dims flatten_dims(NodeContext& node);
Dims squeeze_dims(NodeContext& node);
Dims unsqueeze_dims(NodeContext& node);
Dims transpose_perm(NodeContext& node);  // reversed axes if none is given
int64_t concat_axis(NodeContext& node);  // checks that the inputs fit together

// Of every axis: elements begin, begin + step, ... before end (after it, if step < 0; then end may
// be -1). Already clamped to the axis; count may be 0.
struct SliceRange {
  int64_t begin = 0, end = 0, step = 1;
  int64_t count() const;
};
std::vector<SliceRange> slice_ranges(NodeContext& node);

struct SplitParts {
  int64_t axis = 0;
  Dims sizes;  // one an output, together the axis
};
SplitParts split_parts(NodeContext& node);

// As numpy broadcasts. Errors: kCorrupt where they do not fit.
Dims broadcast_dims(const Dims& a, const Dims& b);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_SHAPES_H_
