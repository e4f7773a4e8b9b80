// SPDX-License-Identifier: Apache-2.0
//
// The windows of convolutions and pools, whose attributes are alike, and images of one spatial
// axis, which the graph holds as images of height 1.
#ifndef VTA_COMPILER_ONNX_WINDOW_H_
#define VTA_COMPILER_ONNX_WINDOW_H_

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// [n, c, h, w] of [n, c, h, w] or of [n, c, w]. Refuses other ranks.
Dims image_dims(const NodeContext& node, const Dims& dims, const char* what);

// Attributes kernel_shape, strides, dilations, pads and auto_pad as kernel, stride, dilation and
// pad of the graph's operators. `image` is the input, `kernel` the kernel's size where the weights
// say it (kernel_shape must then agree), else empty. Of pooling in ceil mode, SAME_* pads as ONNX's
// text has it; the number of windows then is that of SAME_*.
struct WindowOptions {
  bool has_dilations = true;
  bool pads_itself = false;  // the caller reads pads and auto_pad
};
OpAttrs read_window(NodeContext& node, const Dims& image, const Dims& kernel,
                    const WindowOptions& options = {});

// A list of one number a spatial axis, as two: [w] is [fill, w]. None if the attribute is not
// there.
std::optional<Dims> spatial_list(NodeContext& node, const char* name, int64_t fill);

// The result of an operator on images, of input 0's spatial axes: without the height that images of
// one have got.
void set_image_result(NodeContext& node, graph::NodeId result, ElementType type);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_WINDOW_H_
