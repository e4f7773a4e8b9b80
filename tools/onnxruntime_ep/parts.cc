// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/parts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/onnx_model.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

using Names = std::set<std::string>;

bool is_product(const Node& node) {
  static const Names kProducts = {"Conv",          "ConvInteger", "ConvTranspose", "Gemm", "MatMul",
                                  "MatMulInteger", "QLinearConv", "QLinearMatMul", "QGemm"};
  return kProducts.contains(node.op);
}

// What may follow a part's last product on the core.
bool is_epilogue(const Node& node) {
  static const Names kEpilogues = {"Add",
                                   "AveragePool",
                                   "Clip",
                                   "DequantizeLinear",
                                   "Flatten",
                                   "GlobalAveragePool",
                                   "HardSwish",
                                   "LeakyRelu",
                                   "MaxPool",
                                   "QLinearAdd",
                                   "QLinearAveragePool",
                                   "QLinearGlobalAveragePool",
                                   "QLinearLeakyRelu",
                                   "QuantizeLinear",
                                   "Relu"};
  if (node.op == "Add" &&
      std::ranges::count(node.inputs, "") + static_cast<std::ptrdiff_t>(node.consumed.size()) !=
          std::ssize(node.inputs)) {
    return false;  // of a constant, or of a value to itself
  }
  return kEpilogues.contains(node.op);
}

// Why the node is not for the core, whatever libvta says; "" if it may be.
std::string why_excluded(const Graph& graph, const Node& node) {
  if (!node.other_provider.empty()) return node.other_provider + " runs it";
  std::vector<std::string> names(node.consumed.begin(), node.consumed.end());
  names.insert(names.end(), node.outputs.begin(), node.outputs.end());
  for (const std::string& name : names) {
    if (name.empty()) continue;
    const Value& value = graph.value(name);
    switch (value.type) {
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
        break;
      default:
        return fmt::format("value '{}' is not float32, int8, uint8 or int32", name);
    }
    for (size_t axis = 1; axis < value.dims.size(); ++axis) {
      if (value.dims[axis] < 0)
        return fmt::format("axis {} of value '{}' has no fixed size", axis, name);
    }
  }
  return "";
}

// Nodes that depend on constants only, such as DequantizeLinear of weights. Their consumer takes
// them into its part.
std::set<size_t> constant_nodes(const Graph& graph, Names& values) {
  std::set<size_t> found;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (!node.other_provider.empty() || !std::ranges::includes(values, node.consumed)) continue;
    found.insert(i);
    values.insert(node.outputs.begin(), node.outputs.end());
  }
  return found;
}

// Asks libvta about nodes that it may take, in one model.
std::vector<std::string> asked(const Graph& graph, std::span<const size_t> nodes,
                               const Names& constant_values) {
  ModelParts parts{.nodes = {nodes.begin(), nodes.end()}};
  Names made, used;
  for (const size_t index : nodes) {
    const Node& node = graph.nodes()[index];
    used.insert(node.consumed.begin(), node.consumed.end());
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      made.insert(output);
      parts.outputs.push_back(output);
    }
  }
  for (const std::string& name : used) {
    if (constant_values.contains(name)) {
      parts.placeholders.insert(name);
    } else if (!made.contains(name)) {
      parts.inputs.push_back(name);
    }
  }
  const std::string model = onnx_model(graph, parts);
  vta_node_refusals* raw = nullptr;
  check(
      vta_node_refusals_parse(reinterpret_cast<const uint8_t*>(model.data()), model.size(), &raw));
  const NodeRefusals refusals(raw);
  std::vector<std::string> reasons;
  for (size_t i = 0; i < nodes.size(); ++i)
    reasons.emplace_back(vta_node_refusals_at(refusals.get(), i));
  return reasons;
}

// The same; if libvta does not read the model, asks for halves of it.
void ask(const Graph& graph, std::span<const size_t> nodes, const Names& constant_values,
         Refusals& refused) {
  if (nodes.empty()) return;
  try {
    const std::vector<std::string> reasons = asked(graph, nodes, constant_values);
    for (size_t i = 0; i < nodes.size(); ++i)
      if (!reasons[i].empty()) refused[nodes[i]] = reasons[i];
  } catch (const Error& error) {
    if (nodes.size() == 1) {
      refused[nodes[0]] = error.what();
      return;
    }
    const size_t half = nodes.size() / 2;
    ask(graph, nodes.first(half), constant_values, refused);
    ask(graph, nodes.subspan(half), constant_values, refused);
  }
}

// One pass over the nodes, in which each joins a part or none.
class Splitter {
 public:
  Splitter(const Graph& graph, const std::set<size_t>& constants, const Refusals& refused)
      : graph_(graph), constants_(constants), refused_(refused) {
    for (const size_t index : constants) {
      for (const std::string& output : graph.nodes()[index].outputs)
        if (!output.empty()) constant_node_of_[output] = index;
    }
    for (size_t i = 0; i < graph.nodes().size(); ++i) place(i);
  }

