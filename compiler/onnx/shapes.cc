// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/shapes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/errors/counted.h"

namespace vta::onnx {
namespace {

constexpr int64_t kMaxDim = std::numeric_limits<int32_t>::max();

std::string text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

// `axes` counted from the front; checks for duplicates.
std::set<int64_t> axis_set(const NodeContext& node, const Dims& axes, int64_t rank) {
  std::set<int64_t> result;
  for (int64_t axis : axes) {
    if (!result.insert(node.axis(axis, rank)).second) {
      fail(ErrorCode::kCorrupt, "axes {} have a duplicate", text(axes));
    }
  }
  return result;
}

void expect_elems(const Dims& from, const Dims& to) {
  if (num_elems(from) != num_elems(to)) {
    fail(ErrorCode::kCorrupt, "shape {} cannot become {}", text(from), text(to));
  }
}

// Whether a squeeze takes each axis away.
std::vector<bool> squeezed_axes(NodeContext& node) {
  const Dims& from = node.input(0).dims;
  const std::optional<Dims> axes = node.integer_list("axes", 1);
  const std::set<int64_t> wanted = axis_set(node, axes.value_or(Dims{}), node.rank(0));
  std::vector<bool> goes;
  for (size_t i = 0; i < from.size(); ++i)
    goes.push_back(axes ? wanted.count(static_cast<int64_t>(i)) != 0 : from[i] == 1);
  return goes;
}

// Whether an unsqueeze adds each axis of its result.
std::vector<bool> added_axes(NodeContext& node) {
  const std::optional<Dims> axes = node.integer_list("axes", 1);
  if (!axes) fail(ErrorCode::kCorrupt, "axes are missing");
  const auto rank = static_cast<int64_t>(node.input(0).dims.size() + axes->size());
  const std::set<int64_t> wanted = axis_set(node, *axes, rank);
  std::vector<bool> added;
  for (int64_t i = 0; i < rank; ++i) added.push_back(wanted.count(i) != 0);
  return added;
}

}  // namespace

Dims reshape_dims(NodeContext& node) {
  const Dims& from = node.input(0).dims;
  const bool allow_zero = node.version() >= 14 && node.flag("allowzero", false);
  Dims to = node.integer_list("shape", 1).value_or(Dims{});
  int64_t known = 1;
  std::optional<size_t> open;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && !allow_zero) {
      if (i >= from.size()) {
        fail(ErrorCode::kCorrupt, "shape {} copies axis {}, which {} does not have", text(to), i,
             text(from));
      }
      to[i] = from[i];
    }
    if (to[i] == -1) {
      if (open) fail(ErrorCode::kCorrupt, "shape {} has more than one -1", text(to));
      open = i;
      continue;
    }
    if (to[i] < 0 || to[i] > kMaxDim || (to[i] != 0 && known > kMaxDim / to[i])) {
      fail(ErrorCode::kCorrupt, "shape {} is not the shape of a tensor", text(to));
    }
    known *= to[i];
  }
  if (open) to[*open] = known == 0 ? 0 : num_elems(from) / known;
  expect_elems(from, to);
  return to;
}

// The open axis that a 0 copies, or the axis of -1, which gets all elements that the others leave.
int64_t open_axis_of_reshape(NodeContext& node) {
  const Dims to = node.integer_list("shape", 1).value_or(Dims{});
  const bool copies = node.version() < 14 || !node.flag("allowzero", false);
  std::optional<int64_t> open;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] != 0 || !copies || !node.is_open(0, i)) continue;
    if (open) node.refuse("shape {} copies two open axes", text(to));
    open = static_cast<int64_t>(i);
  }
  const auto rest = std::ranges::find(to, -1);
  if (!open && rest == to.end())
    node.refuse("shape {} has no axis for the elements of an open axis: -1, or 0", text(to));
  return open.value_or(rest - to.begin());
}

Dims flatten_dims(NodeContext& node) {
  const Dims& from = node.input(0).dims;
  const auto split = from.begin() + node.axis(node.integer("axis", 1), node.rank(0), true);
  return {std::accumulate(from.begin(), split, int64_t{1}, std::multiplies<>()),
          std::accumulate(split, from.end(), int64_t{1}, std::multiplies<>())};
}

Dims squeeze_dims(NodeContext& node) {
  const Dims& from = node.input(0).dims;
  const std::vector<bool> goes = squeezed_axes(node);
  Dims to;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!goes[i]) {
      to.push_back(from[i]);
    } else if (node.is_open(0, i)) {
      node.refuse("axis {} is open: it may have no element", i);
    } else if (from[i] != 1) {
      fail(ErrorCode::kCorrupt, "axis {} of {} has more than one element", i, text(from));
    }
  }
  return to;
}

