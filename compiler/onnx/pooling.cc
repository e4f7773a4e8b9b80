// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "compiler/onnx/window.h"

namespace vta::onnx {

using graph::NodeId;

void average_pool(NodeContext& node) {
  const Dims image = image_dims(node, node.input(0).dims, "input 0");
  const NodeId x = node.reshaped(node.float_operand(0), image);
  OpAttrs attrs = read_window(node, image, {}, {.has_dilations = node.version() >= 19});
  attrs.count_include_pad = node.flag("count_include_pad", false);
  if (node.version() >= 10) attrs.ceil_mode = node.flag("ceil_mode", false);
  set_image_result(node, node.add(OpKind::kAvgPool2d, {x}, attrs), node.input(0).type);
}

// The p-th root of the sum of |x|^p: of an average of all elements of the window, padding too.
void lp_pool(NodeContext& node) {
  const int64_t p = node.integer("p", 2);
  if (p < 1) fail(ErrorCode::kCorrupt, "attribute 'p' is {}, expected at least 1", p);
  const Dims image = image_dims(node, node.input(0).dims, "input 0");
  OpAttrs attrs = read_window(node, image, {}, {.has_dilations = node.version() >= 18});
  attrs.count_include_pad = true;
  if (node.version() >= 18) attrs.ceil_mode = node.flag("ceil_mode", false);
  if (attrs.ceil_mode) node.refuse("attribute 'ceil_mode' is 1, supported is 0");
  const auto power = [&](NodeId x, double exponent) {
    OpAttrs of;
    of.alpha = exponent;
    return exponent == 1 ? x : node.add(OpKind::kPower, {x}, of);
  };
  const NodeId x = node.reshaped(node.add(OpKind::kAbs, {node.float_operand(0)}), image);
  const NodeId mean = node.add(OpKind::kAvgPool2d, {power(x, static_cast<double>(p))}, attrs);
  const auto elems = static_cast<double>(attrs.kernel[0] * attrs.kernel[1]);
  const NodeId sum = node.add(OpKind::kMul, {mean, node.add_scalar(elems)});
  set_image_result(node, power(sum, 1 / static_cast<double>(p)), node.input(0).type);
}

void max_pool(NodeContext& node) {
  const Dims image = image_dims(node, node.input(0).dims, "input 0");
  const NodeId x = node.reshaped(node.small_operand(0, true), image);
  OpAttrs attrs = read_window(node, image, {}, {.has_dilations = node.version() >= 10});
  if (node.version() >= 10) attrs.ceil_mode = node.flag("ceil_mode", false);
  if (node.version() >= 8) node.flag("storage_order", false);  // for Indices only
  set_image_result(node, node.add(OpKind::kMaxPool2d, {x}, attrs), node.input(0).type);
}

void global_average_pool(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  if (node.rank(0) < 3) node.refuse("input 0 has no spatial axes");
  if (node.rank(0) == 4) {
    return node.set_result(node.add(OpKind::kGlobalAvgPool2d, {x}), node.input(0).type);
  }
  OpAttrs attrs;
  attrs.axes.resize(static_cast<size_t>(node.rank(0)) - 2);
  std::iota(attrs.axes.begin(), attrs.axes.end(), 2);
  node.set_result(node.add(OpKind::kReduceMean, {x}, attrs), node.input(0).type);
}

void global_max_pool(NodeContext& node) {
  const Dims image = image_dims(node, node.input(0).dims, "input 0");
  const NodeId x = node.reshaped(node.small_operand(0, true), image);
  set_image_result(node, node.add(OpKind::kGlobalMaxPool2d, {x}), node.input(0).type);
}

}  // namespace vta::onnx
