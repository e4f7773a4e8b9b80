// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/window.h"

#include <algorithm>

#include "base/errors/counted.h"

namespace vta::onnx {
namespace {

constexpr int64_t kMaxWindow = 1 << 16;

std::array<int64_t, 2> pair_of(const Dims& list) { return {list[0], list[1]}; }

void expect_range(const char* name, const Dims& list, int64_t low) {
  for (int64_t value : list) {
    if (value < low || value > kMaxWindow) {
      fail(ErrorCode::kUnsupported, "attribute '{}' is [{}], supported are {} to {}", name,
           fmt::join(list, ", "), low, kMaxWindow);
    }
  }
}

// From one number per spatial axis of the node, the rows' and columns'.
Dims chosen(const Dims& list, int64_t fill, SpatialAxes axes) {
  if (axes == SpatialAxes::kLastTwo) return {list[1], list[2]};
  if (axes == SpatialAxes::kFirst) return {list[0], fill};
  return list.size() == 1 ? Dims{fill, list[0]} : list;
}

// pads: [begin of every axis, end of every axis]; the result is top, left, bottom, right.
std::array<int64_t, 4> given_pads(NodeContext& node, size_t num_axes, SpatialAxes axes) {
  const std::optional<Dims> pads = node.integers("pads");
  if (!pads) return {0, 0, 0, 0};
  if (pads->size() != 2 * num_axes) {
    fail(ErrorCode::kCorrupt, "attribute 'pads' has {}, expected {}",
         counted(pads->size(), "number"), 2 * num_axes);
  }
  expect_range("pads", *pads, 0);
  const auto middle = pads->begin() + static_cast<std::ptrdiff_t>(num_axes);
  const Dims begin = chosen(Dims(pads->begin(), middle), 0, axes);
  const Dims end = chosen(Dims(middle, pads->end()), 0, axes);
  return {begin[0], begin[1], end[0], end[1]};
}

// The number of windows is the input size divided by the stride, rounded up.
std::array<int64_t, 4> same_pads(const WindowAttrs& attrs, const Dims& image, bool extra_at_end) {
  std::array<int64_t, 4> pad = {0, 0, 0, 0};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t extent = (attrs.kernel[i] - 1) * attrs.dilation[i] + 1;
    const int64_t count = (image[2 + i] + attrs.stride[i] - 1) / attrs.stride[i];
    const int64_t total =
        std::max<int64_t>((count - 1) * attrs.stride[i] + extent - image[2 + i], 0);
    pad[i] = extra_at_end ? total / 2 : total - total / 2;
    pad[i + 2] = total - pad[i];
  }
  return pad;
}

std::array<int64_t, 4> read_pads(NodeContext& node, const WindowAttrs& attrs, const Dims& image,
                                 SpatialAxes axes) {
  const std::string mode = node.text("auto_pad", "NOTSET");
  const std::array<int64_t, 4> given =
      given_pads(node, static_cast<size_t>(node.rank(0)) - 2, axes);
  if (mode == "NOTSET" || mode.empty()) return given;
  if (mode == "VALID") return {0, 0, 0, 0};
  if (mode == "SAME_UPPER") return same_pads(attrs, image, true);
  if (mode == "SAME_LOWER") return same_pads(attrs, image, false);
  node.refuse("attribute 'auto_pad' is '{}'", printable(mode));
}

}  // namespace

Dims image_dims(const NodeContext& node, const Dims& dims, const char* what) {
  if (dims.size() == 4) return dims;
  if (dims.size() == 3) return {dims[0], dims[1], 1, dims[2]};
  node.refuse("{} has shape [{}], supported are one or two spatial axes", what,
              fmt::join(dims, ", "));
}

std::optional<Dims> spatial_list(NodeContext& node, const char* name, int64_t fill,
                                 SpatialAxes axes) {
  const std::optional<Dims> list = node.integers(name);
  if (!list) return std::nullopt;
  const auto num_axes = static_cast<size_t>(node.rank(0)) - 2;
  if (list->size() != num_axes) {
    fail(ErrorCode::kCorrupt, "attribute '{}' has {}, expected {}", name,
         counted(list->size(), "number"), num_axes);
  }
  expect_range(name, *list, 0);
  return chosen(*list, fill, axes);
}

void set_image_result(NodeContext& node, graph::NodeId result, ElementType type) {
  Dims dims = node.shape_of(result);
  if (node.rank(0) == 3) dims.erase(dims.begin() + 2);
  node.set_result(node.reshaped(result, dims), type, dims);
}

WindowAttrs read_window(NodeContext& node, const Dims& image, const Dims& kernel,
                        const WindowOptions& options) {
  WindowAttrs attrs;
  const std::optional<Dims> kernel_shape = spatial_list(node, "kernel_shape", 1, options.axes);
  if (!kernel_shape && kernel.empty()) {
    fail(ErrorCode::kCorrupt, "attribute 'kernel_shape' is missing");
  }
  if (kernel_shape && !kernel.empty() && *kernel_shape != kernel) {
    fail(ErrorCode::kCorrupt, "attribute 'kernel_shape' is [{}], the weights have [{}]",
         fmt::join(*kernel_shape, ", "), fmt::join(kernel, ", "));
  }
  attrs.kernel = pair_of(kernel.empty() ? *kernel_shape : kernel);
  attrs.stride = pair_of(spatial_list(node, "strides", 1, options.axes).value_or(Dims{1, 1}));
  if (options.has_dilations) {
    attrs.dilation = pair_of(spatial_list(node, "dilations", 1, options.axes).value_or(Dims{1, 1}));
  }
  for (size_t i = 0; i < 2; ++i) {
    expect_range("kernel_shape", {attrs.kernel[i]}, 1);
    expect_range("strides", {attrs.stride[i]}, 1);
    expect_range("dilations", {attrs.dilation[i]}, 1);
  }
  if (!options.pads_itself) attrs.pad = read_pads(node, attrs, image, options.axes);
  return attrs;
}

}  // namespace vta::onnx
