// SPDX-License-Identifier: Apache-2.0
//
// Slice by positions that a run computes: a gather.
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/errors/counted.h"
#include "compiler/onnx/run_numbers.h"
#include "compiler/onnx/run_sizes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// The bounds of Slice: constants in any version, or inputs of a run.
std::vector<NodeId> slice_bounds(NodeContext& node, const char* name, size_t index) {
  if (node.lists_as_inputs() && node.has_input(index) && !node.has_value(index))
    return elements_of(node, index, name);
  const std::optional<Dims> list = node.integer_list(name, index);
  if (!list) fail(ErrorCode::kCorrupt, "starts or ends are missing");
  std::vector<NodeId> elements;
  for (int64_t position : *list) elements.push_back(number(node, position));
  return elements;
}

struct SliceAxes {
  Dims axes, steps;
};

SliceAxes slice_axes(NodeContext& node, size_t count) {
  SliceAxes slice;
  Dims all(count);
  std::iota(all.begin(), all.end(), 0);
  slice.axes = node.integer_list("axes", 3).value_or(all);
  slice.steps.assign(count, 1);
  if (node.lists_as_inputs()) slice.steps = node.integer_list("steps", 4).value_or(slice.steps);
  if (slice.axes.size() != count || slice.steps.size() != count) {
    fail(ErrorCode::kCorrupt, "{}, {} and {}", counted(count, "start"),
         counted(slice.axes.size(), "axis"), counted(slice.steps.size(), "step"));
  }
  std::vector<bool> taken(node.input(0).dims.size());
  for (int64_t& axis : slice.axes) {
    axis = node.axis(axis, node.rank(0));
    if (taken[static_cast<size_t>(axis)]) fail(ErrorCode::kCorrupt, "axis {} is there twice", axis);
    taken[static_cast<size_t>(axis)] = true;
  }
  return slice;
}

// A position from the front; negative ones count from the end.
NodeId from_front(NodeContext& node, NodeId position, NodeId size) {
  if (bounds_of(node, position).low >= 0) return position;
  const NodeId is_negative = node.binary(BinaryFunction::kLess, position, number(node, 0));
  return node.add(OpKind::kWhere, {is_negative, sum(node, position, size), position});
}

// ceil(distance / step), at least 0.
NodeId steps_within(NodeContext& node, NodeId distance, int64_t step) {
  if (step > 1) {
    const NodeId rounded_up = sum(node, distance, number(node, step - 1));
    distance = node.binary(BinaryFunction::kDiv, rounded_up, number(node, step));
  }
  return at_least(node, distance, 0);
}

// Elements begin, begin + step, ... of one axis.
NodeId sliced_in_run(NodeContext& node, NodeId x, size_t axis, NodeId begin, NodeId end,
                     int64_t step) {
  constexpr int64_t kMaxStep = std::numeric_limits<int32_t>::max() / 2;
  if (step == 0) fail(ErrorCode::kCorrupt, "a step is 0");
  step = std::clamp(step, -kMaxStep, kMaxStep);
  const NodeId size = size_of_axis(node, x, axis);
  // Positions from which, and to which, elements are taken; with a negative step one before them.
  const int64_t first = step > 0 ? 0 : -1;
  const NodeId last = step > 0 ? size : difference(node, size, number(node, 1));
  begin = at_most(node, at_least(node, from_front(node, begin, size), 0), last);
  end = at_most(node, at_least(node, from_front(node, end, size), first), last);
  const NodeId distance = step > 0 ? difference(node, end, begin) : difference(node, begin, end);
  const NodeId count = steps_within(node, distance, std::abs(step));
  const int64_t most = (node.shape_of(x)[axis] - 1) / std::abs(step) + 1;
  NodeId positions = first_numbers(node, count, most_of(node, count, most));
  if (step != 1) positions = product(node, positions, number(node, step));
  if (!is_exactly(bounds_of(node, begin), 0)) positions = sum(node, positions, begin);
  const Attrs<OpKind::kGather> attrs(attr::axis{static_cast<int64_t>(axis)});
  return node.add(OpKind::kGather, {x, positions}, attrs);
}

}  // namespace

bool needs_run_slice(NodeContext& node) {
  for (size_t index : {1, 2}) {
    if (node.lists_as_inputs() && node.has_input(index) && !node.has_value(index)) return true;
  }
  if (!node.is_open(0)) return false;
  const Dims starts = node.integer_list("starts", 1).value_or(Dims{});
  const Dims ends = node.integer_list("ends", 2).value_or(Dims{});
  if (starts.size() != ends.size()) return false;
  const SliceAxes slice = slice_axes(node, starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    const bool is_from_front = starts[i] >= 0 && ends[i] >= 0 && slice.steps[i] > 0;
    if (!is_from_front && node.is_open(0, static_cast<size_t>(slice.axes[i]))) return true;
  }
  return false;
}

void slice_in_run(NodeContext& node) {
  NodeId x = node.operand(0);
  const std::vector<NodeId> starts = slice_bounds(node, "starts", 1),
                            ends = slice_bounds(node, "ends", 2);
  if (starts.size() != ends.size())
    fail(ErrorCode::kCorrupt, "{} and {}", counted(starts.size(), "start"),
         counted(ends.size(), "end"));
  const SliceAxes slice = slice_axes(node, starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    x = sliced_in_run(node, x, static_cast<size_t>(slice.axes[i]), starts[i], ends[i],
                      slice.steps[i]);
  }
  node.set_result(x, node.input(0).type);
}

}  // namespace vta::onnx
