// SPDX-License-Identifier: Apache-2.0
//
// Operators whose result's size depends on the elements of their inputs.
#include <algorithm>
#include <limits>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// With `axis`: the tensor; without: its elements as a list, of which axis 0.
NodeId along_axis_or_flat(NodeContext& node, NodeId x, auto& attrs) {
  attrs.axis = 0;
  if (node.has_attr("axis")) {
    attrs.axis = node.axis(node.integer("axis", 0), node.rank(0));
    return x;
  }
  return node.reshaped(x, {num_elems(node.input(0).dims)});
}

// A scalar of a threshold or limit; `fallback` if omitted.
double scalar(NodeContext& node, size_t index, const char* what, double fallback) {
  if (!node.has_input(index)) return fallback;
  const Array& array = node.constant(index, what);
  if (array.size() != 1)
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}", index, what, to_string(array));
  return array.at(0);
}

// A constant condition becomes indices.
NodeId gathered(NodeContext& node, NodeId x, const Array& condition,
                const Attrs<OpKind::kGather>& attrs) {
  std::vector<int64_t> selected;
  for (size_t i = 0; i < condition.ints.size(); ++i) {
    if (condition.ints[i] != 0) selected.push_back(static_cast<int64_t>(i));
  }
  if (selected.empty()) node.refuse("the result is empty; empty tensors are not supported");
  const auto count = static_cast<int64_t>(selected.size());
  return node.add(OpKind::kGather, {x, node.add_indices({count}, selected)}, attrs);
}

}  // namespace

// The elements along an axis, or of all, that a condition selects.
void compress(NodeContext& node) {
  const Value& condition = node.input(1);
  if (condition.type != ElementType::kBool || condition.dims.size() != 1) {
    fail(ErrorCode::kCorrupt, "the condition is {}", type_text(condition.type, condition.dims));
  }
  Attrs<OpKind::kCompress> attrs;
  const NodeId x = along_axis_or_flat(node, node.operand(0), attrs);
  const bool is_fixed = node.is_known(1) && !node.is_open(0);
  node.set_result(is_fixed ? gathered(node, x, node.constant(1, "condition"), attrs)
                           : node.add(OpKind::kCompress, {x, node.small_operand(1)}, attrs),
                  node.input(0).type);
}

void non_zero(NodeContext& node) {
  if (node.rank(0) == 0) node.refuse("of a scalar is not supported");
  node.set_result(node.add(OpKind::kNonZero, {node.number_operand(0)}), ElementType::kInt64);
}

// Outputs: the distinct elements, and what `unique` tells of them.
void unique(NodeContext& node) {
  Attrs<OpKind::kUnique> attrs(attr::sorted{node.flag("sorted", true)});
  const NodeId x = along_axis_or_flat(node, node.number_operand(0), attrs);
  const auto part = [&](UniquePart which) {
    attrs.part = which;
    return node.add(OpKind::kUnique, {x}, attrs);
  };
  const NodeId first = part(UniquePart::kFirst);
  const Attrs<OpKind::kGather> along(attr::axis{attrs.axis});
  node.set_result(node.add(OpKind::kGather, {x, first}, along), node.input(0).type, 0);
  node.set_result(first, ElementType::kInt64, 1);
  constexpr UniquePart kOthers[] = {UniquePart::kInverse, UniquePart::kCount};
  const std::vector<std::string>& outputs = node.def().outputs;
  for (size_t i = 0; i < std::size(kOthers); ++i) {
    if (i + 2 < outputs.size() && !outputs[i + 2].empty())
      node.set_result(part(kOthers[i]), ElementType::kInt64, i + 2);
  }
}

void non_max_suppression(NodeContext& node) {
  Attrs<OpKind::kNonMaxSuppression> attrs;
  const double limit = scalar(node, 2, "max_output_boxes_per_class", 0);
  if (!(limit >= 1)) {
    node.refuse("max_output_boxes_per_class is {}: the result is empty, which is not supported",
                limit);
  }
  constexpr double kMaxBoxes = std::numeric_limits<int32_t>::max();
  attrs.size = static_cast<int64_t>(std::min(limit, kMaxBoxes));
  attrs.max_overlap = scalar(node, 3, "iou_threshold", 0);
  attrs.min_score = scalar(node, 4, "score_threshold", attrs.min_score);
  attrs.center = node.flag("center_point_box", false);
  const NodeId boxes = node.float_operand(0), scores = node.float_operand(1);
  node.set_result(node.add(OpKind::kNonMaxSuppression, {boxes, scores}, attrs),
                  ElementType::kInt64);
}

// Takes an input with open axes; other shapes are constants (fold_sources.cc).
void shape(NodeContext& node) {
  const int64_t rank = node.rank(0);
  const auto clamped = [rank](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const bool has_range = node.version() >= 15;
  const int64_t begin = has_range ? clamped(node.integer("start", 0)) : 0;
  const int64_t end = has_range ? clamped(node.integer("end", rank)) : rank;
  if (begin >= end) node.refuse("the result is empty; empty tensors are not supported");
  const NodeId sizes = node.add(OpKind::kShapeOf, {node.operand(0)});
  node.set_result(node.sliced(sizes, 0, begin, end), ElementType::kInt64);
}

void size(NodeContext& node) {
  const NodeId sizes = node.add(OpKind::kShapeOf, {node.operand(0)});
  node.set_result(node.reduce(Reduction::kProduct, sizes, {0}), ElementType::kInt64, Dims{});
}

}  // namespace vta::onnx
