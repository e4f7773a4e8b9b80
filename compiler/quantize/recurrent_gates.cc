// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/recurrent_gates.h"

#include <algorithm>
#include <ranges>

#include "compiler/quantize/forms.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr size_t kImageRank = 4;
constexpr int64_t kMaxElems = 4096;  // of a gate: a vector, rather than an image or a sequence

bool is_vector(const TensorType& type) {
  const int64_t batch = type.shape.size() > 1 ? std::max<int64_t>(type.shape[0], 1) : 1;
  return type.num_elems() / batch <= kMaxElems;
}

bool is_table(const Node& node) {
  return node.kind == OpKind::kSigmoid || node.kind == OpKind::kTanh;
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph) {}

  std::set<NodeId> run() {
    for (NodeId id : graph_.order()) {
      if (follows_tables(graph_.node(id))) candidates_.insert(id);
    }
    add_connected();
    if (gates_.empty()) return {};
    for (NodeId id : graph_.order() | std::views::reverse) {
      if (serves_gates(graph_.node(id))) gates_.insert(id);
    }
    return std::move(gates_);
  }

 private:
  // Whether the result is computed from those of tables only, or is one.
  bool follows_tables(const Node& node) {
    if (is_table(node)) return is_vector(node.type);
    const Form form = form_of(graph_, node);
    const bool takes_part = form == Form::kSum || form == Form::kProduct || form == Form::kLookup ||
                            form == Form::kMovement || form == Form::kConcat;
    const auto is_candidate = [&](NodeId id) { return candidates_.contains(id); };
    return takes_part && std::ranges::any_of(node.inputs, is_candidate) &&
           std::ranges::all_of(node.inputs, [&](NodeId id) {
             return is_candidate(id) || graph_.is_constant(id) || is_state(id);
           });
  }

  // A vector that is an input of the network, moved or not: the state of an earlier run.
  bool is_state(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.kind == OpKind::kInput)
      return is_vector(node.type) && node.type.shape.size() < kImageRank;
    return form_of(graph_, node) == Form::kMovement && is_state(node.inputs[0]);
  }

  // A cell has a sum or product of two results of tables (or states).
  bool is_cell(const Node& node) const {
    const Form form = form_of(graph_, node);
    return candidates_.contains(node.id) && (form == Form::kSum || form == Form::kProduct) &&
           node.type.num_elems() <= kMaxElems &&
           std::ranges::none_of(node.inputs, [&](NodeId id) { return graph_.is_constant(id); });
  }

  // Candidates from which a cell is computed, or that are computed from one.
  void add_connected() {
    for (NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      const bool follows =
          std::ranges::any_of(node.inputs, [&](NodeId input) { return gates_.contains(input); });
      if (is_cell(node) || (follows && candidates_.contains(id))) gates_.insert(id);
    }
    for (NodeId id : graph_.order() | std::views::reverse) {
      if (!gates_.contains(id)) continue;
      for (NodeId input : graph_.node(id).inputs)
        if (candidates_.contains(input)) gates_.insert(input);
    }
  }

  // A sum or movement of which only gates are computed.
  bool serves_gates(const Node& node) const {
    const Form form = form_of(graph_, node);
    if (form != Form::kMovement && form != Form::kSum) return false;
    const std::vector<NodeId> users = graph_.users(node.id);
    return !users.empty() && !graph_.is_output(node.id) &&
           std::ranges::all_of(users, [&](NodeId user) { return gates_.contains(user); });
  }

  const Graph& graph_;
  std::set<NodeId> candidates_, gates_;
};

}  // namespace

std::set<NodeId> recurrent_gates(const Graph& graph) { return Finder(graph).run(); }

}  // namespace vta::quantize