int64_t open_axis_of_squeeze(NodeContext& node) {
  const std::vector<bool> goes = squeezed_axes(node);
  const auto open = static_cast<ptrdiff_t>(node.first_open_axis(0));
  return std::count(goes.begin(), goes.begin() + open, false);
}

Dims unsqueeze_dims(NodeContext& node) {
  Dims to;
  auto next = node.input(0).dims.begin();
  for (const bool is_added : added_axes(node)) to.push_back(is_added ? 1 : *next++);
  return to;
}

int64_t open_axis_of_unsqueeze(NodeContext& node) {
  const std::vector<bool> added = added_axes(node);
  size_t axis = 0;
  for (size_t before = node.first_open_axis(0);; ++axis) {
    if (!added[axis] && before-- == 0) return static_cast<int64_t>(axis);
  }
}

Dims transpose_perm(NodeContext& node) {
  const auto rank = static_cast<size_t>(node.rank(0));
  Dims perm(rank);
  std::iota(perm.rbegin(), perm.rend(), 0);
  const std::optional<Dims> given = node.integers("perm");
  if (!given) return perm;
  for (int64_t axis : *given) node.axis(axis, node.rank(0));
  Dims from_front;
  for (int64_t axis : *given) from_front.push_back(node.axis(axis, node.rank(0)));
  if (!std::is_permutation(perm.begin(), perm.end(), from_front.begin(), from_front.end())) {
    fail(ErrorCode::kCorrupt, "perm {} is not a permutation of {}", text(*given),
         counted(rank, "axis"));
  }
  return from_front;
}

int64_t concat_axis(NodeContext& node) {
  if (node.num_inputs() == 0) fail(ErrorCode::kCorrupt, "it has no inputs");
  if (!node.has_attr("axis")) fail(ErrorCode::kCorrupt, "attribute 'axis' is missing");
  const int64_t axis = node.axis(node.integer("axis", 0), node.rank(0));
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    Dims dims = node.input(i).dims;
    const bool same_rank = dims.size() == node.input(0).dims.size();
    if (same_rank) dims[static_cast<size_t>(axis)] = node.input(0).dims[static_cast<size_t>(axis)];
    if (dims != node.input(0).dims || node.input(i).type != node.input(0).type) {
      fail(ErrorCode::kCorrupt, "input {} is {}, which does not match {} along axis {}", i,
           type_text(node.input(i).type, node.input(i).dims),
           type_text(node.input(0).type, node.input(0).dims), axis);
    }
  }
  return axis;
}

int64_t SliceRange::count() const {
  if (step > 0) return begin < end ? (end - begin - 1) / step + 1 : 0;
  return begin > end ? (begin - end - 1) / -step + 1 : 0;
}

namespace {

SliceRange clamped(int64_t start, int64_t end, int64_t step, int64_t size) {
  if (step == 0) fail(ErrorCode::kCorrupt, "a step is 0");
  // Clamped to the largest size of an axis, so that sums do not overflow.
  step = std::clamp(step, -kMaxDim, kMaxDim);
  const auto from_front = [size](int64_t position) {
    return position < 0 ? std::max<int64_t>(position, -kMaxDim - 1) + size : position;
  };
  SliceRange range;
  range.step = step;
  if (step > 0) {
    range.begin = std::clamp<int64_t>(from_front(start), 0, size);
    range.end = std::clamp<int64_t>(from_front(end), 0, size);
  } else {
    range.begin = std::clamp<int64_t>(from_front(start), size == 0 ? -1 : 0, size - 1);
    range.end = std::clamp<int64_t>(from_front(end), -1, size - 1);
  }
  return range;
}

}  // namespace

