// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/sink_movements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "runtime/host/host_operators.h"

namespace vta::graph {
namespace {

using Shape = std::vector<int64_t>;

constexpr size_t kImageRank = 4;  // of tensors that the core takes, beside matrices

bool is_of_elements(OpKind kind) {
  switch (kind) {
    case OpKind::kRelu:
    case OpKind::kClip:
    case OpKind::kLeakyRelu:
    case OpKind::kSigmoid:
    case OpKind::kTanh:
    case OpKind::kHardSigmoid:
    case OpKind::kHardSwish:
    case OpKind::kSilu:
    case OpKind::kAbs:
    case OpKind::kExp:
    case OpKind::kLog:
    case OpKind::kSqrt:
    case OpKind::kErf:
    case OpKind::kGelu:
    case OpKind::kSoftplus:
    case OpKind::kMish:
    case OpKind::kElu:
    case OpKind::kPower:
    case OpKind::kUnary:
    case OpKind::kPrelu:
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
    case OpKind::kDiv:
    case OpKind::kMin:
    case OpKind::kMax:
      return true;
    default:
      return false;
  }
}

Shape without_ones(const Shape& shape) {
  Shape result;
  std::ranges::copy_if(shape, std::back_inserter(result), [](int64_t size) { return size != 1; });
  return result;
}

// Shapes of broadcast operands have 1 for missing leading axes.
Shape expanded(const Shape& shape, size_t rank) {
  Shape result(rank - shape.size(), 1);
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

std::vector<int64_t> inverse_of(const std::vector<int64_t>& perm) {
  std::vector<int64_t> inverse(perm.size());
  for (size_t axis = 0; axis < perm.size(); ++axis)
    inverse[static_cast<size_t>(perm[axis])] = static_cast<int64_t>(axis);
  return inverse;
}

class Sinker {
 public:
  explicit Sinker(Graph& graph) : graph_(graph) {}

  bool run() {
    bool changed = false;
    const std::vector<NodeId> order = graph_.order();  // a copy: the loop changes the graph
    for (NodeId id : order | std::views::reverse) find_met(graph_.node(id));
    for (NodeId id : order) {
      changed |= sink(id);
      done_.insert(id);
    }
    if (changed) graph_.erase_dead();
    return changed;
  }

 private:
  bool sink(NodeId id) {
    const Node node = graph_.node(id);
    const bool joins = node.kind == OpKind::kConcat;
    if (!takes_movements(node)) return false;
    for (NodeId input : node.inputs) {
      const Node movement = graph_.node(input);
      if (!can_sink(movement) || (!joins && movement.type.shape != node.type.shape)) continue;
      if (joins && movement.kind != OpKind::kTranspose) return false;
      if (!meets_inverse(id, movement)) continue;
      const auto operands = operands_before(node, movement);
      if (!operands) return false;
      move(node, movement, *operands);
      return true;
    }
    return false;
  }

  // Outputs keep their names, and what they are computed by.
  bool takes_movements(const Node& node) const {
    return !node.type.is_open() && (is_of_elements(node.kind) || node.kind == OpKind::kConcat) &&
           std::ranges::find(graph_.outputs(), node.id) == graph_.outputs().end();
  }

  void find_met(const Node& node) {
    if (!takes_movements(node)) return;
    std::set<Met>& met = met_[node.id];
    for (NodeId id : graph_.users(node.id)) {
      const Node& user = graph_.node(id);
      if (user.kind == OpKind::kTranspose) met.emplace(user.kind, user.attrs.perm);
      if (user.kind == OpKind::kReshape) met.emplace(user.kind, user.type.shape);
      const auto further = met_.find(id);
      if (further == met_.end()) continue;
      const bool keeps_rank = user.type.shape.size() == node.type.shape.size();
      for (const Met& movement : further->second)
        if (movement.first == OpKind::kTranspose || keeps_rank) met.insert(movement);
    }
  }

  // Whether the movement, after the node, sinks on to its inverse. Elsewhere it would stay, perhaps
  // several times, and operators after the last layer would become quantized ones.
  bool meets_inverse(NodeId id, const Node& movement) const {
    const bool is_reshape = movement.kind == OpKind::kReshape;
    return met_.at(id).contains({movement.kind, is_reshape ? source_type(movement).shape
                                                           : inverse_of(movement.attrs.perm)});
  }

  bool can_sink(const Node& node) const {
    if (node.type.is_open() || node.inputs.empty() || graph_.is_constant(node.inputs[0]))
      return false;
    if (node.kind == OpKind::kTranspose) return true;
    const bool leaves_image = node.kind == OpKind::kReshape && node.type.shape.size() != kImageRank;
    return leaves_image && source_type(node).shape.size() == kImageRank &&
           without_ones(node.type.shape) == without_ones(source_type(node).shape);
  }

  const TensorType& source_type(const Node& movement) const {
    return graph_.node(movement.inputs[0]).type;
  }

  // Operator on the operands of the movement, and the movement of its result.
  void move(const Node& node, const Node& movement, const std::vector<NodeId>& operands) {
    OpAttrs attrs = node.attrs, moved = movement.attrs;
    if (node.kind == OpKind::kConcat) {
      const auto& perm = movement.attrs.perm;
      const int64_t from_end = node.attrs.axis < 0 ? static_cast<int64_t>(perm.size()) : 0;
      attrs.axis = perm[static_cast<size_t>(node.attrs.axis + from_end)];
    }
    if (movement.kind == OpKind::kReshape) moved.shape = node.type.shape;
    graph_.rename(node.id, graph_.free_name(node.name + ".moved"));  // layers keep their names
    const NodeId result =
        graph_.insert_before(node.id, node.kind, graph_.free_name(node.name), operands, attrs);
    const NodeId after = graph_.insert_before(
        node.id, movement.kind, graph_.free_name(node.name + ".movement"), {result}, moved);
    graph_.replace_uses(node.id, after);
    for (NodeId user : graph_.users(after))
      if (is_inverse(graph_.node(user), graph_.node(after))) graph_.replace_uses(user, result);
  }

  // Met now, so that operators after the inverse do not see it.
  bool is_inverse(const Node& node, const Node& movement) const {
    if (node.kind != movement.kind || node.type.is_open()) return false;
    if (movement.kind == OpKind::kReshape) return node.type.shape == source_type(movement).shape;
    return node.attrs.perm == inverse_of(movement.attrs.perm);
  }

  // The operands before the movement; nullopt if one of them has none.
  std::optional<std::vector<NodeId>> operands_before(const Node& node, const Node& movement) {
    std::vector<NodeId> operands;
    for (NodeId input : node.inputs) {
      const std::optional<NodeId> operand = operand_before(node, input, movement);
      if (!operand) return std::nullopt;
      operands.push_back(*operand);
    }
    return operands;
  }

  std::optional<NodeId> operand_before(const Node& node, NodeId input, const Node& movement) {
    const Node& operand = graph_.node(input);
    if (is_same(operand, movement)) return operand.inputs[0];
    if (graph_.is_constant(input)) return constant_before(node, operand, movement);
    if (movement.kind != OpKind::kReshape || operand.type.shape != node.type.shape ||
        operand.type.is_open())
      return std::nullopt;
    return reshaped(node.id, operand, source_type(movement).shape);
  }

  bool is_same(const Node& operand, const Node& movement) const {
    if (operand.kind != movement.kind || operand.type.is_open()) return false;
    if (movement.kind == OpKind::kTranspose) return operand.attrs.perm == movement.attrs.perm;
    return operand.type.shape == movement.type.shape &&
           source_type(operand).shape == source_type(movement).shape;
  }

  // The tensor with another shape, by a reshape that may be there already.
  NodeId reshaped(NodeId position, const Node& operand, const Shape& shape) {
    for (NodeId user : graph_.users(operand.id)) {
      const Node& node = graph_.node(user);
      if (node.kind == OpKind::kReshape && node.type.shape == shape && done_.contains(user))
        return user;
    }
    const Attrs<OpKind::kReshape> attrs(attr::shape{shape});
    const NodeId result =
        graph_.insert_before(position, OpKind::kReshape,
                             graph_.free_name(operand.name + ".reshaped"), {operand.id}, attrs);
    done_.insert(result);
    return result;
  }

  std::optional<NodeId> constant_before(const Node& node, const Node& constant,
                                        const Node& movement) {
    const bool is_number = constant.type.num_elems() == 1;
    if (is_number && constant.type.shape.size() <= source_type(movement).shape.size())
      return constant.id;
    const size_t rank = node.type.shape.size();
    if (constant.type.shape.size() > rank || node.kind == OpKind::kConcat) return std::nullopt;
    const Tensor value = constant.value.reshaped(expanded(constant.type.shape, rank));
    Tensor moved;
    if (movement.kind == OpKind::kTranspose) {
      const Attrs<OpKind::kTranspose> attrs(attr::perm{inverse_of(movement.attrs.perm)});
      moved = host::execute(OpKind::kTranspose, attrs, {value});
    } else {
      moved = value.reshaped(shape_before(value.shape(), movement));
    }
    return graph_.insert_constant_before(node.id, graph_.free_name(constant.name + ".moved"),
                                         std::move(moved));
  }

  // The shape of a constant that broadcasts to the reshape's operand as it does to its result.
  Shape shape_before(const Shape& constant, const Node& reshape) const {
    Shape sizes;  // along the axes whose size is not 1
    for (size_t axis = 0; axis < constant.size(); ++axis)
      if (reshape.type.shape[axis] != 1) sizes.push_back(constant[axis]);
    Shape result;
    auto next = sizes.begin();
    for (int64_t size : source_type(reshape).shape) result.push_back(size == 1 ? 1 : *next++);
    return result;
  }

  using Met = std::pair<OpKind, Shape>;  // the order of a transpose, the shape after a reshape

  Graph& graph_;
  // What follows a node that takes movements, with only such nodes between.
  std::map<NodeId, std::set<Met>> met_;
  std::set<NodeId> done_;  // before the node that is looked at
};

}  // namespace

bool sink_movements(Graph& graph) { return Sinker(graph).run(); }

}  // namespace vta::graph
