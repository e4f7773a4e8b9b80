// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/run_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/shapes.h"
#include "compiler/onnx/size_bounds.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// int32 [1], as all sizes and positions below.
NodeId number(NodeContext& node, int64_t value) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return node.add_indices({1}, {std::clamp(value, -kMax, kMax)});  // INT64_MAX: to the end
}

Bounds bounds_of(NodeContext& node, NodeId size) { return bounds_of_scalar(node.graph(), size); }

bool is_exactly(const Bounds& bounds, double value) {
  return bounds.is_exact() && bounds.low == value;
}

NodeId sum(NodeContext& node, NodeId a, NodeId b) {
  return node.binary(BinaryFunction::kAdd, a, b);
}
NodeId difference(NodeContext& node, NodeId a, NodeId b) {
  if (is_exactly(bounds_of(node, b), 0)) return a;
  return node.binary(BinaryFunction::kSub, a, b);
}
NodeId product(NodeContext& node, NodeId a, NodeId b) {
  return node.binary(BinaryFunction::kMul, a, b);
}
NodeId at_least(NodeContext& node, NodeId a, int64_t limit) {
  const bool holds = bounds_of(node, a).low >= static_cast<double>(limit);
  return holds ? a : node.binary(BinaryFunction::kMax, a, number(node, limit));
}
NodeId at_most(NodeContext& node, NodeId a, NodeId limit) {
  if (bounds_of(node, a).high <= bounds_of(node, limit).low) return a;
  return node.binary(BinaryFunction::kMin, a, limit);
}

// The largest size, at most `limit`.
int64_t most_of(NodeContext& node, NodeId size, int64_t limit) {
  const double high = bounds_of(node, size).high;
  return high < static_cast<double>(limit) ? std::max<int64_t>(static_cast<int64_t>(high), 1)
                                           : limit;
}

// 0, 1, ... below `size`, int32 [<=most]. A larger size is an error of the run.
NodeId first_numbers(NodeContext& node, NodeId size, int64_t most) {
  OpAttrs attrs;
  attrs.size = most;
  return node.add_named(OpKind::kIota, {size}, attrs);
}

// `numbers` as the axis `axis` of a tensor of `rank` axes.
NodeId along(NodeContext& node, NodeId numbers, size_t axis, size_t rank) {
  Dims dims(rank, 1);
  dims[axis] = node.shape_of(numbers)[0];
  return node.reshaped(numbers, dims, static_cast<int64_t>(axis));
}

NodeId size_of_axis(NodeContext& node, NodeId x, size_t axis) {
  const TensorType& type = node.graph_node(x).type;
  if (!type.is_open(axis)) return number(node, type.shape[axis]);
  const auto at = static_cast<int64_t>(axis);
  return node.sliced(node.add(OpKind::kShapeOf, {x}), 0, at, at + 1);
}

// The elements of a list of integers of input `index`, which a run computes.
std::vector<NodeId> elements_of(NodeContext& node, size_t index, const char* what) {
  const Value& value = node.input(index);
  if (value.dims.size() != 1)
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}, expected a list", index, what,
         type_text(value.type, value.dims));
  if (node.is_open(index)) node.refuse("input {} ({}) has no fixed length", index, what);
  constexpr int64_t kMaxRank = 8;
  if (value.dims[0] > kMaxRank) node.refuse("a tensor of {} axes", value.dims[0]);
  const NodeId list = node.index_operand(index);
  std::vector<NodeId> elements;
  for (int64_t i = 0; i < value.dims[0]; ++i) elements.push_back(node.sliced(list, 0, i, i + 1));
  return elements;
}

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
    fail(ErrorCode::kCorrupt, "{} starts, {} axes and {} steps", count, slice.axes.size(),
         slice.steps.size());
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
  OpAttrs attrs;
  attrs.axis = static_cast<int64_t>(axis);
  return node.add(OpKind::kGather, {x, positions}, attrs);
}

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
  OpAttrs attrs, along_list;
  along_list.axis = 0;
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

// The wanted axes of Reshape.
struct ReshapedAxis {
  NodeId size = -1;      // -1: the elements that the others leave
  int64_t most = 1;      // the size, or its bound
  bool is_open = false;  // the size is that of the run
};

// One axis for all elements of x.
NodeId as_list(NodeContext& node, NodeId x) {
  const TensorType& type = node.graph_node(x).type;
  OpAttrs attrs;
  attrs.shape = {type.num_elems()};
  if (type.shape.size() == 1) return x;
  if (!type.is_open()) return node.reshaped(x, attrs.shape);
  attrs.open_axes = {0};
  return node.add(OpKind::kReshape, {x}, attrs);
}

