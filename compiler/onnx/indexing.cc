// SPDX-License-Identifier: Apache-2.0
//
// Operators that find or repeat elements: by indices, masks and broadcasting.
#include <algorithm>

#include "base/errors/counted.h"
#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/run_sizes.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// `indices` as first, first + step, ..., with all positions on an axis of `size` elements.
std::optional<SliceRange> progression(const Array& indices, int64_t size) {
  const auto position = [&](size_t i) {
    const int64_t index = indices.ints[i];
    if (index < -size || index >= size)
      fail(ErrorCode::kCorrupt, "index {} is outside an axis of {}", index,
           counted(size, "element"));
    return index < 0 ? index + size : index;
  };
  if (indices.ints.empty()) return std::nullopt;
  const int64_t first = position(0);
  const int64_t step = indices.ints.size() > 1 ? position(1) - first : 1;
  for (size_t i = 1; i < indices.ints.size(); ++i) {
    if (position(i) != first + static_cast<int64_t>(i) * step) return std::nullopt;
  }
  if (step == 0) return std::nullopt;
  const int64_t last = first + static_cast<int64_t>(indices.ints.size() - 1) * step;
  return SliceRange{first, last + (step > 0 ? 1 : -1), step};
}

Attrs<OpKind::kGather> along_axis(NodeContext& node, int64_t fallback) {
  return Attrs<OpKind::kGather>(
      attr::axis{node.axis(node.integer("axis", fallback), node.rank(0))});
}

Reduction scatter_reduction(NodeContext& node) {
  const std::string name = node.version() >= 16 ? node.text("reduction", "none") : "none";
  if (name == "none") return Reduction::kLast;
  if (name == "add") return Reduction::kSum;
  if (name == "mul") return Reduction::kProduct;
  if (node.version() >= 18 && name == "min") return Reduction::kMin;
  if (node.version() >= 18 && name == "max") return Reduction::kMax;
  fail(ErrorCode::kCorrupt, "attribute 'reduction' is '{}'", printable(name));
}

void scatter(NodeContext& node, OpKind kind, OpAttrs attrs) {
  const ElementType type = node.input(0).type;
  if (node.input(2).type != type) {
    fail(ErrorCode::kCorrupt, "updates of type {} for {}", to_string(node.input(2).type),
         to_string(type));
  }
  attrs.reduction = scatter_reduction(node);
  NodeId result = node.add(
      kind, {node.number_operand(0), node.index_operand(1), node.number_operand(2)}, attrs);
  if (attrs.reduction != Reduction::kLast && !is_floating(type))
    result = node.as_integer(result, type);
  node.set_result(result, type, node.input(0).dims);
}

// The elements of a list of constant integers.
const Dims& integer_list(NodeContext& node, size_t index, const char* what) {
  const Array& array = node.constant(index, what);
  if (array.is_float() || array.dims.size() > 1)
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}", index, what, to_string(array));
  return array.ints;
}

void need_elements(NodeContext& node, const Dims& dims) {
  if (num_elems(dims) == 0)
    node.refuse("the result has shape [{}]; empty tensors are not supported",
                fmt::join(dims, ", "));
}

}  // namespace

