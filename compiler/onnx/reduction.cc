// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

using graph::NodeId;

void reduce_mean(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& from = node.input(0).dims;
  const bool keep = node.flag("keepdims", true);
  const bool noop = node.version() >= 18 && node.flag("noop_with_empty_axes", false);
  Dims axes = node.integer_list("axes", 1).value_or(Dims{});
  for (int64_t& axis : axes) axis = node.axis(axis, node.rank(0));
  if (axes.empty() && (noop || from.empty())) return node.set_same(node.shared_input(0));
  if (axes.empty()) {
    axes.resize(from.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
    fail(ErrorCode::kCorrupt, "axes [{}] have a duplicate", fmt::join(axes, ", "));
  }
  NodeId result;
  if (from.size() == 4 && axes == Dims{2, 3}) {
    result = node.add(OpKind::kGlobalAvgPool2d, {x});
  } else {
    OpAttrs attrs;
    attrs.axes = axes;
    result = node.add(OpKind::kReduceMean, {x}, attrs);
  }
  Dims to;
  for (size_t i = 0; i < from.size(); ++i) {
    const bool is_reduced = std::binary_search(axes.begin(), axes.end(), static_cast<int64_t>(i));
    if (!is_reduced || keep) to.push_back(is_reduced ? 1 : from[i]);
  }
  node.set_result(node.reshaped(result, to), node.input(0).type, to);
}

void arg_max(NodeContext& node) {
  const NodeId x = node.small_operand(0);
  OpAttrs attrs;
  const bool keep = node.flag("keepdims", true);
  attrs.axis = node.axis(node.integer("axis", 0), std::max<int64_t>(node.rank(0), 1));
  if (node.version() >= 12) attrs.select_last = node.flag("select_last_index", false);
  const NodeId result = node.add(OpKind::kArgMax, {x}, attrs);
  Dims to = node.shape_of(result);
  if (!keep || node.rank(0) == 0) to.erase(to.begin() + attrs.axis);
  node.set_result(node.reshaped(result, to), ElementType::kInt64, to);
}

}  // namespace vta::onnx
