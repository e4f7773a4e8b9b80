// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/run_sizes.h"

#include <algorithm>
#include <cmath>

#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/run_numbers.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// The bound of the axes that nothing bounds: that of all of them together is kMaxResultElems.
int64_t bound_of_unlimited(int64_t closed_elems, size_t count) {
  const double left = static_cast<double>(kMaxResultElems) / static_cast<double>(closed_elems);
  const double each =
      std::floor(std::pow(left, 1.0 / static_cast<double>(std::max<size_t>(count, 1))));
  return std::clamp<int64_t>(static_cast<int64_t>(each), 1, kMaxRunSize);
}

// Where a tensor is repeated: its own size if that is not 1, else the wanted one.
struct ExpandedAxis {
  int64_t size = 1;  // of the result, or its bound
  NodeId in_run = -1;
};

// An expanded axis of x with `own` elements (`is_open`: at most).
ExpandedAxis expanded_axis(NodeContext& node, NodeId wanted, int64_t own, bool is_open) {
  const Bounds bounds = bounds_of(node, wanted);
  if (!is_open && own != 1) return {own};
  if (bounds.is_exact() && !is_open) return {static_cast<int64_t>(bounds.low)};
  if (is_exactly(bounds, 1)) return {own};
  if (is_open) return {own, wanted};
  const bool is_limited = bounds.high <= static_cast<double>(kMaxResultElems);
  return {is_limited ? most_of(node, wanted, kMaxResultElems) : 0, wanted};
}

void limit_axes(std::vector<ExpandedAxis>& axes) {
  int64_t elems = 1;
  size_t count = 0;
  for (const ExpandedAxis& axis : axes) {
    if (axis.size == 0) ++count;
    if (axis.size > 0 && elems <= kMaxResultElems) elems *= axis.size;
  }
  const int64_t most = bound_of_unlimited(elems, count);
  for (ExpandedAxis& axis : axes) axis.size = axis.size == 0 ? most : axis.size;
}

// x, of as many axes, with the axes whose sizes the run computes repeated.
NodeId repeated_in_run(NodeContext& node, NodeId x, const std::vector<ExpandedAxis>& axes) {
  Attrs<OpKind::kBroadcastTo> attrs;
  const Attrs<OpKind::kConcat> along_list(attr::axis{0});
  std::vector<NodeId> sizes;
  for (size_t i = 0; i < axes.size(); ++i) {
    attrs.shape.push_back(axes[i].size);
    if (axes[i].in_run < 0) continue;
    attrs.axes.push_back(static_cast<int64_t>(i));
    sizes.push_back(axes[i].in_run);
  }
  if (sizes.empty()) return x;
  const NodeId list = sizes.size() == 1 ? sizes[0] : node.add(OpKind::kConcat, sizes, along_list);
  return node.add_named(OpKind::kBroadcastTo, {x, list}, attrs);
}

// x [dims] broadcast with a tensor of the shape that `elements` are.
NodeId expanded_to(NodeContext& node, NodeId x, Dims dims, const std::vector<NodeId>& elements) {
  const size_t rank = std::max({dims.size(), elements.size(), size_t{1}});
  const size_t new_axes = rank - dims.size();
  const TensorType type = node.graph_node(x).type;
  std::vector<ExpandedAxis> axes;
  for (size_t i = 0; i < rank; ++i) {
    const bool is_new = i < new_axes;
    const int64_t own = is_new ? 1 : dims[i - new_axes];
    const bool is_open = !is_new && type.is_open(i - new_axes);
    const size_t skipped = rank - elements.size();
    axes.push_back(i < skipped ? ExpandedAxis{own}
                               : expanded_axis(node, elements[i - skipped], own, is_open));
  }
  limit_axes(axes);
  Dims fixed;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t own = i < new_axes ? 1 : dims[i - new_axes];
    fixed.push_back(axes[i].in_run < 0 ? axes[i].size : own);
  }
  if (num_elems(fixed) == 0) node.refuse("the result is empty; empty tensors are not supported");
  return repeated_in_run(node, expanded(node, x, fixed), axes);
}

}  // namespace

void expand_in_run(NodeContext& node) {
  const NodeId x = node.operand(0);
  node.set_result(expanded_to(node, x, node.input(0).dims, elements_of(node, 1, "shape")),
                  node.input(0).type);
}

// Takes a shape of one value; other shapes are constants (fold_sources.cc).
void constant_of_shape(NodeContext& node) {
  Array value;
  value.dims = {1};
  value.floats = {0};
  if (const Attribute* given = node.attribute("value")) value = given->tensor;
  if (value.size() != 1) fail(ErrorCode::kCorrupt, "the value is {}", to_string(value));
  const bool is_wide = !value.is_float() && !is_small_integer(value.type);
  const NodeId x = is_wide ? node.add_indices({1}, value.ints) : node.add_scalar(value.at(0));
  node.set_result(expanded_to(node, x, {}, elements_of(node, 0, "shape")), value.type);
}

// start, start + delta, ... before limit.
void range(NodeContext& node) {
  const ElementType type = node.input(0).type;
  const bool is_real = is_floating(type);
  NodeId numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    if (node.input(i).type != type || num_elems(node.input(i).dims) != 1)
      fail(ErrorCode::kCorrupt, "input {} is {}", i,
           type_text(node.input(i).type, node.input(i).dims));
    numbers[i] = node.reshaped(is_real ? node.float_operand(i) : node.integer_operand(i), {1});
  }
  const auto [start, limit, delta] = numbers;
  NodeId count = difference(node, limit, start);
  if (is_real) {
    count = node.unary(UnaryFunction::kCeil, node.binary(BinaryFunction::kDiv, count, delta));
    count = node.cast(count, Format::kInt32);
  } else if (!is_exactly(bounds_of(node, delta), 1)) {
    // Rounded up, away from 0.
    const NodeId rest = difference(node, delta, node.unary(UnaryFunction::kSign, delta));
    count = node.binary(BinaryFunction::kDiv, sum(node, count, rest), delta);
  }
  count = at_least(node, count, 0);
  NodeId result = first_numbers(node, count, most_of(node, count, kMaxRunSize));
  if (is_real) result = node.cast(result, Format::kFloat32);
  result = sum(node, product(node, result, delta), start);
  node.set_result(is_real ? result : node.as_integer(result, type), type);
}

}  // namespace vta::onnx