// Constant indices in equal steps become a slice.
void gather(NodeContext& node) {
  const Attrs<OpKind::kGather> attrs = along_axis(node, 0);
  const auto axis = static_cast<size_t>(attrs.axis);
  Dims dims = node.input(0).dims;
  const int64_t size = dims[axis];
  const Dims& of_indices = node.input(1).dims;
  dims.erase(dims.begin() + attrs.axis);
  dims.insert(dims.begin() + attrs.axis, of_indices.begin(), of_indices.end());
  need_elements(node, dims);
  const NodeId x = node.operand(0);
  const NodeId indices = node.index_operand(1);
  const auto range =
      node.is_known(1) && !node.is_open(0, axis)  // an index counts from the size of the run
          ? progression(node.constant(1, "indices"), size)
          : std::nullopt;
  const NodeId result = range ? node.sliced(x, axis, range->begin, range->end, range->step)
                              : node.add(OpKind::kGather, {x, indices}, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

void gather_elements(NodeContext& node) {
  const Attrs<OpKind::kGather> attrs = along_axis(node, 0);
  const NodeId result =
      node.add(OpKind::kGatherElements, {node.operand(0), node.index_operand(1)}, attrs);
  node.set_result(result, node.input(0).type);
}

void gather_nd(NodeContext& node) {
  Attrs<OpKind::kGatherNd> attrs;
  if (node.version() >= 12) attrs.batch_axes = node.integer("batch_dims", 0);
  const NodeId result =
      node.add(OpKind::kGatherNd, {node.operand(0), node.index_operand(1)}, attrs);
  const bool is_scalar = node.rank(1) == 1 && node.input(1).dims[0] == node.rank(0);
  node.set_result(result, node.input(0).type, is_scalar ? Dims{} : node.shape_of(result));
}

void scatter_elements(NodeContext& node) {
  scatter(node, OpKind::kScatterElements, along_axis(node, 0));
}
void scatter_nd(NodeContext& node) { scatter(node, OpKind::kScatterNd, {}); }

void expand(NodeContext& node) {
  if (!node.has_value(1)) return expand_in_run(node);
  const Dims to = broadcast_dims(node.input(0).dims, integer_list(node, 1, "shape"));
  need_elements(node, to);
  node.set_result(expanded(node, node.operand(0), to), node.input(0).type, to);
}

void tile(NodeContext& node) {
  Attrs<OpKind::kTile> attrs(attr::repeats{integer_list(node, 1, "repeats")});
  const Dims& from = node.input(0).dims;
  if (attrs.repeats.size() != from.size()) {
    fail(ErrorCode::kCorrupt, "{} repeats for {}", attrs.repeats.size(),
         counted(from.size(), "axis"));
  }
  if (from.empty() ||
      std::all_of(attrs.repeats.begin(), attrs.repeats.end(), [](int64_t n) { return n == 1; })) {
    return node.set_same(node.shared_input(0));
  }
  node.set_result(node.add(OpKind::kTile, {node.operand(0)}, attrs), node.input(0).type);
}

// The upper or lower triangle of the last two axes, from diagonal k on.
void trilu(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  if (dims.size() < 2) fail(ErrorCode::kCorrupt, "input 0 has {}", counted(dims.size(), "axis"));
  const bool upper = node.flag("upper", true);
  int64_t k = 0;
  if (node.has_input(1)) {
    const Array& diagonal = node.constant(1, "k");
    if (diagonal.is_float() || diagonal.size() != 1)
      fail(ErrorCode::kCorrupt, "k is {}", to_string(diagonal));
    constexpr int64_t kFar = int64_t{1} << 31;
    k = std::clamp(diagonal.ints[0], -kFar, kFar);
  }
  const NodeId x = node.number_operand(0);
  const int64_t rows = dims[dims.size() - 2], columns = dims.back();
  Tensor mask = new_constant({rows, columns});
  const auto values = mask.mutable_data<float>();
  for (int64_t i = 0; i < rows * columns; ++i) {
    const int64_t offset = i % columns - i / columns;
    values[static_cast<size_t>(i)] = (upper ? offset >= k : offset <= k) ? 1.0f : 0.0f;
  }
  const NodeId zero = node.add_scalar(0, node.dtype_of(x));
  node.set_result(node.add(OpKind::kWhere, {node.add_constant(mask), x, zero}), node.input(0).type);
}

void one_hot(NodeContext& node) {
  const Array& depth = node.constant(1, "depth");
  if (depth.size() != 1) fail(ErrorCode::kCorrupt, "depth is {}", to_string(depth));
  const double size = depth.at(0);
  constexpr double kMaxDepth = 1 << 20;
  if (!(size >= 1 && size <= kMaxDepth))
    node.refuse("depth {} is outside 1 to {}", size, kMaxDepth);
  if (num_elems(node.input(2).dims) != 2)
    fail(ErrorCode::kCorrupt, "values have {}, expected 2",
         counted(num_elems(node.input(2).dims), "element"));
  const auto count = static_cast<int64_t>(size);
  const int64_t axis = node.axis(node.integer("axis", -1), node.rank(0) + 1);
  NodeId indices = node.number_operand(0);
  if (node.dtype_of(indices) != DType::kInt32) indices = node.cast(indices, Format::kInt32);
  // Negative indices count from the end.
  const NodeId is_negative =
      node.binary(BinaryFunction::kLess, indices, node.add_scalar(0, DType::kInt32));
  const NodeId moved = node.binary(BinaryFunction::kAdd, indices,
                                   node.add_scalar(static_cast<double>(count), DType::kInt32));
  indices = node.add(OpKind::kWhere, {is_negative, moved, indices});
  Dims dims = node.input(0).dims;
  dims.insert(dims.begin() + axis, 1);
  const NodeId is_one = node.binary(BinaryFunction::kEqual, node.reshaped(indices, dims),
                                    node.add_positions(dims.size(), axis, count));
  const NodeId values = node.number_operand(2);
  const NodeId off = node.sliced(values, 0, 0, 1), on = node.sliced(values, 0, 1, 2);
  node.set_result(node.add(OpKind::kWhere, {is_one, on, off}), node.input(2).type);
}

void eye_like(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  if (dims.size() != 2)
    fail(ErrorCode::kCorrupt, "input 0 has {}, expected 2", counted(dims.size(), "axis"));
  const int64_t k = node.integer("k", 0);
  const auto type =
      static_cast<ElementType>(node.integer("dtype", static_cast<int64_t>(node.input(0).type)));
  if (!is_readable(type)) node.refuse("of type {} is not supported", to_string(type));
  Array result;
  result.type = type;
  result.dims = dims;
  constexpr int64_t kMaxElems = 1 << 22;
  if (num_elems(dims) > kMaxElems) node.refuse("a result of more than {} elements", kMaxElems);
  for (int64_t i = 0; i < num_elems(dims); ++i) {
    const int64_t value = i % dims[1] - i / dims[1] == k ? 1 : 0;
    is_floating(type) ? result.floats.push_back(static_cast<float>(value))
                      : result.ints.push_back(value);
  }
  node.set_constant(std::move(result));
}

}  // namespace vta::onnx
