// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/packed_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/program/packed_types.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// The name of the core's convolution without its requantization; null: printed as it is.
const char* accumulation_of(OpKind kind) {
  switch (kind) {
    case OpKind::kQConv2d:
      return "conv2d";
    case OpKind::kQConv2dTranspose:
      return "conv2d_transpose";
    case OpKind::kQDense:
      return "dense";
    default:
      return nullptr;
  }
}

class PackedText {
 public:
  PackedText(const Graph& graph, const CoreConfig& core) : graph_(graph), core_(core) {}

  std::string write() {
    text_ = fmt::format("graph {}\n", graph_.name);
    for (const NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      if (node.on_core) {
        write_on_core(node);
      } else if (node.kind != OpKind::kConstant) {
        write_on_host(node);
      }
    }
    std::vector<std::string> results;
    for (const NodeId id : graph_.outputs()) results.push_back(on_host(id));
    text_ += fmt::format("return {}\n", fmt::join(results, ", "));
    return std::move(text_);
  }

 private:
  TensorType packed(const Node& node, Layout layout) const {
    return packed_type(node.type, layout, core_);
  }

  void line(const std::string& name, const std::string& value, const TensorType* type = nullptr) {
    text_ += fmt::format("%{} = {}{}\n", name, value, type ? " : " + to_string(*type) : "");
  }

  // The value of a node as the host reads it.
  std::string on_host(NodeId id) {
    const Node& node = graph_.node(id);
    if (!node.on_core) return "%" + node.name;
    const std::string name = node.name + ".bitunpack";
    if (unpacked_.insert(id).second)
      line(name, fmt::format("bitunpack({}) {{layout = \"NCHW\"}}", result(id)), &node.type);
    return "%" + name;
  }

  // The same as the core reads it.
  std::string on_core(NodeId id, Layout layout) {
    const Node& node = graph_.node(id);
    if (node.on_core) return result(id);
    const std::string name = node.name + ".bitpack";
    const TensorType type = packed(node, layout);
    if (packed_.insert(id).second) {
      line(name,
           fmt::format("bitpack(%{}) {{layout = \"{}\"}}", node.name, packed_layout(layout, core_)),
           &type);
    }
    return "%" + name;
  }

  std::string result(NodeId id) const {
    const auto found = results_.find(id);
    return "%" + (found == results_.end() ? graph_.node(id).name : found->second);
  }

  static std::string attributes(const Node& node) {
    const std::string text = to_string(node.kind, node.attrs);
    return text.empty() ? "" : " " + text;
  }

  void write_on_host(const Node& node) {
    std::vector<std::string> operands;
    for (const NodeId id : node.inputs) operands.push_back(on_host(id));
    line(node.name,
         fmt::format("{}({}){}", to_string(node.kind), fmt::join(operands, ", "), attributes(node)),
         &node.type);
  }