  // The nodes of each part.
  std::vector<std::vector<size_t>> parts() const {
    std::vector<std::vector<size_t>> parts;
    for (const Open& part : parts_) {
      parts.push_back(part.nodes);
      std::ranges::sort(parts.back());
    }
    return parts;
  }

 private:
  struct Open {
    std::vector<size_t> nodes;
    std::string input;
  };

  void place(size_t index) {
    const Node& node = graph_.nodes()[index];
    if (constants_.contains(index) || refused_.contains(index)) return;
    Names needed;
    for (const std::string& name : node.consumed)
      if (!constant_node_of_.contains(name)) needed.insert(name);
    Open* const part = part_for(needed);
    if (part != nullptr) add(*part, index);
  }

  // A part from whose input everything follows that the node needs; nullptr if there is none.
  Open* part_for(const Names& needed) {
    if (needed.empty()) return nullptr;
    for (size_t i = 0; i < parts_.size(); ++i) {
      const bool fits = std::ranges::all_of(needed, [&](const std::string& name) {
        const auto made = made_by_.find(name);
        return name == parts_[i].input || (made != made_by_.end() && made->second == i);
      });
      if (fits) return &parts_[i];
    }
    const Value& first = graph_.value(*needed.begin());
    const bool is_image = first.dims.size() == 2 || first.dims.size() == 4;
    if (needed.size() > 1 || first.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT || !is_image)
      return nullptr;
    parts_.push_back({{}, *needed.begin()});
    return &parts_.back();
  }

  // With the nodes of constants that it needs and that no part has.
  void add(Open& part, size_t index) {
    const Node& node = graph_.nodes()[index];
    for (const std::string& name : node.consumed) {
      const auto constant = constant_node_of_.find(name);
      if (constant == constant_node_of_.end()) continue;
      const size_t maker = constant->second;
      for (const std::string& output : graph_.nodes()[maker].outputs)
        constant_node_of_.erase(output);
      add(part, maker);
    }
    part.nodes.push_back(index);
    for (const std::string& output : node.outputs)
      made_by_[output] = static_cast<size_t>(&part - parts_.data());
  }

  const Graph& graph_;
  const std::set<size_t>& constants_;
  const Refusals& refused_;
  std::vector<Open> parts_;
  std::map<std::string, size_t> made_by_;           // values of parts
  std::map<std::string, size_t> constant_node_of_;  // values of constant nodes that no part has
};

// Nodes of a part that other providers should run, and why. Nodes of constants follow their
// consumers.
Refusals left(const Graph& graph, const Part& part, const std::set<size_t>& constants) {
  Refusals reasons;
  if (!has_product(graph, part)) {
    for (const size_t index : part.nodes)
      if (!constants.contains(index)) reasons[index] = "no products in its part";
    return reasons;
  }
  Names feeds_product;
  const auto feeds = [&](const Node& node) {
    return is_product(node) || std::ranges::any_of(node.outputs, [&](const std::string& output) {
             return feeds_product.contains(output);
           });
  };
  for (const size_t index : std::vector<size_t>(part.nodes.rbegin(), part.nodes.rend())) {
    const Node& node = graph.nodes()[index];
    if (feeds(node)) feeds_product.insert(node.consumed.begin(), node.consumed.end());
  }
  Names kept(part.inputs.begin(), part.inputs.end());
  for (const size_t index : part.nodes) {
    const Node& node = graph.nodes()[index];
    const bool continues = is_epilogue(node) && std::ranges::includes(kept, node.consumed);
    if (constants.contains(index) || feeds(node) || continues) {
      kept.insert(node.outputs.begin(), node.outputs.end());
    } else {
      reasons[index] = "after the last product of its part";
    }
  }
  return reasons;
}

// Where values of nodes go, when each part runs as one node.
class Paths {
 public:
  Paths(const Graph& graph, const std::vector<Part>& parts) : graph_(graph), parts_(parts) {
    for (size_t part = 0; part < parts.size(); ++part)
      for (const size_t index : parts[part].nodes) part_of_[index] = part;
    for (size_t i = 0; i < graph.nodes().size(); ++i)
      for (const std::string& name : graph.nodes()[i].consumed) consumers_[name].push_back(i);
  }

