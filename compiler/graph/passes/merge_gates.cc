// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/merge_gates.h"

#include <cmath>
#include <numbers>
#include <optional>

#include "compiler/graph/passes/rewriting.h"

namespace vta::graph {
namespace {

// Exporters write 1 / 6 with few digits.
bool is_near(double value, double wanted) { return std::abs(value - wanted) < 1e-4 * wanted; }

// x of `kind`(x, number); nullopt for other nodes.
std::optional<NodeId> other_operand(const Graph& graph, NodeId id, OpKind kind, double number) {
  const Node& node = graph.node(id);
  if (node.kind != kind) return std::nullopt;
  const auto operands = with_number(graph, node);
  if (!operands || !is_near(operands->number, number)) return std::nullopt;
  return operands->tensor;
}

// x of clip(x + 3, 0, 6), which is six times the gate of hard_swish.
std::optional<NodeId> operand_of_clipped(const Graph& graph, NodeId id) {
  const Node& clip = graph.node(id);
  if (clip.kind != OpKind::kClip || clip.attrs.lo != 0 || clip.attrs.hi != 6) return std::nullopt;
  return other_operand(graph, clip.inputs[0], OpKind::kAdd, 3);
}

// x of hard_sigmoid(x) with the constants of hard_swish.
std::optional<NodeId> operand_of_hard_gate(const Graph& graph, NodeId id) {
  const Node& gate = graph.node(id);
  const bool is_gate = gate.kind == OpKind::kHardSigmoid && is_near(gate.attrs.alpha, 1.0 / 6) &&
                       is_near(gate.attrs.beta, 0.5);
  return is_gate ? std::optional(gate.inputs[0]) : std::nullopt;
}

std::optional<NodeId> operand_of_sigmoid(const Graph& graph, NodeId id) {
  const Node& gate = graph.node(id);
  return gate.kind == OpKind::kSigmoid ? std::optional(gate.inputs[0]) : std::nullopt;
}

// x of erf(x / sqrt(2)) + 1, which is twice the gate of gelu.
std::optional<NodeId> operand_of_gelu_gate(const Graph& graph, NodeId id) {
  const auto erf = other_operand(graph, id, OpKind::kAdd, 1);
  if (!erf || graph.node(*erf).kind != OpKind::kErf) return std::nullopt;
  return other_operand(graph, graph.node(*erf).inputs[0], OpKind::kMul, std::numbers::sqrt2 / 2);
}

// x of x * gate(x) or gate(x) * x.
template <typename OperandOfGate>
std::optional<NodeId> own_gate(const Graph& graph, NodeId id, OperandOfGate&& operand_of_gate) {
  const Node& product = graph.node(id);
  if (product.kind != OpKind::kMul) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<NodeId> x = operand_of_gate(graph, product.inputs[1 - i]);
    if (x && *x == product.inputs[i]) return x;
  }
  return std::nullopt;
}

// x of (x * twice the gate) * 0.5 and of (x * 0.5) * twice the gate.
std::optional<NodeId> operand_of_gelu(const Graph& graph, NodeId id) {
  if (const auto twice = other_operand(graph, id, OpKind::kMul, 0.5))
    return own_gate(graph, *twice, operand_of_gelu_gate);
  const Node& product = graph.node(id);
  for (size_t i = 0; i < 2; ++i) {
    const auto half = other_operand(graph, product.inputs[i], OpKind::kMul, 0.5);
    const auto x = operand_of_gelu_gate(graph, product.inputs[1 - i]);
    if (half && x && *half == *x) return x;
  }
  return std::nullopt;
}

bool merge(Graph& graph, NodeId id) {
  if (graph.node(id).kind != OpKind::kMul) return false;
  if (const auto x = own_gate(graph, id, operand_of_sigmoid)) {
    replace(graph, id, OpKind::kSilu, {*x}, {});
    return true;
  }
  if (const auto x = own_gate(graph, id, operand_of_hard_gate)) {
    replace(graph, id, OpKind::kHardSwish, {*x}, {});
    return true;
  }
  if (const auto x = operand_of_gelu(graph, id)) {
    replace(graph, id, OpKind::kGelu, {*x}, {});
    return true;
  }
  const auto six_times = other_operand(graph, id, OpKind::kMul, 1.0 / 6);
  if (!six_times) return false;
  if (const auto x = own_gate(graph, *six_times, operand_of_clipped)) {
    replace(graph, id, OpKind::kHardSwish, {*x}, {});
    return true;
  }
  const auto x = operand_of_clipped(graph, *six_times);
  if (!x) return false;
  const Attrs<OpKind::kHardSigmoid> attrs(attr::alpha{1.0 / 6}, attr::beta{0.5});
  replace(graph, id, OpKind::kHardSigmoid, {*x}, attrs);
  return true;
}

}  // namespace

bool merge_gates(Graph& graph) {
  bool changed = false;
  const std::vector<NodeId> order = graph.order();  // a copy: the loop changes the graph
  for (NodeId id : order) changed |= merge(graph, id);
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
