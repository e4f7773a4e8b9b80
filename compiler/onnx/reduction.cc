// SPDX-License-Identifier: Apache-2.0
//
// Operators along axes: reductions, running sums, and positions of the largest elements.
#include <algorithm>
#include <limits>
#include <numeric>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

struct ReducedAxes {
  Dims axes;    // from the front, sorted; of a scalar: the axis of [1]
  Dims result;  // shape of the result
  bool is_noop = false;
};

ReducedAxes reduced_axes(NodeContext& node) {
  const Dims& from = node.input(0).dims;
  const bool keep = node.flag("keepdims", true);
  const bool noop = node.lists_as_inputs() && node.flag("noop_with_empty_axes", false);
  ReducedAxes reduced;
  reduced.axes = node.integer_list("axes", 1).value_or(Dims{});
  for (int64_t& axis : reduced.axes) axis = node.axis(axis, node.rank(0));
  std::sort(reduced.axes.begin(), reduced.axes.end());
  if (std::adjacent_find(reduced.axes.begin(), reduced.axes.end()) != reduced.axes.end()) {
    fail(ErrorCode::kCorrupt, "axes [{}] have a duplicate", fmt::join(reduced.axes, ", "));
  }
  reduced.is_noop = noop && reduced.axes.empty();
  if (reduced.axes.empty()) {
    reduced.axes.resize(std::max<size_t>(from.size(), 1));
    std::iota(reduced.axes.begin(), reduced.axes.end(), 0);
  }
  for (size_t i = 0; i < from.size(); ++i) {
    const bool is_reduced =
        std::binary_search(reduced.axes.begin(), reduced.axes.end(), static_cast<int64_t>(i));
    if (!is_reduced || keep) reduced.result.push_back(is_reduced ? 1 : from[i]);
  }
  return reduced;
}

// log(sum(exp(x))), from the largest element on, so that exp() does not overflow. An infinite one
// counts as the largest number: infinity minus infinity is not one.
NodeId log_sum_exp(NodeContext& node, NodeId x, const Dims& axes) {
  const Attrs<OpKind::kClip> finite(attr::lo{std::numeric_limits<float>::lowest()},
                                    attr::hi{std::numeric_limits<float>::max()});
  const NodeId largest =
      node.add(OpKind::kClip, {node.reduce(Reduction::kMax, x, axes)}, std::move(finite));
  const NodeId rest =
      node.reduce(Reduction::kLogSumExp, node.add(OpKind::kSub, {x, largest}), axes);
  return node.add(OpKind::kAdd, {rest, largest});
}

void reduction(NodeContext& node, Reduction function) {
  const ElementType type = node.input(0).type;
  const ReducedAxes reduced = reduced_axes(node);
  if (reduced.is_noop) {
    const bool is_identity = function == Reduction::kSum || function == Reduction::kProduct ||
                             function == Reduction::kMin || function == Reduction::kMax;
    if (!is_identity) node.refuse("without axes and with noop_with_empty_axes is not supported");
    return node.set_same(node.shared_input(0));
  }
  NodeId result;
  if (is_floating(type)) {
    const NodeId x = node.float_operand(0);
    result = function == Reduction::kLogSumExp ? log_sum_exp(node, x, reduced.axes)
                                               : node.reduce(function, x, reduced.axes);
  } else if (has_integer_result(function)) {
    result = node.as_integer(node.reduce(function, node.integer_operand(0), reduced.axes), type);
  } else {
    const NodeId x = node.cast(node.integer_operand(0), Format::kFloat32);
    result = node.as_integer(node.reduce(function, x, reduced.axes), type);
  }
  node.set_result(node.reshaped(result, reduced.result), type, reduced.result);
}

void position_of_extreme(NodeContext& node, NodeId x) {
  Attrs<OpKind::kArgMax> attrs;
  const bool keep = node.flag("keepdims", true);
  attrs.axis = node.axis(node.integer("axis", 0), std::max<int64_t>(node.rank(0), 1));
  if (node.version() >= 12) attrs.select_last = node.flag("select_last_index", false);
  const NodeId result = node.add(OpKind::kArgMax, {x}, attrs);
  Dims to = node.shape_of(result);
  if (!keep || node.rank(0) == 0) to.erase(to.begin() + attrs.axis);
  node.set_result(node.reshaped(result, to), ElementType::kInt64, to);
}