// The list, and an error of the run unless `size` is its length.
NodeId with_length(NodeContext& node, NodeId list, NodeId size) {
  const int64_t count = node.shape_of(list)[0];
  const bool is_open = node.graph_node(list).type.is_open();
  if (is_exactly(bounds_of(node, size), static_cast<double>(count)) && !is_open) return list;
  OpAttrs attrs;
  attrs.axis = 0;
  attrs.smallest = true;
  attrs.size = count;
  std::vector<NodeId> inputs = {first_numbers(node, size, count)};
  if (is_open) {
    attrs.size = 1;
    inputs.push_back(size_of_axis(node, list, 0));
  }
  OpAttrs along_list;
  along_list.axis = 0;
  return node.add(OpKind::kGather, {list, node.add_named(OpKind::kTopK, inputs, attrs)},
                  along_list);
}

class RunReshape {
 public:
  explicit RunReshape(NodeContext& node) : node_(node), x_(node.operand(0)) {
    const TensorType& type = node.graph_node(x_).type;
    num_elems_ = type.num_elems();
    for (size_t i = 0; i < type.shape.size(); ++i) {
      if (type.is_open(i)) sources_.push_back(source_of(node.graph(), {x_, i}));
    }
  }

  NodeId run() {
    read_axes();
    if (has_special_) resolve_special();
    // The same axis stays open.
    if (num_unknown_ == 0 && copied_.size() == 1 && sources_.size() == 1) {
      give_rest(closed_elems() / closed_);
      return reshaped(x_, copied_[0]);
    }
    if (copied_.empty() && num_unknown_ == 0) return reshaped(x_, rest_);
    NodeId others = -1;
    for (const ReshapedAxis& axis : axes_) {
      if (axis.size >= 0) others = others < 0 ? axis.size : product(node_, others, axis.size);
    }
    const NodeId total = size_of_axis(node_, as_list(node_, x_), 0);
    if (rest_ >= 0) {
      ReshapedAxis& rest = axes_[static_cast<size_t>(rest_)];
      // Of no elements at all there is no rest.
      rest.size = node_.binary(BinaryFunction::kDiv, total, at_least(node_, others, 1));
      rest.is_open = true;
      others = product(node_, others, rest.size);
    }
    const NodeId list = with_length(node_, as_list(node_, x_), others);
    const auto open = std::ranges::find_if(axes_, &ReshapedAxis::is_open);
    const auto is_only = std::ranges::count_if(axes_, &ReshapedAxis::is_open) == 1;
    if (is_only) return reshaped(list, open - axes_.begin());
    return on_grid(list);
  }

 private:
  int64_t closed_elems() const {
    const TensorType& type = node_.graph_node(x_).type;
    int64_t count = 1;
    for (size_t i = 0; i < type.shape.size(); ++i) count *= type.is_open(i) ? 1 : type.shape[i];
    return count;
  }

  void read_axes() {
    const std::vector<NodeId> elements = elements_of(node_, 1, "shape");
    copies_ = node_.version() < 14 || !node_.flag("allowzero", false);
    for (size_t i = 0; i < elements.size(); ++i) {
      const Bounds bounds = bounds_of(node_, elements[i]);
      if (is_exactly(bounds, -1)) {
        if (rest_ >= 0) fail(ErrorCode::kCorrupt, "the shape has more than one -1");
        rest_ = static_cast<int64_t>(i);
        axes_.push_back({});
      } else if (is_exactly(bounds, 0) && copies_) {
        add_copied(i);
      } else if (bounds.is_exact()) {
        add_closed(static_cast<int64_t>(bounds.low));
      } else {
        add_in_run(elements[i], i);
      }
    }
    for (ReshapedAxis& axis : axes_) {
      if (axis.is_open || axis.size < 0)
        axis.most = std::min(axis.most, std::max<int64_t>(num_elems_ / closed_, 1));
    }
    if (rest_ >= 0)
      axes_[static_cast<size_t>(rest_)].most = std::max<int64_t>(num_elems_ / closed_, 1);
  }

  void add_closed(int64_t size) {
    if (size < 1 || size > kMaxResultElems || closed_ > kMaxResultElems / size)
      fail(ErrorCode::kCorrupt, "the shape has an axis of {}", size);
    axes_.push_back({number(node_, size), size});
    closed_ *= size;
  }

  // Axis `axis` of x.
  void add_copied(size_t axis) {
    const TensorType& type = node_.graph_node(x_).type;
    if (axis >= node_.input(0).dims.size())
      fail(ErrorCode::kCorrupt, "the shape copies axis {} of {}", axis, to_string(type));
    if (!type.is_open(axis)) return add_closed(type.shape[axis]);
    add_in_run(size_of_axis(node_, x_, axis), axis);
  }

