// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/size_bounds.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vta::onnx {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;
using List = std::vector<Bounds>;

constexpr int64_t kMaxElems = 64;  // of a list whose elements have bounds of their own
constexpr int kMaxDepth = 256;     // operators in a row: the analyses are recursive

Bounds hull(const List& list) {
  Bounds all = list[0];
  for (const Bounds& one : list) all = {std::min(all.low, one.low), std::max(all.high, one.high)};
  return all;
}

// 0 times an unlimited bound is 0: sizes are finite.
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Bounds product(Bounds a, Bounds b) {
  const auto [low, high] = std::minmax(
      {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}

// By numbers above 0 only; integers are truncated.
Bounds quotient(Bounds a, Bounds b, bool truncates) {
  if (!(b.low > 0) || !std::isfinite(b.high)) return {};
  const auto [low, high] =
      std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return truncates ? Bounds{std::trunc(low), std::trunc(high)} : Bounds{low, high};
}

// Bounds of the elements of one node, from the bounds of its operands.
class Analysis {
 public:
  explicit Analysis(const Graph& graph) : graph_(graph) {}

  const List& of(NodeId id) {
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    const Node& node = graph_.node(id);
    ++depth_;
    List list = depth_ > kMaxDepth ? List{{}} : computed(node);
    --depth_;
    const bool is_list = !node.type.is_open() && node.type.num_elems() <= kMaxElems;
    const auto count = is_list ? static_cast<size_t>(node.type.num_elems()) : 1;
    if (list.size() == 1) list.resize(count, list[0]);
    if (list.size() != count) list = {hull(list)};
    if (list.size() != count) list.resize(count, list[0]);
    return known_.emplace(id, std::move(list)).first->second;
  }

 private:
  List operand(const Node& node, size_t index) { return of(node.inputs[index]); }

  List computed(const Node& node) {
    switch (node.kind) {
      case OpKind::kConstant:
        return constant(node.value);
      case OpKind::kShapeOf:
        return sizes(graph_.node(node.inputs[0]).type);
      case OpKind::kReshape:
      case OpKind::kFlatten:
        return operand(node, 0);
      case OpKind::kTranspose:
      case OpKind::kTile:
      case OpKind::kCompress:
      case OpKind::kGatherElements:
      case OpKind::kGatherNd:
      case OpKind::kBroadcastTo:
        return {hull(operand(node, 0))};
      case OpKind::kIota:
        return {{0, static_cast<double>(node.attrs.size)}};
      case OpKind::kGather:
        return gathered(node);
      case OpKind::kStridedSlice:
        return sliced(node);
      case OpKind::kConcat:
        return concatenated(node);
      case OpKind::kWhere:
        return {hull({hull(operand(node, 1)), hull(operand(node, 2))})};
      case OpKind::kCast:
        return node.attrs.format == Format::kInt32 || node.attrs.format == Format::kFloat32
                   ? converted(node)
                   : List{{}};
      case OpKind::kUnary:
        return unary(node);
      case OpKind::kBinary:
        return binary(node, node.attrs.operation);
      case OpKind::kAdd:
        return binary(node, BinaryFunction::kAdd);
      case OpKind::kSub:
        return binary(node, BinaryFunction::kSub);
      case OpKind::kMul:
        return binary(node, BinaryFunction::kMul);
      case OpKind::kDiv:
        return binary(node, BinaryFunction::kDiv);
      case OpKind::kMin:
        return binary(node, BinaryFunction::kMin);
      case OpKind::kMax:
        return binary(node, BinaryFunction::kMax);
      case OpKind::kReduce:
        return reduced(node);
      case OpKind::kArgMax:
      case OpKind::kTopK:
      case OpKind::kNonZero:
      case OpKind::kUnique:
      case OpKind::kNonMaxSuppression:
        return {positions(node)};
      default:
        return {{}};
    }
  }

  static List constant(const Tensor& value) {
    List list;
    const auto append = [&](auto elements) {
      for (const auto element : elements)
        list.push_back({static_cast<double>(element), static_cast<double>(element)});
    };
    if (value.dtype() == DType::kInt32) append(value.data<int32_t>());
    if (value.dtype() == DType::kFloat32) append(value.data<float>());
    return list.empty() ? List{{}} : list;
  }

  static List sizes(const TensorType& type) {
    List list;
    for (size_t axis = 0; axis < type.shape.size(); ++axis) {
      const auto size = static_cast<double>(type.shape[axis]);
      list.push_back({type.is_open(axis) ? 0 : size, size});
    }
    return list;
  }

  // Elements at constant positions of a list.
  List gathered(const Node& node) {
    const List from = operand(node, 0);
    const Node& indices = graph_.node(node.inputs[1]);
    if (indices.kind != OpKind::kConstant || from.size() == 1 ||
        graph_.node(node.inputs[0]).type.shape.size() != 1) {
      return {hull(from)};
    }
    List list;
    const auto size = static_cast<int64_t>(from.size());
    for (int64_t index : indices.value.data<int32_t>()) {
      index += index < 0 ? size : 0;
      if (index < 0 || index >= size) return {hull(from)};
      list.push_back(from[static_cast<size_t>(index)]);
    }
    return list;
  }

  List sliced(const Node& node) {
    const List from = operand(node, 0);
    const TensorType& type = graph_.node(node.inputs[0]).type;
    if (type.shape.size() != 1 || static_cast<int64_t>(from.size()) != type.shape[0])
      return {hull(from)};
    const OpAttrs& a = node.attrs;
    List list;
    for (int64_t i = a.begin[0]; a.step[0] > 0 ? i < a.end[0] : i > a.end[0]; i += a.step[0])
      list.push_back(from[static_cast<size_t>(i)]);
    return list;
  }

  List concatenated(const Node& node) {
    List list;
    bool are_lists = !node.type.is_open() && node.type.shape.size() == 1;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const List part = operand(node, i);
      list.insert(list.end(), part.begin(), part.end());
      are_lists = are_lists &&
                  static_cast<int64_t>(part.size()) == graph_.node(node.inputs[i]).type.num_elems();
    }
    return are_lists ? list : List{hull(list)};
  }

  List converted(const Node& node) {
    List list = operand(node, 0);
    if (node.attrs.format == Format::kInt32) {
      for (Bounds& one : list) one = {std::trunc(one.low), std::trunc(one.high)};
    }
    return list;
  }

  List unary(const Node& node) {
    List list = operand(node, 0);
    for (Bounds& one : list) {
      switch (node.attrs.function) {
        case UnaryFunction::kNegative:
          one = {-one.high, -one.low};
          break;
        case UnaryFunction::kFloor:
          one = {std::floor(one.low), std::floor(one.high)};
          break;
        case UnaryFunction::kCeil:
          one = {std::ceil(one.low), std::ceil(one.high)};
          break;
        default:
          one = {};
      }
    }
    return list;
  }

  static Bounds combined(BinaryFunction function, Bounds a, Bounds b, bool are_integers) {
    switch (function) {
      case BinaryFunction::kAdd:
        return {a.low + b.low, a.high + b.high};
      case BinaryFunction::kSub:
        return {a.low - b.high, a.high - b.low};
      case BinaryFunction::kMul:
        return product(a, b);
      case BinaryFunction::kDiv:
        return quotient(a, b, are_integers);
      case BinaryFunction::kMin:
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      case BinaryFunction::kMax:
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
      default:
        return is_comparison(function) ? Bounds{0, 1} : Bounds{};
    }
  }

  List binary(const Node& node, BinaryFunction function) {
    List a = operand(node, 0), b = operand(node, 1);
    const bool are_integers = graph_.node(node.inputs[0]).type.dtype == DType::kInt32;
    if (a.size() != b.size()) {
      if (a.size() != 1) a = b.size() == 1 ? a : List{hull(a)};
      if (b.size() != 1) b = a.size() == 1 ? b : List{hull(b)};
    }
    List list;
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      list.push_back(
          combined(function, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i], are_integers));
    }
    return list;
  }

  // Reduces all elements of a list.
  List reduced(const Node& node) {
    const List from = operand(node, 0);
    const TensorType& type = graph_.node(node.inputs[0]).type;
    const Reduction reduction = node.attrs.reduction;
    if (reduction == Reduction::kMin || reduction == Reduction::kMax) return {hull(from)};
    const bool is_list =
        type.shape.size() == 1 && static_cast<int64_t>(from.size()) == type.shape[0];
    if (!is_list || (reduction != Reduction::kSum && reduction != Reduction::kProduct)) return {{}};
    Bounds all = from[0];
    for (size_t i = 1; i < from.size(); ++i) {
      all = combined(reduction == Reduction::kSum ? BinaryFunction::kAdd : BinaryFunction::kMul,
                     all, from[i], true);
    }
    return {all};
  }

  // Indices and counts: at most the elements of an operand.
  Bounds positions(const Node& node) {
    double most = 0;
    for (NodeId input : node.inputs)
      most = std::max(most, static_cast<double>(graph_.node(input).type.num_elems()));
    return {0, most};
  }

  const Graph& graph_;
  std::map<NodeId, List> known_;
  int depth_ = 0;
};

