// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_builder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/value.h"

namespace vta::onnx {

using graph::NodeId;

namespace {

std::string layer_name(const NodeDef& node) {
  if (!node.name.empty()) return node.name;
  for (const std::string& output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.op;
}

}  // namespace

NodeBuilder::NodeBuilder(const NodeDef& node, GraphWriter& writer)
    : writer_(writer), layer_(layer_name(node)), op_(node.op) {}

NodeId NodeBuilder::add(OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs) {
  return writer_.add(kind, layer_, std::move(inputs), std::move(attrs));
}

NodeId NodeBuilder::add_named(OpKind kind, std::vector<NodeId> inputs, OpAttrs attrs) {
  return writer_.add(kind, layer_ + "." + op_, std::move(inputs), std::move(attrs));
}

NodeId NodeBuilder::add_constant(Tensor value) {
  return writer_.add_constant(layer_ + ".constant", std::move(value));
}

NodeId NodeBuilder::add_scalar(double value, DType type) {
  if (type == DType::kInt32) {
    const auto low = static_cast<double>(lowest(ElementType::kInt32));
    const auto high = static_cast<double>(highest(ElementType::kInt32));
    if (!(value >= low && value <= high))
      fail(ErrorCode::kUnsupported, "constant {} is outside int32", value);
    return add_indices({1}, {static_cast<int64_t>(value)});
  }
  return add_constant(Tensor({1}, std::vector<float>{static_cast<float>(value)}));
}

NodeId NodeBuilder::add_unbounded(float value) {
  return add_masking_constant(Tensor({1}, std::vector<float>{value}));
}

NodeId NodeBuilder::add_masking_constant(const Tensor& value) {
  return writer_.add_constant(layer_ + ".constant", value, true);
}

NodeId NodeBuilder::add_indices(const Dims& dims, const std::vector<int64_t>& values) {
  return add_constant(int32_tensor(onnx::integers(dims, values)));
}

NodeId NodeBuilder::add_positions(size_t rank, int64_t axis, int64_t count) {
  Dims dims(rank, 1);
  dims[static_cast<size_t>(axis)] = count;
  Tensor positions = new_constant(dims, DType::kInt32);
  const auto numbers = positions.mutable_data<int32_t>();
  std::iota(numbers.begin(), numbers.end(), 0);
  return add_constant(std::move(positions));
}

NodeId NodeBuilder::unary(UnaryFunction function, NodeId x) {
  return add(OpKind::kUnary, {x}, Attrs<OpKind::kUnary>(attr::function{function}));
}

NodeId NodeBuilder::binary(BinaryFunction function, NodeId a, NodeId b) {
  return add(OpKind::kBinary, {a, b}, Attrs<OpKind::kBinary>(attr::operation{function}));
}

NodeId NodeBuilder::cast(NodeId x, Format format) {
  const Attrs<OpKind::kCast> attrs(attr::format{format});
  // A tensor of this format already.
  if (dtype_of(x) == DType::kInt32 && format == Format::kInt32) return x;
  return add(OpKind::kCast, {x}, attrs);
}

NodeId NodeBuilder::reduce(Reduction reduction, NodeId x, const Dims& axes) {
  const Attrs<OpKind::kReduce> attrs(attr::reduction{reduction}, attr::axes{axes});
  return add(OpKind::kReduce, {x}, attrs);
}

namespace {

int64_t product(const Dims& dims, size_t end) {
  int64_t result = 1;
  for (size_t i = 0; i < end; ++i) result *= dims[i];
  return result;
}

// The axis of `to` that holds the elements of the first open axis of `from`, in row-major order.
// Among axes of size 1 that is the same position, if possible.
int64_t axis_with_open_elements(const TensorType& from, const Dims& to) {
  const size_t open = from.first_open_axis();
  const int64_t begin = product(from.shape, open), end = product(from.shape, open + 1);
  const auto holds = [&](size_t axis) {
    return product(to, axis) <= begin && product(to, axis + 1) >= end;
  };
  if (open < to.size() && holds(open)) return static_cast<int64_t>(open);
  for (size_t axis = 0; axis < to.size(); ++axis) {
    if (holds(axis)) return static_cast<int64_t>(axis);
  }
  fail(ErrorCode::kUnsupported,
       "{} cannot become [{}]: the elements of its open axis are on several", to_string(from),
       fmt::join(to, ", "));
}

}  // namespace

NodeId NodeBuilder::reshaped(NodeId node, const Dims& dims, std::optional<int64_t> open_axis) {
  const Dims& from = shape_of(node);
  const Dims to = dims.empty() ? Dims{1} : dims;
  const TensorType& type = writer_.node(node).type;
  if (type.is_open()) {
    if (std::popcount(type.open_axes) > 1)
      fail(ErrorCode::kUnsupported, "{} has several open axes: no reshape keeps both",
           to_string(type));
    Attrs<OpKind::kReshape> attrs(
        attr::shape{to},
        attr::open_axes{{open_axis ? *open_axis : axis_with_open_elements(type, to)}});
    const bool is_same = from == to && type.open_axes == 1 << attrs.open_axes[0];
    return is_same ? node : add(OpKind::kReshape, {node}, attrs);
  }
  if (from == to) return node;
  // Cancels a reshape: consecutive layers of one spatial axis stay images.
  const graph::Node& before = writer_.node(node);
  if ((before.kind == OpKind::kReshape || before.kind == OpKind::kFlatten) &&
      shape_of(before.inputs[0]) == to) {
    return before.inputs[0];
  }
  // To rows of features: flatten, which the quantizer and the core support.
  const bool flattens = to.size() == 2 && from.size() > 2 && from[0] == to[0];
  if (flattens) return add(OpKind::kFlatten, {node});
  return add(OpKind::kReshape, {node}, Attrs<OpKind::kReshape>(attr::shape{to}));
}

NodeId NodeBuilder::sliced(NodeId node, size_t axis, int64_t begin, int64_t end, int64_t step) {
  const Dims& dims = shape_of(node);
  if (begin == 0 && step == 1 && end == dims[axis]) return node;
  Attrs<OpKind::kStridedSlice> attrs;
  attrs.begin.assign(dims.size(), 0);
  attrs.end = dims;
  attrs.step.assign(dims.size(), 1);
  attrs.open_axes = writer_.node(node).type.open_axis_list();
  attrs.begin[axis] = begin;
  attrs.end[axis] = end;
  attrs.step[axis] = step;
  return add(OpKind::kStridedSlice, {node}, attrs);
}

NodeId NodeBuilder::transposed(NodeId node, const Dims& perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return node;
  return add(OpKind::kTranspose, {node}, Attrs<OpKind::kTranspose>(attr::perm{perm}));
}

bool NodeBuilder::is_constant(NodeId node) const { return writer_.is_constant(node); }

}  // namespace vta::onnx