  // A size of the run that may be 0, which copies the axis of x, or -1, the rest.
  NodeId without_zero(size_t axis, NodeId size) {
    const bool is_axis = axis < node_.graph_node(x_).type.shape.size();
    if (!copies_ || !is_axis || bounds_of(node_, size).low > 0) return size;
    const NodeId is_zero = node_.binary(BinaryFunction::kEqual, size, number(node_, 0));
    return node_.add(OpKind::kWhere, {is_zero, size_of_axis(node_, x_, axis), size});
  }

  void resolve_special() {
    NodeId others = number(node_, 1);
    for (ReshapedAxis& axis : axes_) {
      if (axis.size >= 0) others = product(node_, others, at_least(node_, axis.size, 1));
    }
    const NodeId total = size_of_axis(node_, as_list(node_, x_), 0);
    const NodeId rest = node_.binary(BinaryFunction::kDiv, total, others);
    for (ReshapedAxis& axis : axes_) {
      if (axis.size < 0 || bounds_of(node_, axis.size).low >= 0) continue;
      const NodeId is_rest = node_.binary(BinaryFunction::kEqual, axis.size, number(node_, -1));
      axis.size = node_.add(OpKind::kWhere, {is_rest, rest, axis.size});
    }
  }

  void add_in_run(NodeId size, size_t axis_of_x) {
    const auto source = source_of_size(node_.graph(), size);
    const auto index = static_cast<int64_t>(axes_.size());
    if (source && std::ranges::find(sources_, *source) != sources_.end()) {
      copied_.push_back(index);
    } else {
      ++num_unknown_;
      size = without_zero(axis_of_x, size);
      has_special_ = has_special_ || bounds_of(node_, size).low < 0;
    }
    axes_.push_back({size, most_of(node_, size, kMaxResultElems), true});
  }

  void give_rest(int64_t size) {
    if (rest_ >= 0) axes_[static_cast<size_t>(rest_)].most = size;
  }

  NodeId reshaped(NodeId from, int64_t open) {
    OpAttrs attrs;
    for (const ReshapedAxis& axis : axes_) attrs.shape.push_back(axis.most);
    if (node_.graph_node(from).type.is_open()) {
      int64_t others = 1;
      for (size_t i = 0; i < attrs.shape.size(); ++i)
        others *= static_cast<int64_t>(i) == open ? 1 : attrs.shape[i];
      attrs.shape[static_cast<size_t>(open)] = node_.graph_node(from).type.num_elems() / others;
      attrs.open_axes = {open};
    }
    return node_.add(OpKind::kReshape, {from}, attrs);
  }

  // Several axes of the run: each element by its position in the list.
  NodeId on_grid(NodeId list) {
    NodeId grid = -1, stride = number(node_, 1);
    for (size_t i = axes_.size(); i-- > 0;) {
      const NodeId numbers =
          along(node_, first_numbers(node_, axes_[i].size, axes_[i].most), i, axes_.size());
      const NodeId term = product(node_, numbers, stride);
      grid = grid < 0 ? term : sum(node_, term, grid);
      stride = product(node_, stride, axes_[i].size);
    }
    OpAttrs attrs;
    attrs.axis = 0;
    return node_.add(OpKind::kGather, {list, grid}, attrs);
  }

  NodeContext& node_;
  const NodeId x_;
  int64_t num_elems_ = 0;          // of x, or its bound
  std::vector<OpenAxis> sources_;  // of the open axes of x
  std::vector<ReshapedAxis> axes_;
  std::vector<int64_t> copied_;     // axes with the size of an open axis of x
  int64_t closed_ = 1, rest_ = -1;  // the product of the closed axes; the axis of -1
  size_t num_unknown_ = 0;
  bool copies_ = true, has_special_ = false;  // 0 copies an axis; a size may be -1
};

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
    fail(ErrorCode::kCorrupt, "{} starts and {} ends", starts.size(), ends.size());
  const SliceAxes slice = slice_axes(node, starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    x = sliced_in_run(node, x, static_cast<size_t>(slice.axes[i]), starts[i], ends[i],
                      slice.steps[i]);
  }
  node.set_result(x, node.input(0).type);
}

void expand_in_run(NodeContext& node) {
  const NodeId x = node.operand(0);
  node.set_result(expanded_to(node, x, node.input(0).dims, elements_of(node, 1, "shape")),
                  node.input(0).type);
}

void reshape_in_run(NodeContext& node) {
  const NodeId result = RunReshape(node).run();
  node.set_result(result, node.input(0).type);
}

// Of one value; other shapes are constants (fold_sources.cc).
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