// Axis `axis` of operand `index`, if that is where the open axis of the result has its size from.
std::optional<OpenAxis> same_axis(const Graph& graph, NodeId operand, size_t axis) {
  const TensorType& type = graph.node(operand).type;
  if (axis >= type.shape.size() || !type.is_open(axis)) return std::nullopt;
  return OpenAxis{operand, axis};
}

int64_t closed_elems(const TensorType& type) {
  int64_t count = 1;
  for (size_t i = 0; i < type.shape.size(); ++i) count *= type.is_open(i) ? 1 : type.shape[i];
  return count;
}

// One open axis before and after, next to the same number of elements.
std::optional<OpenAxis> of_reshape(const Graph& graph, const Node& node) {
  const TensorType& from = graph.node(node.inputs[0]).type;
  const bool has_one = from.open_axis_list().size() == 1 && node.type.open_axis_list().size() == 1;
  if (!has_one || closed_elems(from) != closed_elems(node.type)) return std::nullopt;
  return OpenAxis{node.inputs[0], from.first_open_axis()};
}

std::optional<OpenAxis> of_gather(const Graph& graph, const Node& node, size_t axis) {
  const auto rank = static_cast<int64_t>(graph.node(node.inputs[0]).type.shape.size());
  const auto at = static_cast<size_t>(node.attrs.axis + (node.attrs.axis < 0 ? rank : 0));
  const size_t of_indices = graph.node(node.inputs[1]).type.shape.size();
  if (axis < at) return same_axis(graph, node.inputs[0], axis);
  if (axis < at + of_indices) return same_axis(graph, node.inputs[1], axis - at);
  return same_axis(graph, node.inputs[0], axis - of_indices + 1);
}

