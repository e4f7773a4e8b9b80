// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <stdexcept>

#include "compiler/graph/graph.h"
#include "compiler/graph/names.h"

namespace vta::graph {
namespace {

constexpr int32_t kMaxChannelShift = 31;

template <typename... Args>
void need(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) {
    throw std::logic_error("graph: " + fmt::format(format, std::forward<Args>(args)...));
  }
}

bool is_well_formed(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_letter);
}

void verify_type(const Graph& graph, const Node& node) {
  need(node.attrs == attrs_for(node.kind, node.attrs), "%{} has attributes that {} does not have",
       node.name, to_string(node.kind));
  if (node.kind == OpKind::kInput) return;
  if (node.kind == OpKind::kConstant) {
    need(!node.value.empty() && node.value.type() == node.type,
         "the value of constant %{} is not of type {}", node.name, to_string(node.type));
    return;
  }
  std::vector<TensorType> types;
  for (NodeId input : node.inputs) types.push_back(graph.node(input).type);
  try {
    const TensorType type = infer_type(node.kind, node.attrs, types);
    need(type == node.type, "%{} has type {}, but its operands give {}", node.name,
         to_string(node.type), to_string(type));
  } catch (const Error& error) {
    need(false, "%{}: {}", node.name, error.what());
  }
}

// infer_type() does not see values.
void verify_shifts(const Graph& graph, const Node& node) {
  const bool may_have = node.kind == OpKind::kQConv2d || node.kind == OpKind::kQConv2dTranspose ||
                        node.kind == OpKind::kQDense;
  if (!may_have || node.attrs.scaled || node.inputs.size() < 4 ||
      !graph.is_constant(node.inputs[3]))
    return;
  const auto shifts = graph.node(node.inputs[3]).value.data<int32_t>();
  for (size_t channel = 0; channel < shifts.size(); ++channel) {
    need(shifts[channel] >= 0 && shifts[channel] <= kMaxChannelShift,
         "%{}: shift {} of channel {} is outside 0 to {}", node.name, shifts[channel], channel,
         kMaxChannelShift);
  }
}

void verify_inputs(const Graph& graph) {
  const std::vector<NodeId> inputs = graph.inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node& node = graph.node(inputs[i]);
    need(node.attrs.index == static_cast<int64_t>(i), "input %{} has index {}, expected {}",
         node.name, node.attrs.index, i);
  }
}

}  // namespace

void verify(const Graph& graph) {
  std::set<std::string> names;
  std::set<NodeId> seen;
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    need(node.id == id, "%{} has id {}, but is listed as {}", node.name, node.id, id);
    need(is_well_formed(node.name), "'{}' is not a valid name", node.name);
    need(names.insert(node.name).second, "two nodes have the name %{}", node.name);
    const bool is_source = node.kind == OpKind::kInput || node.kind == OpKind::kConstant;
    need(!is_source || node.inputs.empty(), "%{} is of kind {} but has operands", node.name,
         to_string(node.kind));
    for (NodeId input : node.inputs) {
      need(seen.count(input) != 0, "%{} uses node {}, which is not before it", node.name, input);
    }
    verify_type(graph, node);
    verify_shifts(graph, node);
    seen.insert(id);
  }
  need(has_true_indices(graph), "a name or operands were changed without the indices");
  verify_inputs(graph);
  need(!graph.outputs().empty(), "no outputs");
  for (NodeId id : graph.outputs()) need(seen.count(id) != 0, "output {} does not exist", id);
}

}  // namespace vta::graph