  // Whether a path leads from the node out of its part and back into it.
  bool lead_back(size_t index) const {
    const size_t part = part_of_.at(index);
    std::set<size_t> seen;
    std::vector<size_t> next;
    for (const size_t consumer : consumers_of(index))
      if (!is_in(consumer, part)) next.push_back(consumer);
    while (!next.empty()) {
      const size_t reached = next.back();
      next.pop_back();
      if (is_in(reached, part)) return true;
      if (!seen.insert(reached).second) continue;
      const std::vector<size_t> consumers = consumers_of(reached);
      next.insert(next.end(), consumers.begin(), consumers.end());
      if (const auto other = part_of_.find(reached); other != part_of_.end()) {
        const std::vector<size_t>& nodes = parts_[other->second].nodes;
        next.insert(next.end(), nodes.begin(), nodes.end());
      }
    }
    return false;
  }

 private:
  bool is_in(size_t index, size_t part) const {
    const auto found = part_of_.find(index);
    return found != part_of_.end() && found->second == part;
  }
  std::vector<size_t> consumers_of(size_t index) const {
    std::vector<size_t> consumers;
    for (const std::string& output : graph_.nodes()[index].outputs) {
      const auto found = consumers_.find(output);
      if (found != consumers_.end())
        consumers.insert(consumers.end(), found->second.begin(), found->second.end());
    }
    return consumers;
  }

  const Graph& graph_;
  const std::vector<Part>& parts_;
  std::map<size_t, size_t> part_of_;
  std::map<std::string, std::vector<size_t>> consumers_;  // of values
};

// Nodes with a constant that their part also gives to nodes that it waits for. ONNX Runtime would
// drop all parts.
Refusals circular(const Graph& graph, const std::vector<Part>& parts,
                  const std::set<size_t>& constants) {
  const Paths paths(graph, parts);
  Refusals reasons;
  for (const Part& part : parts) {
    Names values;  // constants that lead back into the part
    for (const size_t index : part.nodes) {
      const Node& node = graph.nodes()[index];
      const bool uses = std::ranges::any_of(
          node.consumed, [&](const std::string& name) { return values.contains(name); });
      if (!constants.contains(index)) {
        if (uses) reasons[index] = "its part would wait for itself";
      } else if (uses || paths.lead_back(index)) {
        values.insert(node.outputs.begin(), node.outputs.end());
      }
    }
  }
  return reasons;
}

}  // namespace

Part part_of(const Graph& graph, std::vector<size_t> nodes) {
  Part part{.nodes = std::move(nodes)};
  const std::set<size_t> own(part.nodes.begin(), part.nodes.end());
  Names made, used, used_outside;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    (own.contains(i) ? used : used_outside).insert(node.consumed.begin(), node.consumed.end());
    if (own.contains(i)) made.insert(node.outputs.begin(), node.outputs.end());
  }
  for (const std::string& input : graph.inputs())  // in their order
    if (used.contains(input)) part.inputs.push_back(input);
  for (const std::string& name : used) {
    if (!made.contains(name) && std::ranges::count(part.inputs, name) == 0)
      part.inputs.push_back(name);
  }
  for (const size_t index : part.nodes) {
    for (const std::string& name : graph.nodes()[index].outputs)
      if (!name.empty() && (used_outside.contains(name) || graph.is_output(name)))
        part.outputs.push_back(name);
  }
  return part;
}

Part whole(const Graph& graph) {
  std::vector<size_t> nodes;
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    if (graph.nodes()[i].other_provider.empty()) nodes.push_back(i);
  return part_of(graph, std::move(nodes));
}

Refusals excluded_nodes(const Graph& graph) {
  Names constant_values;
  const std::set<size_t> constant = constant_nodes(graph, constant_values);
  Refusals refused;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    if (constant.contains(i)) continue;
    const std::string why = why_excluded(graph, graph.nodes()[i]);
    if (!why.empty()) refused[i] = why;
  }
  return refused;
}

Refusals refused_nodes(const Graph& graph) {
  Names constant_values;
  const std::set<size_t> constant = constant_nodes(graph, constant_values);
  Refusals refused = excluded_nodes(graph);
  std::vector<size_t> others;
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    if (!constant.contains(i) && !refused.contains(i)) others.push_back(i);
  ask(graph, others, constant_values, refused);
  return refused;
}

std::vector<Part> split(const Graph& graph, Refusals refused) {
  Names values;
  const std::set<size_t> constants = constant_nodes(graph, values);
  while (true) {
    std::vector<Part> parts;
    Refusals others;
    for (std::vector<size_t>& nodes : Splitter(graph, constants, refused).parts()) {
      parts.push_back(part_of(graph, std::move(nodes)));
      others.merge(left(graph, parts.back(), constants));
    }
    others.merge(circular(graph, parts, constants));
    if (others.empty()) return parts;
    refused.merge(others);
  }
}

bool has_product(const Graph& graph, const Part& part) {
  return std::ranges::any_of(part.nodes,
                             [&](size_t index) { return is_product(graph.nodes()[index]); });
}

}  // namespace vta::onnxruntime_ep