std::optional<OpenAxis> of_concat(const Graph& graph, const Node& node, size_t axis) {
  const auto rank = static_cast<int64_t>(node.type.shape.size());
  const auto at = static_cast<size_t>(node.attrs.axis + (node.attrs.axis < 0 ? rank : 0));
  return axis == at ? std::nullopt : same_axis(graph, node.inputs[0], axis);
}

std::optional<OpenAxis> of_slice(const Graph& graph, const Node& node, size_t axis) {
  const OpAttrs& a = node.attrs;
  const int64_t size = graph.node(node.inputs[0]).type.shape[axis];
  const bool is_whole = a.begin[axis] == 0 && a.step[axis] == 1 && a.end[axis] >= size;
  return is_whole ? same_axis(graph, node.inputs[0], axis) : std::nullopt;
}

// The sources of open axes.
class Sources {
 public:
  explicit Sources(const Graph& graph) : graph_(graph) {}

  OpenAxis of(const OpenAxis& axis) {
    const auto known = known_.find(axis);
    if (known != known_.end()) return known->second;
    ++depth_;
    const auto before = depth_ > kMaxDepth ? std::nullopt : previous(axis);
    const OpenAxis source = before ? of(*before) : axis;
    --depth_;
    return known_.emplace(axis, source).first->second;
  }

  // The source of the open axis whose size is element `index` of a list.
  std::optional<OpenAxis> of_element(NodeId id, int64_t index) {
    const Node& node = graph_.node(id);
    if (node.kind == OpKind::kShapeOf) {
      const auto axis = same_axis(graph_, node.inputs[0], static_cast<size_t>(index));
      return axis ? std::optional(of(*axis)) : std::nullopt;
    }
    if (node.inputs.empty() || graph_.node(node.inputs[0]).type.is_open()) return std::nullopt;
    ++depth_;
    const auto source = depth_ > kMaxDepth ? std::nullopt : of_moved_element(node, index);
    --depth_;
    return source;
  }

