// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/canonicalize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/passes/dependences.h"
#include "compiler/graph/passes/rewriting.h"

namespace vta::graph {
namespace {

struct Limits {
  double lo = -std::numeric_limits<float>::max(), hi = std::numeric_limits<float>::max();
};

// The limits of relu, clip, and min and max with a number.
std::optional<Limits> limits_of(const Graph& graph, const Node& node) {
  Limits limits;
  if (node.kind == OpKind::kRelu) {
    limits.lo = 0;
  } else if (node.kind == OpKind::kClip) {
    limits = {node.attrs.lo, node.attrs.hi};
  } else if (node.kind == OpKind::kMin || node.kind == OpKind::kMax) {
    const auto operands = with_number(graph, node);
    if (!operands) return std::nullopt;
    (node.kind == OpKind::kMin ? limits.hi : limits.lo) = operands->number;
  } else {
    return std::nullopt;
  }
  return limits;
}

NodeId tensor_operand(const Graph& graph, const Node& node) {
  return node.inputs.size() == 1 ? node.inputs[0] : with_number(graph, node)->tensor;
}

bool min_or_max(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto own = limits_of(graph, node);
  if (!own) return false;
  Limits limits = *own;
  NodeId x = tensor_operand(graph, node);
  const Node& producer = graph.node(x);
  const auto before = limits_of(graph, producer);
  if (before && before->lo <= limits.hi && limits.lo <= before->hi) {
    limits = {std::max(limits.lo, before->lo), std::min(limits.hi, before->hi)};
    x = tensor_operand(graph, producer);
  }
  Attrs<OpKind::kClip> attrs;
  const bool is_relu = limits.lo == 0 && limits.hi == std::numeric_limits<float>::max();
  if (!is_relu) {
    attrs.lo = limits.lo;
    attrs.hi = limits.hi;
  }
  replace(graph, id, is_relu ? OpKind::kRelu : OpKind::kClip, {x}, attrs);
  return true;
}

bool has_exact_inverse(float x) {
  int exponent = 0;
  return std::abs(std::frexp(x, &exponent)) == 0.5f && std::isnormal(1 / x);
}

bool sub_or_div(Graph& graph, NodeId id, bool exactly) {
  const Node& node = graph.node(id);
  if (!graph.is_constant(node.inputs[1])) return false;
  const bool is_sub = node.kind == OpKind::kSub;
  const Node& operand = graph.node(node.inputs[1]);
  Tensor value = operand.value;
  const auto numbers = value.data<float>();
  if (!is_sub && std::find(numbers.begin(), numbers.end(), 0.0f) != numbers.end()) return false;
  if (!is_sub && exactly && !std::all_of(numbers.begin(), numbers.end(), has_exact_inverse))
    return false;
  for (float& x : value.mutable_data<float>()) x = is_sub ? -x : 1 / x;
  const NodeId x = node.inputs[0];
  const NodeId constant = graph.insert_constant_before(
      id, graph.free_name(operand.name + (is_sub ? ".negative" : ".inverse")), std::move(value));
  replace(graph, id, is_sub ? OpKind::kAdd : OpKind::kMul, {x, constant}, {});
  return true;
}

bool mean_over_image(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const TensorType& type = graph.node(node.inputs[0]).type;
  if (type.shape.size() != 4 || type.is_open()) return false;
  std::vector<int64_t> axes = node.attrs.axes;
  for (int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
  std::sort(axes.begin(), axes.end());
  if (axes != std::vector<int64_t>{2, 3}) return false;
  const NodeId x = node.inputs[0];
  if (node.attrs.keep_dims) {
    replace(graph, id, OpKind::kGlobalAvgPool2d, {x}, {});
    return true;
  }
  const NodeId pool =
      graph.insert_before(id, OpKind::kGlobalAvgPool2d, graph.free_name(node.name + ".pool"), {x});
  replace(graph, id, OpKind::kFlatten, {pool}, {});
  return true;
}

Tensor transposed(const Tensor& matrix) {
  const int64_t rows = matrix.dim(0), columns = matrix.dim(1);
  Tensor result(TensorType{DType::kFloat32, {columns, rows}});
  const auto from = matrix.data<float>();
  const auto to = result.mutable_data<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
  }
  return result;
}

bool product_with_constant(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Node& matrix = graph.node(node.inputs[1]);
  NodeId x = node.inputs[0];
  const std::vector<int64_t> shape = graph.node(x).type.shape;
  if (matrix.kind != OpKind::kConstant || matrix.type.shape.size() != 2 || shape.size() < 2)
    return false;
  const std::string name = node.name;
  const TensorType type = node.type;
  const NodeId weights = graph.insert_constant_before(
      id, graph.free_name(matrix.name + ".transposed"), transposed(matrix.value));
  if (shape.size() > 2) {
    const Attrs<OpKind::kReshape> rows(
        attr::shape{{graph.node(x).type.num_elems() / shape.back(), shape.back()}});
    x = graph.insert_before(id, OpKind::kReshape, graph.free_name(name + ".rows"), {x}, rows);
    x = graph.insert_before(id, OpKind::kDense, graph.free_name(name + ".dense"), {x, weights});
    replace(graph, id, OpKind::kReshape, {x}, Attrs<OpKind::kReshape>(attr::shape{type.shape}));
  } else {
    replace(graph, id, OpKind::kDense, {x, weights}, {});
  }
  return true;
}

bool reshape_to_rows(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const NodeId x = node.inputs[0];
  const std::vector<int64_t>& from = graph.node(x).type.shape;
  if (node.type.is_open() || from.size() < 2 || node.type.shape.size() != 2 ||
      from[0] != node.type.shape[0])
    return false;
  replace(graph, id, OpKind::kFlatten, {x}, {});
  return true;
}

// Whether a constant has a number for each channel of an image.
bool is_by_channel(const Node& constant, const TensorType& image) {
  if (constant.kind != OpKind::kConstant || image.shape.size() != 4 || image.is_open())
    return false;
  std::vector<int64_t> shape = constant.type.shape;
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return shape == std::vector<int64_t>{1, image.shape[1], 1, 1};
}

bool precedes_layer(const Graph& graph, NodeId id) {
  const auto is_layer = [](const Node& node) {
    return node.kind == OpKind::kConv2d || node.kind == OpKind::kConv2dTranspose ||
           node.kind == OpKind::kDense || node.kind == OpKind::kMatmul;
  };
  return nodes_before(graph, is_layer).contains(id);
}

// x + (slope - 1) * min(x, 0): the product becomes a depthwise convolution (fold_affine.h), which
// has an integer form on the core, as the sum has. After the last layer, the host has the result
// without their roundings.
bool prelu(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const NodeId x = node.inputs[0];
  if (const auto operands = with_number(graph, node); operands && operands->tensor == x) {
    const Attrs<OpKind::kLeakyRelu> slope(attr::alpha{operands->number});
    replace(graph, id, OpKind::kLeakyRelu, {x}, slope);
    return true;
  }
  const Node& slope = graph.node(node.inputs[1]);
  if (!is_by_channel(slope, node.type) || !precedes_layer(graph, id)) return false;
  const std::string name = node.name;
  Tensor factors = slope.value;
  for (float& number : factors.mutable_data<float>()) number -= 1;
  const Attrs<OpKind::kClip> negative(attr::lo{-std::numeric_limits<float>::max()}, attr::hi{0});
  const NodeId rest =
      graph.insert_before(id, OpKind::kClip, graph.free_name(name + ".negative"), {x}, negative);
  const NodeId constant =
      graph.insert_constant_before(id, graph.free_name(name + ".slopes"), std::move(factors));
  const NodeId sloped =
      graph.insert_before(id, OpKind::kMul, graph.free_name(name + ".sloped"), {rest, constant});
  replace(graph, id, OpKind::kAdd, {sloped, x}, {});
  return true;
}

bool rewrite(Graph& graph, NodeId id, bool exactly) {
  switch (graph.node(id).kind) {
    case OpKind::kPrelu:
      return !exactly && prelu(graph, id);
    case OpKind::kMin:
    case OpKind::kMax:
      return min_or_max(graph, id);
    case OpKind::kSub:
    case OpKind::kDiv:
      return sub_or_div(graph, id, exactly);
    case OpKind::kReduceMean:
      return mean_over_image(graph, id);
    case OpKind::kMatmul:
      return product_with_constant(graph, id);
    case OpKind::kReshape:
      return reshape_to_rows(graph, id);
    default:
      return false;
  }
}

bool rewrite_all(Graph& graph, bool exactly) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) changed |= rewrite(graph, id, exactly);
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace

bool canonicalize(Graph& graph) { return rewrite_all(graph, false); }
bool canonicalize_exactly(Graph& graph) { return rewrite_all(graph, true); }

}  // namespace vta::graph
