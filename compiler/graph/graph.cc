// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/graph.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/numbers/parse_number.h"

namespace vta::graph {
namespace {

constexpr size_t kFirstSuffix = 2;

}  // namespace

NodeId Graph::add_input(const std::string& node_name, TensorType type) {
  Node node;
  node.name = node_name;
  node.kind = OpKind::kInput;
  node.attrs.index = static_cast<int64_t>(inputs().size());
  node.type = std::move(type);
  return place(std::move(node), order_.size());
}

NodeId Graph::copy_input(const Node& source, const std::string& node_name, TensorType type) {
  const NodeId id = add_input(node_name, std::move(type));
  node(id).attrs.index = source.attrs.index;
  return id;
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
  result.attrs = attrs_for(kind, attrs);
  result.inputs = std::move(inputs);
  result.type =
      with_context(node_name, [&] { return result_type(kind, result.attrs, result.inputs); });
  // After the types, which refuse NaN: it is not equal to itself.
  VTA_ASSERT(result.attrs == attrs,
             (node_name + " has attributes that " + to_string(kind) + " does not have").c_str());
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
  const auto id = static_cast<NodeId>(nodes_.size());
  node.id = id;
  take_name(node.name);
  add_uses(node);
  nodes_.emplace_back(std::move(node));
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
  VTA_ASSERT(contains(id), "the node exists");
  return *nodes_[static_cast<size_t>(id)];
}

bool Graph::contains(NodeId id) const {
  return id >= 0 && static_cast<size_t>(id) < nodes_.size() &&
         nodes_[static_cast<size_t>(id)].has_value();
}

void Graph::add_uses(const Node& node) {
  for (NodeId input : node.inputs) ++uses_[input][node.id];
}

void Graph::remove_uses(const Node& node) {
  for (NodeId input : node.inputs) {
    std::map<NodeId, size_t>& users = uses_.at(input);
    const auto user = users.find(node.id);
    VTA_ASSERT(user != users.end(), "operands are changed by set_inputs() only");
    if (--user->second == 0) users.erase(user);
  }
}

void Graph::take_name(const std::string& taken) { ++names_[taken]; }

void Graph::release_name(const std::string& released) {
  const auto entry = names_.find(released);
  VTA_ASSERT(entry != names_.end(), "names are changed by rename() only");
  if (--entry->second > 0) return;
  names_.erase(entry);
  // As "wanted_k" it is free_name()'s again.
  const size_t underscore = released.rfind('_');
  if (underscore == std::string::npos) return;
  const auto first = first_suffixes_.find(released.substr(0, underscore));
  const auto suffix = parse_number<size_t>(std::string_view(released).substr(underscore + 1));
  if (suffix && first != first_suffixes_.end())
    first->second = std::min(first->second, std::max(*suffix, kFirstSuffix));
}

void Graph::rename(NodeId id, std::string node_name) {
  release_name(node(id).name);
  take_name(node_name);
  node(id).name = std::move(node_name);
}

void Graph::set_inputs(NodeId id, std::vector<NodeId> inputs) {
  remove_uses(node(id));
  node(id).inputs = std::move(inputs);
  add_uses(node(id));
}

void Graph::set_input(NodeId id, size_t operand, NodeId input) {
  std::vector<NodeId> inputs = node(id).inputs;
  inputs.at(operand) = input;
  set_inputs(id, std::move(inputs));
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
  if (!names_.contains(wanted)) return wanted;
  size_t& suffix = first_suffixes_.try_emplace(wanted, kFirstSuffix).first->second;
  while (true) {
    std::string candidate = fmt::format("{}_{}", wanted, suffix);
    if (!names_.contains(candidate)) return candidate;
    ++suffix;
  }
}

std::vector<NodeId> Graph::users(NodeId id) const {
  const auto found = uses_.find(id);
  if (found == uses_.end()) return {};
  std::vector<NodeId> result;
  if (found->second.size() == 1) {
    result.push_back(found->second.begin()->first);
  } else if (!found->second.empty()) {
    std::ranges::copy_if(order_, std::back_inserter(result),
                         [&](NodeId user) { return found->second.contains(user); });
  }
  return result;
}

bool Graph::is_output(NodeId id) const {
  return std::find(outputs_.begin(), outputs_.end(), id) != outputs_.end();
}

void Graph::replace_uses(NodeId from, NodeId to) {
  std::replace(outputs_.begin(), outputs_.end(), from, to);
  const auto found = uses_.find(from);
  if (found == uses_.end() || from == to) return;
  const std::map<NodeId, size_t> users = found->second;
  for (const auto& [user, count] : users) {
    std::vector<NodeId> inputs = node(user).inputs;
    std::replace(inputs.begin(), inputs.end(), from, to);
    set_inputs(user, std::move(inputs));
  }
}

void Graph::remove(NodeId id) {
  const Node& removed = node(id);
  remove_uses(removed);
  release_name(removed.name);
  nodes_[static_cast<size_t>(id)].reset();
}

void Graph::erase(NodeId id) {
  VTA_ASSERT(users(id).empty() && !is_output(id), "nothing uses the erased node");
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(index_of(id)));
  remove(id);
}

bool Graph::erase_dead() {
  // In reverse order, users are visited before their operands.
  std::set<NodeId> used(outputs_.begin(), outputs_.end());
  std::vector<NodeId> kept;
  for (size_t i = order_.size(); i-- > 0;) {
    const NodeId id = order_[i];
    const Node& candidate = node(id);
    if (candidate.kind != OpKind::kInput && used.count(id) == 0) {
      remove(id);
      continue;
    }
    used.insert(candidate.inputs.begin(), candidate.inputs.end());
    kept.push_back(id);
  }
  const bool changed = kept.size() != order_.size();
  order_.assign(kept.rbegin(), kept.rend());
  return changed;
}

bool has_true_indices(const Graph& graph) {
  size_t num_operands = 0, num_uses = 0;
  for (NodeId id : graph.order_) {
    const Node& node = graph.node(id);
    if (!graph.names_.contains(node.name)) return false;
    num_operands += node.inputs.size();
    for (NodeId input : node.inputs) {
      const auto users = graph.uses_.find(input);
      const auto count = static_cast<size_t>(std::ranges::count(node.inputs, input));
      if (users == graph.uses_.end()) return false;
      const auto user = users->second.find(id);
      if (user == users->second.end() || user->second != count) return false;
    }
  }
  for (const auto& [id, users] : graph.uses_) {
    for (const auto& [user, count] : users) num_uses += count;
  }
  return graph.names_.size() == graph.order_.size() && num_uses == num_operands;
}

}  // namespace vta::graph
