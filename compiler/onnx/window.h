// SPDX-License-Identifier: Apache-2.0
//
// Windows of convolutions and pools, and images with one spatial axis, which are images of height 1
// in the graph.
#ifndef VTA_COMPILER_ONNX_WINDOW_H_
#define VTA_COMPILER_ONNX_WINDOW_H_

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

// The shape as [n, c, h, w], from [n, c, h, w] or [n, c, w]. Rejects other ranks.
Dims image_dims(const NodeContext& node, const Dims& dims, const char* what);

// Which spatial axes of the node's input are the image's.
enum class SpatialAxes {
  kAll,      // one, the columns, or two
  kLastTwo,  // of three
  kFirst,    // of three: the rows; the image has windows of one column
};

// Reads kernel_shape, strides, dilations, pads and auto_pad into kernel, stride, dilation and pad
// of the graph's operators. `image`: the input. `kernel`: the size of the kernel if the weights
// have it (kernel_shape must agree), otherwise empty. For pooling in ceil mode, SAME_* pads as
// specified by ONNX and determines the number of windows.
struct WindowOptions {
  bool has_dilations = true;
  bool pads_itself = false;  // the caller handles pads and auto_pad
  SpatialAxes axes = {};
};
WindowAttrs read_window(NodeContext& node, const Dims& image, const Dims& kernel,
                        const WindowOptions& options = {});

// A list with one number per spatial axis, those of `axes` extended to two: [w] becomes [fill, w].
// None if the attribute is absent.
std::optional<Dims> spatial_list(NodeContext& node, const char* name, int64_t fill,
                                 SpatialAxes axes = SpatialAxes::kAll);

// Sets the result of an operator on images; removes the height again if input 0 has one spatial
// axis.
void set_image_result(NodeContext& node, graph::NodeId result, ElementType type);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_WINDOW_H_