  void write_on_core(const Node& node) {
    const char* const accumulation = node.attrs.scaled ? nullptr : accumulation_of(node.kind);
    if (accumulation != nullptr) return write_product(node, accumulation);
    if (node.kind == OpKind::kQAdd && !node.attrs.scaled) return write_addition(node);
    std::vector<std::string> operands;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      operands.push_back(graph_.is_constant(node.inputs[i])
                             ? "%" + graph_.node(node.inputs[i]).name
                             : on_core(node.inputs[i], operand_layout(node.kind, i)));
    }
    const TensorType type = packed(node, result_layout(node.kind));
    line(node.name,
         fmt::format("{}({}){}", to_string(node.kind), fmt::join(operands, ", "), attributes(node)),
         &type);
  }

  void write_product(const Node& node, const char* accumulation) {
    const Node &weights = graph_.node(node.inputs[1]), &bias = graph_.node(node.inputs[2]);
    const TensorType packed_weights = packed_weight_type(weights.type, core_);
    const TensorType packed_bias = packed_channel_type(bias.type, core_);
    TensorType sums = packed(node, Layout::kImages);
    sums.dtype = DType::kInt32;
    OpAttrs windows = node.attrs;  // without requantization, which follows
    windows.shift = windows.lo = windows.hi = 0;
    windows.relu = false;
    std::string attrs = to_string(node.kind, windows);
    if (!attrs.empty()) attrs = attrs.substr(1, attrs.size() - 2) + ", ";
    const std::string x = on_core(node.inputs[0], Layout::kImages);
    line(node.name,
         fmt::format("{}({}, %{} : {}) {{{}data_layout = \"{}\", kernel_layout = \"{}\"}}",
                     accumulation, x, weights.name, to_string(packed_weights), attrs,
                     packed_layout(Layout::kImages, core_), packed_weight_layout(core_)),
         &sums);
    step(node,
         fmt::format("add({}, %{} : {})", result(node.id), bias.name, to_string(packed_bias)));
    if (node.inputs.size() > 3) {
      const Node& shifts = graph_.node(node.inputs[3]);
      requantize(node, fmt::format("%{}", shifts.name),
                 fmt::format("(1 << %{}) >> 1", shifts.name));  // 0 for a shift of 0
    } else {
      requantize(node, node.attrs.shift);
    }
  }

  void write_addition(const Node& node) {
    TensorType sums = packed(node, Layout::kImages);
    sums.dtype = DType::kInt32;
    std::vector<std::string> operands;
    const int64_t shifts[] = {node.attrs.shift_a, node.attrs.shift_b};
    for (size_t i = 0; i < 2; ++i) {
      operands.push_back(on_core(node.inputs[i], Layout::kImages));
      if (shifts[i] == 0) continue;
      const std::string name = fmt::format("{}.{}", node.name, i == 0 ? "a" : "b");
      line(name, fmt::format("left_shift({}, {})", operands[i], shifts[i]), &sums);
      operands[i] = "%" + name;
    }
    line(node.name, fmt::format("add({})", fmt::join(operands, ", ")), &sums);
    requantize(node, node.attrs.shift);
  }

  // A negative shift is one to the left, which does not round.
  void requantize(const Node& node, int64_t shift) {
    if (shift > 0)
      return requantize(node, fmt::format("{}", shift),
                        fmt::format("{}", int64_t{1} << (shift - 1)));
    if (shift < 0) step(node, fmt::format("left_shift({}, {})", result(node.id), -shift));
    requantize(node, "", "");
  }

  // `shift`: "" for none.
  void requantize(const Node& node, const std::string& shift, const std::string& rounding) {
    if (node.attrs.relu) step(node, fmt::format("relu({})", result(node.id)));
    if (!shift.empty()) {
      step(node, fmt::format("add({}, {})", result(node.id), rounding));
      step(node, fmt::format("right_shift({}, {})", result(node.id), shift));
    }
    if (node.attrs.leak != 0)
      step(node, fmt::format("leaky_relu({}) {{leak = {}, leak_shift = {}, result_zero = {}}}",
                             result(node.id), node.attrs.leak, node.attrs.leak_shift,
                             node.attrs.result_zero));
    const TensorType type = packed(node, Layout::kImages);
    step(node, fmt::format("clip({}, {}, {})", result(node.id), node.attrs.lo, node.attrs.hi),
         &type);
  }

  // A line on the result so far, which becomes the result.
  void step(const Node& node, const std::string& value, const TensorType* type = nullptr) {
    const std::string name = fmt::format("{}.{}", node.name, ++steps_[node.id]);
    line(name, value, type);
    results_[node.id] = name;
  }

  const Graph& graph_;
  const CoreConfig& core_;
  std::string text_;
  std::map<NodeId, std::string> results_;  // of nodes of several lines: the last one's name
  std::map<NodeId, int> steps_;
  std::set<NodeId> packed_, unpacked_;
};

}  // namespace

std::string packed_text(const Graph& graph, const CoreConfig& core) {
  return PackedText(graph, core).write();
}

}  // namespace vta::lower
