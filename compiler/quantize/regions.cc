// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/regions.h"

#include <algorithm>

#include "compiler/graph/passes/dependences.h"
#include "compiler/quantize/forms.h"
#include "compiler/quantize/recurrent_gates.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;
using graph::nodes_after;
using graph::nodes_before;

void check(const Graph& graph, const std::vector<std::string>& keep_float) {
  for (const std::string& name : keep_float) {
    const bool exists = std::any_of(graph.order().begin(), graph.order().end(), [&](NodeId id) {
      return graph.node(id).name == name && !graph.node(id).inputs.empty();
    });
    if (!exists)
      fail(ErrorCode::kInvalidArgument,
           "{} has no layer '{}' to keep in fp32 (a batch norm that a layer absorbs is part of "
           "that layer)",
           graph.name, name);
  }
}

bool is_weighted(const Graph& graph, const Node& node) {
  return form_of(graph, node) == Form::kWeighted;
}

class Finder {
 public:
  Finder(const Graph& graph, const std::vector<std::string>& keep_float)
      : graph_(graph),
        keep_float_(keep_float.begin(), keep_float.end()),
        gates_(recurrent_gates(graph)) {
    for (NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      if (is_weighted(graph_, node) && keep_float_.count(node.name) == 0) weighted_.insert(id);
    }
    before_weighted_ =
        nodes_before(graph_, [&](const Node& node) { return weighted_.count(node.id) != 0; });
  }

  Regions run() {
    for (NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      const Form form = form_of(graph_, node);
      regions_.scale_of[id] = id;
      if (!becomes_integer(node, form)) continue;
      regions_.integer.insert(id);
      if (form == Form::kMovement) regions_.scale_of[id] = regions_.scale_of[node.inputs[0]];
      if (form == Form::kActivation) merge_into_producer(node);
    }
    for (NodeId id : graph_.order()) {
      if (regions_.is_integer(id) && graph_.node(id).kind == OpKind::kConcat) share_scale(id);
    }
    return std::move(regions_);
  }

 private:
  bool becomes_integer(const Node& node, Form form) const {
    if (keep_float_.count(node.name) != 0 || gates_.contains(node.id)) return false;
    const bool has_integer_operand = std::any_of(
        node.inputs.begin(), node.inputs.end(), [&](NodeId id) { return regions_.is_integer(id); });
    switch (integer_rule(form)) {
      case IntegerRule::kNever:
        return false;
      case IntegerRule::kChosenLayer:
        return weighted_.count(node.id) != 0;
      case IntegerRule::kIntegerOperand:
        return has_integer_operand;
      case IntegerRule::kBeforeWeights:
        return has_integer_operand && before_weighted_.count(node.id) != 0;
      case IntegerRule::kInsideLayers:
        return before_weighted_.count(node.id) != 0;
    }
    return false;
  }

  void merge_into_producer(const Node& node) {
    const Node& producer = graph_.node(node.inputs[0]);
    const bool can_clip =
        regions_.is_integer(producer.id) && takes_activation(form_of(graph_, producer));
    const bool only_user = graph_.users(producer.id).size() == 1 && !graph_.is_output(producer.id);
    if (!can_clip || !only_user) return;
    regions_.fused_activation[producer.id] = node.id;
    regions_.scale_of[producer.id] = node.id;
  }

  // Operands used only by concats are computed at the concat's scale.
  void share_scale(NodeId concat) {
    const NodeId scale = regions_.scale_of[concat];
    for (NodeId operand : graph_.node(concat).inputs) {
      const NodeId own = regions_.scale_of[operand];
      if (own == scale || !regions_.is_integer(operand)) continue;
      const std::vector<NodeId> members = members_of(own);
      if (!std::all_of(members.begin(), members.end(),
                       [&](NodeId id) { return only_joins(id, members); }))
        continue;
      for (NodeId id : members) regions_.scale_of[id] = scale;
    }
  }

  std::vector<NodeId> members_of(NodeId scale) const {
    std::vector<NodeId> members;
    for (const auto& [id, other] : regions_.scale_of) {
      if (other == scale) members.push_back(id);
    }
    return members;
  }

  // Whether all users are integer concats or among `members`.
  bool only_joins(NodeId id, const std::vector<NodeId>& members) const {
    const std::vector<NodeId> users = graph_.users(id);
    return !graph_.is_output(id) && std::all_of(users.begin(), users.end(), [&](NodeId user) {
      return (regions_.is_integer(user) && graph_.node(user).kind == OpKind::kConcat) ||
             std::find(members.begin(), members.end(), user) != members.end();
    });
  }

  const Graph& graph_;
  const std::set<std::string> keep_float_;
  const std::set<NodeId> gates_;
  std::set<NodeId> weighted_, before_weighted_;
  Regions regions_;
};

}  // namespace

std::vector<NodeId> classifiers_of(const Graph& graph) {
  const auto before_weights =
      nodes_before(graph, [&](const Node& node) { return is_weighted(graph, node); });
  std::vector<NodeId> classifiers;
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    const bool is_dense = node.kind == OpKind::kDense && is_weighted(graph, node);
    if (is_dense && before_weights.count(id) == 0) classifiers.push_back(id);
  }
  return classifiers;
}

std::map<std::string, HostReason> float_reasons(const Graph& graph,
                                                const std::vector<std::string>& keep_float) {
  const auto is_layer = [&](const Node& node) {
    return is_weighted(graph, node) && std::ranges::count(keep_float, node.name) == 0;
  };
  const std::set<NodeId> before_layers = nodes_before(graph, is_layer);
  const std::set<NodeId> after_layers = nodes_after(graph, is_layer);
  const auto reason_of = [&](const Node& node) {
    if (std::ranges::count(keep_float, node.name) > 0) return HostReason::kKeptFloat;
    if (node.kind == OpKind::kMatmul && is_small_product(graph, node))
      return HostReason::kSmallProduct;
    if (integer_rule(form_of(graph, node)) == IntegerRule::kNever)
      return HostReason::kNoIntegerForm;
    const bool is_between = before_layers.contains(node.id) && after_layers.contains(node.id);
    return is_between ? HostReason::kFloatNeighbour : HostReason::kOutsideLayers;
  };
  std::map<std::string, HostReason> reasons;
  for (const NodeId id : graph.order()) reasons[graph.node(id).name] = reason_of(graph.node(id));
  return reasons;
}

Regions find_regions(const Graph& graph, const std::vector<std::string>& keep_float) {
  check(graph, keep_float);
  return Finder(graph, keep_float).run();
}

}  // namespace vta::quantize
