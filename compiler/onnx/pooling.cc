// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "compiler/onnx/window.h"

namespace vta::onnx {

using graph::NodeId;

namespace {

bool is_each_element(const WindowAttrs& window) {
  const WindowAttrs one;
  return window.kernel == std::array<int64_t, 2>{1, 1} && window.stride == one.stride &&
         window.pad == one.pad;
}

// A pool of input 0, as the node's `x`. `others`: the attributes that are not the window's. A
// window of three axes is a box: its maximum or mean is that along the first axis of those of the
// last two.
NodeId pooled(NodeContext& node, OpKind kind, NodeId x, const Attrs<OpKind::kAvgPool2d>& others,
              bool has_dilations) {
  const auto along = [&](NodeId image, SpatialAxes axes) {
    Attrs<OpKind::kAvgPool2d> attrs =
        read_window(node, node.shape_of(image), {}, {has_dilations, false, axes});
    if (is_each_element(attrs)) return image;
    attrs.count_include_pad = others.count_include_pad;
    attrs.ceil_mode = others.ceil_mode;
    return node.add(kind, {image}, attrs);
  };
  const Dims& dims = node.input(0).dims;
  if (dims.size() != 5)
    return along(node.reshaped(x, image_dims(node, dims, "input 0")), SpatialAxes::kAll);
  const Dims slices = {dims[0], dims[1] * dims[2], dims[3], dims[4]};
  const NodeId planes = along(node.reshaped(x, slices), SpatialAxes::kLastTwo);
  const Dims plane = node.shape_of(planes);
  const NodeId columns = node.reshaped(planes, {dims[0], dims[1], dims[2], plane[2] * plane[3]});
  const NodeId result = along(columns, SpatialAxes::kFirst);
  return node.reshaped(result, {dims[0], dims[1], node.shape_of(result)[2], plane[2], plane[3]});
}

void set_pooled(NodeContext& node, NodeId result) {
  if (node.rank(0) == 5) return node.set_result(result, node.input(0).type);
  set_image_result(node, result, node.input(0).type);
}

}  // namespace

void average_pool(NodeContext& node) {
  Attrs<OpKind::kAvgPool2d> attrs(attr::count_include_pad{node.flag("count_include_pad", false)});
  if (node.version() >= 10) attrs.ceil_mode = node.flag("ceil_mode", false);
  const bool has_dilations = node.version() >= 19;
  set_pooled(node, pooled(node, OpKind::kAvgPool2d, node.float_operand(0), attrs, has_dilations));
}

// The p-th root of the sum of |x|^p: of an average of all elements of the window, padding too.
void lp_pool(NodeContext& node) {
  const int64_t p = node.integer("p", 2);
  if (p < 1) fail(ErrorCode::kCorrupt, "attribute 'p' is {}, expected at least 1", p);
  Attrs<OpKind::kAvgPool2d> attrs(attr::count_include_pad{true});
  if (node.version() >= 18) attrs.ceil_mode = node.flag("ceil_mode", false);
  if (attrs.ceil_mode) node.refuse("attribute 'ceil_mode' is 1, supported is 0");
  const auto power = [&](NodeId x, double exponent) {
    const Attrs<OpKind::kPower> of(attr::alpha{exponent});
    return exponent == 1 ? x : node.add(OpKind::kPower, {x}, of);
  };
  const NodeId x = power(node.add(OpKind::kAbs, {node.float_operand(0)}), static_cast<double>(p));
  const NodeId mean = pooled(node, OpKind::kAvgPool2d, x, attrs, node.version() >= 18);
  double elems = 1;
  const Dims kernel = node.integers("kernel_shape").value();
  for (int64_t size : kernel) elems *= static_cast<double>(size);
  const NodeId sum = node.add(OpKind::kMul, {mean, node.add_scalar(elems)});
  set_pooled(node, power(sum, 1 / static_cast<double>(p)));
}

void max_pool(NodeContext& node) {
  Attrs<OpKind::kMaxPool2d> attrs;
  if (node.version() >= 10) attrs.ceil_mode = node.flag("ceil_mode", false);
  if (node.version() >= 8) node.flag("storage_order", false);  // for Indices only
  const bool has_dilations = node.version() >= 10;
  set_pooled(node,
             pooled(node, OpKind::kMaxPool2d, node.small_operand(0, true), attrs, has_dilations));
}

void global_average_pool(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  if (node.rank(0) < 3) node.refuse("input 0 has no spatial axes");
  if (node.rank(0) == 4) {
    return node.set_result(node.add(OpKind::kGlobalAvgPool2d, {x}), node.input(0).type);
  }
  Attrs<OpKind::kReduceMean> attrs;
  attrs.axes.resize(static_cast<size_t>(node.rank(0)) - 2);
  std::iota(attrs.axes.begin(), attrs.axes.end(), 2);
  node.set_result(node.add(OpKind::kReduceMean, {x}, attrs), node.input(0).type);
}

void global_max_pool(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  const NodeId x = node.small_operand(0, true);
  if (dims.size() == 5) {
    const NodeId image = node.reshaped(x, {dims[0], dims[1], dims[2] * dims[3], dims[4]});
    const NodeId result = node.add(OpKind::kGlobalMaxPool2d, {image});
    return node.set_result(node.reshaped(result, {dims[0], dims[1], 1, 1, 1}), node.input(0).type);
  }
  const NodeId image = node.reshaped(x, image_dims(node, dims, "input 0"));
  set_image_result(node, node.add(OpKind::kGlobalMaxPool2d, {image}), node.input(0).type);
}

}  // namespace vta::onnx