 private:
  std::optional<OpenAxis> of_moved_element(const Node& node, int64_t index) {
    const bool is_list = graph_.node(node.inputs[0]).type.shape.size() == 1;
    if (node.kind == OpKind::kReshape) return of_element(node.inputs[0], index);
    if (node.kind == OpKind::kStridedSlice && is_list)
      return of_element(node.inputs[0], node.attrs.begin[0] + index * node.attrs.step[0]);
    if (node.kind != OpKind::kConcat || !is_list) return std::nullopt;
    for (NodeId input : node.inputs) {
      const TensorType& part = graph_.node(input).type;
      if (part.is_open()) return std::nullopt;
      if (index < part.shape[0]) return of_element(input, index);
      index -= part.shape[0];
    }
    return std::nullopt;
  }

  // Operands broadcast, so axes are counted from the end. One of two open axes may have a single
  // element.
  std::optional<OpenAxis> of_broadcast(const Node& node, size_t axis) {
    const size_t from_end = node.type.shape.size() - axis;
    std::optional<OpenAxis> only;
    for (NodeId input : node.inputs) {
      const size_t rank = graph_.node(input).type.shape.size();
      if (rank < from_end) continue;
      const auto found = same_axis(graph_, input, rank - from_end);
      if (found && only && of(*found) != of(*only)) return std::nullopt;
      if (found) only = found;
    }
    return only;
  }

  // Either the open axis or the wanted size may be a single element.
  std::optional<OpenAxis> of_broadcast_to(const Node& node, size_t axis) {
    const auto own = same_axis(graph_, node.inputs[0], axis);
    const auto& axes = node.attrs.axes;
    const auto at = std::ranges::find(axes, static_cast<int64_t>(axis));
    if (at == axes.end()) return own;
    const auto wanted = of_element(node.inputs[1], at - axes.begin());
    if (!own) return wanted;
    return wanted && of(*own) == of(*wanted) ? own : std::nullopt;
  }

  // The axis from which this one has its size; none if the operator makes the size.
  std::optional<OpenAxis> previous(const OpenAxis& open) {
    const Node& node = graph_.node(open.first);
    switch (node.kind) {
      case OpKind::kReshape:
      case OpKind::kFlatten:
        return of_reshape(graph_, node);
      case OpKind::kTranspose:
        return same_axis(graph_, node.inputs[0], static_cast<size_t>(node.attrs.perm[open.second]));
      case OpKind::kGather:
        return of_gather(graph_, node, open.second);
      case OpKind::kGatherElements:
        return same_axis(graph_, node.inputs[1], open.second);
      case OpKind::kConcat:
        return of_concat(graph_, node, open.second);
      case OpKind::kTopK:
        return node.inputs.size() == 2 ? of_element(node.inputs[1], 0) : std::nullopt;
      case OpKind::kIota:
        return of_element(node.inputs[0], 0);
      case OpKind::kBroadcastTo:
        return of_broadcast_to(node, open.second);
      case OpKind::kStridedSlice:
        return of_slice(graph_, node, open.second);
      case OpKind::kUnary:
      case OpKind::kCast:
      case OpKind::kSoftmax:
      case OpKind::kRelu:
      case OpKind::kClip:
      case OpKind::kSigmoid:
      case OpKind::kExp:
      case OpKind::kLog:
      case OpKind::kSqrt:
      case OpKind::kCumulative:
        return same_axis(graph_, node.inputs[0], open.second);
      case OpKind::kWhere:
      case OpKind::kBinary:
      case OpKind::kAdd:
      case OpKind::kSub:
      case OpKind::kMul:
      case OpKind::kDiv:
      case OpKind::kMin:
      case OpKind::kMax:
        return of_broadcast(node, open.second);
      default:
        return std::nullopt;
    }
  }

  const Graph& graph_;
  std::map<OpenAxis, OpenAxis> known_;
  int depth_ = 0;
};

}  // namespace

std::vector<Bounds> bounds_of(const Graph& graph, NodeId node) { return Analysis(graph).of(node); }

Bounds bounds_of_scalar(const Graph& graph, NodeId node) { return hull(bounds_of(graph, node)); }

OpenAxis source_of(const Graph& graph, OpenAxis axis) { return Sources(graph).of(axis); }

std::optional<OpenAxis> source_of_size(const Graph& graph, NodeId node) {
  return Sources(graph).of_element(node, 0);
}

}  // namespace vta::onnx