std::vector<SliceRange> slice_ranges(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  const std::optional<Dims> starts = node.integer_list("starts", 1);
  const std::optional<Dims> ends = node.integer_list("ends", 2);
  if (!starts || !ends) fail(ErrorCode::kCorrupt, "starts or ends are missing");
  Dims all(starts->size());
  std::iota(all.begin(), all.end(), 0);
  const Dims axes = node.integer_list("axes", 3).value_or(all);
  Dims steps(starts->size(), 1);
  if (node.lists_as_inputs()) steps = node.integer_list("steps", 4).value_or(steps);
  if (ends->size() != starts->size() || axes.size() != starts->size() ||
      steps.size() != starts->size()) {
    fail(ErrorCode::kCorrupt, "{}, {}, {} and {}", counted(starts->size(), "start"),
         counted(ends->size(), "end"), counted(axes.size(), "axis"), counted(steps.size(), "step"));
  }
  axis_set(node, axes, node.rank(0));
  std::vector<SliceRange> ranges;
  for (int64_t dim : dims) ranges.push_back({0, dim, 1});
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(node.axis(axes[i], node.rank(0)));
    if (node.is_open(0, axis) && ((*starts)[i] < 0 || (*ends)[i] < 0 || steps[i] < 0))
      node.refuse("axis {} is open: bounds from its end, and negative steps, have no fixed place",
                  axis);
    ranges[axis] = clamped((*starts)[i], (*ends)[i], steps[i], dims[axis]);
  }
  return ranges;
}

SplitParts split_parts(NodeContext& node) {
  SplitParts parts;
  parts.axis = node.axis(node.integer("axis", 0), node.rank(0));
  const int64_t size = node.input(0).dims[static_cast<size_t>(parts.axis)];
  const auto num_outputs = static_cast<int64_t>(node.def().outputs.size());
  const bool has_count = node.version() >= 18 && node.has_attr("num_outputs");
  const std::optional<Dims> given = node.integer_list("split", 1);
  if (num_outputs == 0) fail(ErrorCode::kCorrupt, "it has no outputs");
  if (given) {
    parts.sizes = *given;
  } else {
    if (has_count && node.integer("num_outputs", 0) != num_outputs) {
      fail(ErrorCode::kCorrupt, "num_outputs is {}, the node has {}",
           node.integer("num_outputs", 0), counted(num_outputs, "output"));
    }
    if (!has_count && size % num_outputs != 0) {
      fail(ErrorCode::kCorrupt, "{} cannot be split into {}", counted(size, "element"),
           counted(num_outputs, "equal part"));
    }
    const int64_t part = (size + num_outputs - 1) / num_outputs;
    for (int64_t i = 0; i < num_outputs; ++i) {
      parts.sizes.push_back(std::clamp<int64_t>(size - i * part, 0, part));
    }
  }
  int64_t sum = 0;
  for (int64_t part : parts.sizes) {
    if (part < 0 || part > size - sum) {
      fail(ErrorCode::kCorrupt, "the sum of parts {} is not {}", text(parts.sizes), size);
    }
    sum += part;
  }
  if (sum != size || static_cast<int64_t>(parts.sizes.size()) != num_outputs) {
    fail(ErrorCode::kCorrupt, "parts {} of {} do not match {}", text(parts.sizes),
         counted(size, "element"), counted(num_outputs, "output"));
  }
  return parts;
}

graph::NodeId concatenated(NodeContext& node, std::vector<graph::NodeId> parts, int64_t axis) {
  constexpr size_t kMaxOperands = 128;
  const Attrs<OpKind::kConcat> attrs(attr::axis{axis});
  while (parts.size() > 1) {
    std::vector<graph::NodeId> next;
    for (size_t i = 0; i < parts.size(); i += kMaxOperands) {
      const auto first = parts.begin() + static_cast<std::ptrdiff_t>(i);
      const auto count = std::min(kMaxOperands, parts.size() - i);
      const std::vector<graph::NodeId> some(first, first + static_cast<std::ptrdiff_t>(count));
      next.push_back(count == 1 ? some[0] : node.add(OpKind::kConcat, some, attrs));
    }
    parts = std::move(next);
  }
  return parts[0];
}

graph::NodeId expanded(NodeContext& node, graph::NodeId x, const Dims& to) {
  const Dims shape = to.empty() ? Dims{1} : to;
  Dims from = node.shape_of(x);
  from.insert(from.begin(), shape.size() - std::min(shape.size(), from.size()), 1);
  x = node.reshaped(x, from);
  Attrs<OpKind::kTile> attrs;
  for (size_t i = 0; i < shape.size(); ++i) attrs.repeats.push_back(shape[i] / from[i]);
  const bool is_same = node.shape_of(x) == shape;
  return is_same ? x : node.add(OpKind::kTile, {x}, attrs);
}

Dims broadcast_dims(const Dims& a, const Dims& b) {
  Dims result(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t of_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t of_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1) {
      fail(ErrorCode::kCorrupt, "shapes {} and {} do not broadcast", text(a), text(b));
    }
    result[result.size() - 1 - i] = of_a == 1 ? of_b : of_a;
  }
  return result;
}

}  // namespace vta::onnx
