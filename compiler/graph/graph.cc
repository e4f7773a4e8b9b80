// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace vta::graph {

NodeId Graph::add_input(const std::string& node_name, TensorType type) {
  Node node;
  node.name = node_name;
  node.kind = OpKind::kInput;
  node.attrs.index = static_cast<int64_t>(inputs().size());
  node.type = std::move(type);
  return place(std::move(node), order_.size());
}

NodeId Graph::add_constant(const std::string& node_name, Tensor value) {
  return place(make_constant(node_name, std::move(value)), order_.size());
}

NodeId Graph::insert_constant_before(NodeId position, const std::string& node_name, Tensor value) {
  return place(make_constant(node_name, std::move(value)), index_of(position));
}

NodeId Graph::add(OpKind kind, const std::string& node_name, std::vector<NodeId> inputs,
                  OpAttrs attrs) {
  return place(make(kind, node_name, std::move(inputs), std::move(attrs)), order_.size());
}

NodeId Graph::insert_before(NodeId position, OpKind kind, const std::string& node_name,
                            std::vector<NodeId> inputs, OpAttrs attrs) {
  return place(make(kind, node_name, std::move(inputs), std::move(attrs)), index_of(position));
}

Node Graph::make_constant(const std::string& node_name, Tensor value) const {
  Node result;
  result.name = node_name;
  result.kind = OpKind::kConstant;
  result.type = value.type();
  result.value = std::move(value);
  return result;
}

Node Graph::make(OpKind kind, const std::string& node_name, std::vector<NodeId> inputs,
                 OpAttrs attrs) const {
  Node result;
  result.name = node_name;
  result.kind = kind;
  result.attrs = std::move(attrs);
  result.inputs = std::move(inputs);
  result.type =
      with_context(node_name, [&] { return result_type(kind, result.attrs, result.inputs); });
  return result;
}

const Node& Graph::open_origin(NodeId id) const {
  for (NodeId input : node(id).inputs) {
    if (node(input).type.is_open()) return open_origin(input);
  }
  return node(id);
}

TensorType Graph::result_type(OpKind kind, const OpAttrs& attrs,
                              const std::vector<NodeId>& inputs) const {
  std::vector<TensorType> types;
  for (NodeId input : inputs) types.push_back(node(input).type);
  const auto open =
      std::ranges::find_if(types, [](const TensorType& type) { return type.is_open(); });
  if (open == types.end()) return infer_type(kind, attrs, types);
  const Node& origin = open_origin(inputs[static_cast<size_t>(open - types.begin())]);
  return with_context(fmt::format("after {} ({}), whose result's size only a run gives",
                                  origin.name, to_string(origin.kind)),
                      [&] { return infer_type(kind, attrs, types); });
}

NodeId Graph::place(Node node, size_t position) {
  const NodeId id = next_id_++;
  node.id = id;
  nodes_.emplace(id, std::move(node));
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position), id);
  return id;
}

size_t Graph::index_of(NodeId id) const {
  const auto at = std::find(order_.begin(), order_.end(), id);
  VTA_ASSERT(at != order_.end(), "the node is one of the graph");
  return static_cast<size_t>(at - order_.begin());
}

Node& Graph::node(NodeId id) { return const_cast<Node&>(std::as_const(*this).node(id)); }

const Node& Graph::node(NodeId id) const {
  const auto found = nodes_.find(id);
  VTA_ASSERT(found != nodes_.end(), "the node exists");
  return found->second;
}

std::vector<NodeId> Graph::inputs() const {
  std::vector<NodeId> result;
  for (NodeId id : order_) {
    if (node(id).kind == OpKind::kInput) result.push_back(id);
  }
  std::sort(result.begin(), result.end(),
            [this](NodeId a, NodeId b) { return node(a).attrs.index < node(b).attrs.index; });
  return result;
}

std::string Graph::free_name(const std::string& wanted) const {
  const auto is_taken = [&](const std::string& candidate) {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](const auto& entry) { return entry.second.name == candidate; });
  };
  std::string candidate = wanted;
  for (int i = 2; is_taken(candidate); ++i) candidate = fmt::format("{}_{}", wanted, i);
  return candidate;
}

std::vector<NodeId> Graph::users(NodeId id) const {
  std::vector<NodeId> result;
  for (NodeId user : order_) {
    const std::vector<NodeId>& inputs = node(user).inputs;
    if (std::find(inputs.begin(), inputs.end(), id) != inputs.end()) result.push_back(user);
  }
  return result;
}

bool Graph::is_output(NodeId id) const {
  return std::find(outputs_.begin(), outputs_.end(), id) != outputs_.end();
}

void Graph::replace_uses(NodeId from, NodeId to) {
  for (auto& [id, user] : nodes_) std::replace(user.inputs.begin(), user.inputs.end(), from, to);
  std::replace(outputs_.begin(), outputs_.end(), from, to);
}

void Graph::erase(NodeId id) {
  VTA_ASSERT(users(id).empty() && !is_output(id), "nothing uses the erased node");
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(index_of(id)));
  nodes_.erase(id);
}

bool Graph::erase_dead() {
  // In reverse order, users are visited before their operands.
  std::set<NodeId> used(outputs_.begin(), outputs_.end());
  std::vector<NodeId> kept;
  for (size_t i = order_.size(); i-- > 0;) {
    const NodeId id = order_[i];
    const Node& candidate = node(id);
    if (candidate.kind != OpKind::kInput && used.count(id) == 0) {
      nodes_.erase(id);
      continue;
    }
    used.insert(candidate.inputs.begin(), candidate.inputs.end());
    kept.push_back(id);
  }
  const bool changed = kept.size() != order_.size();
  order_.assign(kept.rbegin(), kept.rend());
  return changed;
}

}  // namespace vta::graph