void running(NodeContext& node, Reduction function) {
  const Array& axis = node.constant(1, "axis");
  if (axis.is_float() || axis.size() != 1)
    fail(ErrorCode::kCorrupt, "input 1 (axis) is {}", to_string(axis));
  Attrs<OpKind::kCumulative> attrs(
      attr::axis{node.axis(axis.ints[0], node.rank(0))}, attr::reduction{function},
      attr::exclusive{node.flag("exclusive", false)}, attr::reverse{node.flag("reverse", false)});
  const ElementType type = node.input(0).type;
  NodeId x = is_floating(type) ? node.float_operand(0) : node.integer_operand(0);
  x = node.add(OpKind::kCumulative, {x}, attrs);
  node.set_result(is_floating(type) ? x : node.as_integer(x, type), type);
}

int64_t count_of_top_k(NodeContext& node) {
  int64_t count = 0;
  if (node.version() >= 10) {
    const Array& k = node.constant(1, "K");
    if (k.is_float() || k.size() != 1) fail(ErrorCode::kCorrupt, "K is {}", to_string(k));
    count = k.ints[0];
  } else {
    count = node.integer("k", 0);
  }
  if (count == 0) node.refuse("K is 0; empty tensors are not supported");
  return count;
}

}  // namespace

void reduce_mean(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& from = node.input(0).dims;
  const ReducedAxes reduced = reduced_axes(node);
  if (reduced.is_noop || from.empty()) return node.set_same(node.shared_input(0));
  NodeId result;
  if (from.size() == 4 && !node.is_open(0) && reduced.axes == Dims{2, 3}) {
    result = node.add(OpKind::kGlobalAvgPool2d, {x});
  } else {
    const Attrs<OpKind::kReduceMean> attrs(attr::axes{reduced.axes});
    result = node.add(OpKind::kReduceMean, {x}, attrs);
  }
  node.set_result(node.reshaped(result, reduced.result), node.input(0).type, reduced.result);
}

void reduce_sum(NodeContext& node) { reduction(node, Reduction::kSum); }
void reduce_prod(NodeContext& node) { reduction(node, Reduction::kProduct); }
void reduce_min(NodeContext& node) { reduction(node, Reduction::kMin); }
void reduce_max(NodeContext& node) { reduction(node, Reduction::kMax); }
void reduce_l1(NodeContext& node) { reduction(node, Reduction::kL1); }
void reduce_l2(NodeContext& node) { reduction(node, Reduction::kL2); }
void reduce_sum_square(NodeContext& node) { reduction(node, Reduction::kSumSquare); }
void reduce_log_sum(NodeContext& node) { reduction(node, Reduction::kLogSum); }
void reduce_log_sum_exp(NodeContext& node) { reduction(node, Reduction::kLogSumExp); }
void cumulative_sum(NodeContext& node) { running(node, Reduction::kSum); }
void cumulative_product(NodeContext& node) { running(node, Reduction::kProduct); }

void arg_max(NodeContext& node) { position_of_extreme(node, node.small_operand(0)); }

void arg_min(NodeContext& node) {
  position_of_extreme(node, node.unary(UnaryFunction::kNegative, node.small_operand(0)));
}

void top_k(NodeContext& node) {
  Attrs<OpKind::kTopK> attrs(attr::axis{node.axis(node.integer("axis", -1), node.rank(0))});
  if (node.version() >= 11) {
    attrs.smallest = !node.flag("largest", true);
    node.flag("sorted", true);  // the results always are
  }
  const bool is_of_run = node.version() >= 10 && !node.is_known(1);
  if (!is_of_run) attrs.size = count_of_top_k(node);
  const NodeId x = node.number_operand(0);
  std::vector<NodeId> operands = {x};
  if (is_of_run) operands.push_back(node.reshaped(node.index_operand(1), {1}));
  const NodeId positions = node.add(OpKind::kTopK, operands, attrs);
  const Attrs<OpKind::kGatherElements> along(attr::axis{attrs.axis});
  node.set_result(node.add(OpKind::kGatherElements, {x, positions}, along), node.input(0).type, 0);
  node.set_result(positions, ElementType::kInt64, 1);
}

}  // namespace vta::onnx
