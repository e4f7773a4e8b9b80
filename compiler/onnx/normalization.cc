// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/onnx/fold.h"

namespace vta::onnx {

using graph::NodeId;

namespace {

bool is_dense(const NodeContext& node, NodeId x) {
  const graph::Node& layer = node.graph_node(x);
  if (layer.kind != OpKind::kAdd) return layer.kind == OpKind::kDense;
  // merge_bias() merges its bias at the end of the import.
  return std::any_of(layer.inputs.begin(), layer.inputs.end(),
                     [&](NodeId input) { return node.graph_node(input).kind == OpKind::kDense; });
}

// Reshapes to an image, so that the batch norm folds into the convolution before it or becomes one.
// Rows after a dense layer stay rows; the batch norm folds into the dense layer.
Dims normalized_dims(const NodeContext& node, NodeId x, const Dims& dims) {
  if (dims.size() == 3) return {dims[0], dims[1], 1, dims[2]};
  if (dims.size() == 2 && !is_dense(node, x)) return {dims[0], dims[1], 1, 1};
  return dims;
}

// (x - mean) / sqrt(variance + epsilon), over `axes`.
struct Standardized {
  NodeId result, mean, deviation;  // deviation: the square root
};

Standardized standardized(NodeContext& node, NodeId x, const Dims& axes, double epsilon) {
  const Attrs<OpKind::kReduceMean> over(attr::axes{axes});
  const auto mean_of = [&](NodeId of) { return node.add(OpKind::kReduceMean, {of}, over); };
  const NodeId mean = mean_of(x);
  const NodeId centred = node.add(OpKind::kSub, {x, mean});
  const NodeId variance = mean_of(node.add(OpKind::kMul, {centred, centred}));
  const NodeId sum = node.add(OpKind::kAdd, {variance, node.add_scalar(epsilon)});
  const NodeId deviation = node.add(OpKind::kSqrt, {sum});
  return {node.add(OpKind::kDiv, {centred, deviation}), mean, deviation};
}

Dims axes_from(int64_t first, int64_t rank) {
  Dims axes;
  for (int64_t axis = first; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

}  // namespace

void batch_normalization(NodeContext& node) {
  const Attrs<OpKind::kBatchNorm> attrs(attr::epsilon{node.number("epsilon", 1e-5)});
  node.number("momentum", 0.9);  // training only
  if (node.version() < 9 && !node.flag("spatial", true)) {
    node.refuse("attribute 'spatial' is 0, supported is 1 (one mean per channel)");
  }
  if (node.version() >= 14 && node.flag("training_mode", false)) {
    node.refuse("attribute 'training_mode' is 1, supported is inference");
  }
  std::vector<NodeId> operands;
  for (size_t i = 0; i < 5; ++i) operands.push_back(node.float_operand(i));
  const Dims& dims = node.input(0).dims;
  operands[0] = node.reshaped(operands[0], normalized_dims(node, operands[0], dims));
  const NodeId result = node.add(OpKind::kBatchNorm, operands, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

void layer_normalization(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const int64_t rank = node.rank(0), first = node.axis(node.integer("axis", -1), rank);
  const double epsilon = node.number("epsilon", 1e-5);
  if (node.integer("stash_type", 1) != 1) node.refuse("attribute 'stash_type' is not 1, float");
  const Standardized parts = standardized(node, x, axes_from(first, rank), epsilon);
  NodeId result = node.add(OpKind::kMul, {parts.result, node.float_operand(1)});
  if (node.has_input(2)) result = node.add(OpKind::kAdd, {result, node.float_operand(2)});
  if (node.shape_of(result) != node.input(0).dims)
    fail(ErrorCode::kCorrupt, "scale or bias does not broadcast to input 0");
  node.set_result(result, node.input(0).type);
  node.set_result(parts.mean, ElementType::kFloat, 1);
  node.set_result(node.add(OpKind::kDiv, {node.add_scalar(1), parts.deviation}),
                  ElementType::kFloat, 2);
}

// x / sqrt(mean(x * x) + epsilon) * scale
void rms_normalization(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const int64_t rank = node.rank(0), first = node.axis(node.integer("axis", -1), rank);
  const double epsilon = node.number("epsilon", 1e-5);
  if (node.integer("stash_type", 1) != 1) node.refuse("attribute 'stash_type' is not 1, float");
  const Attrs<OpKind::kReduceMean> over(attr::axes{axes_from(first, rank)});
  const NodeId square = node.add(OpKind::kReduceMean, {node.add(OpKind::kMul, {x, x})}, over);
  const NodeId root =
      node.add(OpKind::kSqrt, {node.add(OpKind::kAdd, {square, node.add_scalar(epsilon)})});
  const NodeId result =
      node.add(OpKind::kMul, {node.add(OpKind::kDiv, {x, root}), node.float_operand(1)});
  if (node.shape_of(result) != node.input(0).dims)
    fail(ErrorCode::kCorrupt, "scale does not broadcast to input 0");
  node.set_result(result, node.input(0).type);
}

// Standardizes each group of channels; before version 21 scale and bias are per group.
void group_normalization(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  const int64_t groups = node.integer("num_groups", 0);
  if (dims.size() < 3 || groups < 1 || dims[1] % groups != 0) {
    fail(ErrorCode::kCorrupt, "input 0 is {}, expected channels divisible into {} groups",
         type_text(node.input(0).type, dims), groups);
  }
  if (node.version() >= 21 && node.integer("stash_type", 1) != 1)
    node.refuse("attribute 'stash_type' is not 1, float");
  const Dims rows = {dims[0], groups, num_elems(dims) / (dims[0] * groups)};
  const NodeId x = node.reshaped(node.float_operand(0), rows);
  NodeId result = standardized(node, x, {2}, node.number("epsilon", 1e-5)).result;
  const bool by_group = node.version() < 21;
  if (!by_group) result = node.reshaped(result, dims);
  Dims shape(by_group ? 3 : dims.size(), 1);
  shape[1] = by_group ? groups : dims[1];
  for (size_t i : {1, 2}) {
    if (node.input(i).dims != Dims{shape[1]})
      fail(ErrorCode::kCorrupt, "input {} is [{}], expected [{}]", i,
           fmt::join(node.input(i).dims, ", "), shape[1]);
    result = node.add(i == 1 ? OpKind::kMul : OpKind::kAdd,
                      {result, node.reshaped(node.float_operand(i), shape)});
  }
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

void mean_variance_normalization(NodeContext& node) {
  Dims axes = node.integers("axes").value_or(Dims{0, 2, 3});
  for (int64_t& axis : axes) axis = node.axis(axis, node.rank(0));
  constexpr double kEpsilon = 1e-9;
  node.set_result(standardized(node, node.float_operand(0), axes, kEpsilon).result,
                  node.input(0).type);
}

void lp_normalization(NodeContext& node) {
  const int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) fail(ErrorCode::kCorrupt, "attribute 'p' is {}, expected 1 or 2", p);
  const int64_t axis = node.axis(node.integer("axis", -1), node.rank(0));
  const NodeId x = node.float_operand(0);
  const NodeId norm = node.reduce(p == 1 ? Reduction::kL1 : Reduction::kL2, x, {axis});
  // A line of zeros stays zeros.
  const NodeId is_zero = node.binary(BinaryFunction::kEqual, norm, node.add_scalar(0));
  const NodeId divisor = node.add(OpKind::kAdd, {norm, is_zero});
  node.set_result(node.add(OpKind::kDiv, {x, divisor}), node.input(0).type);
}

void instance_normalization(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& dims = node.input(0).dims;
  if (dims.size() < 3) fail(ErrorCode::kCorrupt, "input 0 has no spatial axes");
  Dims by_channel(dims.size() - 1, 1);
  by_channel[0] = dims[1];
  const auto parameter = [&](size_t index) {
    if (num_elems(node.input(index).dims) != dims[1])
      fail(ErrorCode::kCorrupt, "input {}: expected one number per channel ({})", index, dims[1]);
    return node.reshaped(node.float_operand(index), by_channel);
  };
  const auto rank = static_cast<int64_t>(dims.size());
  NodeId result = standardized(node, x, axes_from(2, rank), node.number("epsilon", 1e-5)).result;
  result = node.add(OpKind::kMul, {result, parameter(1)});
  node.set_result(node.add(OpKind::kAdd, {result, parameter(2)}), node.input(0).type);
}

void lrn(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& dims = node.input(0).dims;
  if (dims.size() < 2) fail(ErrorCode::kCorrupt, "input 0 has no channels");
  const Attrs<OpKind::kLrn> attrs(
      attr::size{node.integer("size", 0)}, attr::alpha{node.number("alpha", 1e-4)},
      attr::beta{node.number("beta", 0.75)}, attr::bias{node.number("bias", 1)});
  const Dims image =
      dims.size() == 4 ? dims : Dims{dims[0], dims[1], 1, num_elems(dims) / (dims[0] * dims[1])};
  const NodeId result = node.add(OpKind::kLrn, {node.reshaped(x, image)}, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type);
}

namespace {

// The function along `axis`; before version 13 over all axes from `axis` on.
template <typename Function>
void along_axis(NodeContext& node, Function&& function) {
  const NodeId x = node.float_operand(0);
  const Dims& dims = node.input(0).dims;
  const bool is_old = node.version() < 13;
  const int64_t axis = node.axis(node.integer("axis", is_old ? 1 : -1), node.rank(0), is_old);
  if (!is_old || axis + 1 == node.rank(0))
    return node.set_result(function(x, axis), node.input(0).type, dims);
  Dims rows = {1, 1};
  for (size_t i = 0; i < dims.size(); ++i) rows[static_cast<int64_t>(i) < axis ? 0 : 1] *= dims[i];
  const NodeId result = function(node.reshaped(x, rows), 1);
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

}  // namespace

void softmax(NodeContext& node) {
  along_axis(node, [&](NodeId x, int64_t axis) {
    return node.add(OpKind::kSoftmax, {x}, Attrs<OpKind::kSoftmax>(attr::axis{axis}));
  });
}

// x - log(sum(exp(x))), from the largest element on.
void log_softmax(NodeContext& node) {
  along_axis(node, [&](NodeId x, int64_t axis) {
    const NodeId moved = node.add(OpKind::kSub, {x, node.reduce(Reduction::kMax, x, {axis})});
    return node.add(OpKind::kSub, {moved, node.reduce(Reduction::kLogSumExp, moved, {axis})});
  });
}

// 1 at the first largest element, else 0.
void hardmax(NodeContext& node) {
  along_axis(node, [&](NodeId x, int64_t axis) {
    const Dims& dims = node.shape_of(x);
    const NodeId positions = node.add_positions(dims.size(), axis, dims[static_cast<size_t>(axis)]);
    const Attrs<OpKind::kArgMax> attrs(attr::axis{axis});
    return node.binary(BinaryFunction::kEqual, node.add(OpKind::kArgMax, {x}, attrs), positions);
  });
}

void dropout(NodeContext& node) {
  if (node.lists_as_inputs()) {
    node.has_attr("seed");
    if (node.has_input(2)) {
      const Array& training = node.constant(2, "training_mode");
      // Without a ratio above 0, training drops nothing either: torchvision's Swin is exported so.
      const bool drops = !node.has_input(1) || !node.is_known(1) ||
                         node.constant(1, "ratio").size() != 1 ||
                         node.constant(1, "ratio").at(0) != 0;
      if (training.size() != 1 || (training.at(0) != 0 && drops)) {
        node.refuse("training_mode is set, supported is inference");
      }
    }
  } else {
    node.number("ratio", 0.5);
  }
  node.set_same(node.shared_input(0));
  const bool has_mask = node.def().outputs.size() > 1 && !node.def().outputs[1].empty();
  constexpr int64_t kMaxMaskElems = 1 << 22;
  if (has_mask && node.version() >= 10 && num_elems(node.input(0).dims) <= kMaxMaskElems) {
    Array mask = make_array(ElementType::kBool, node.input(0).dims, true);
    std::fill(mask.ints.begin(), mask.ints.end(), 1);
    node.set_constant(std::move(mask), 1);
  }
}

}  // namespace vta::onnx
