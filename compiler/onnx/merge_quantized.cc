// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/merge_quantized.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace vta::onnx {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int64_t kMaxShift = 31;

// A chain that ends in a quantize: an operator, then optionally an activation.
struct Chain {
  NodeId quantize = -1;
  NodeId op = -1;  // conv2d, dense, add or data movement
  bool relu = false;
  double limit = 127;  // upper bound, in units of the result
};

// The int8 operand of a dequantize and its fractional bits.
struct Int8Operand {
  NodeId node = -1;
  int64_t frac_bits = 0;
};

std::optional<Int8Operand> int8_operand(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.kind != OpKind::kDequantize || node.attrs.divisor != 1) return std::nullopt;
  if (graph.node(node.inputs[0]).type.dtype != DType::kInt8) return std::nullopt;
  return Int8Operand{node.inputs[0], node.attrs.frac_bits};
}

bool is_used_once(const Graph& graph, NodeId id) {
  return graph.users(id).size() == 1 && !graph.is_output(id);
}

std::optional<Chain> chain_before(const Graph& graph, NodeId quantize) {
  Chain chain{quantize, graph.node(quantize).inputs[0], false, 127};
  const Node& last = graph.node(chain.op);
  if (!is_used_once(graph, chain.op)) return std::nullopt;
  if (last.kind == OpKind::kRelu || (last.kind == OpKind::kClip && last.attrs.lo == 0)) {
    chain.relu = true;
    if (last.kind == OpKind::kClip) {
      const auto frac_bits = static_cast<int>(graph.node(quantize).attrs.frac_bits);
      chain.limit = std::min(127.0, std::round(std::ldexp(last.attrs.hi, frac_bits)));
    }
    chain.op = last.inputs[0];
    if (!is_used_once(graph, chain.op)) return std::nullopt;
  }
  return chain;
}

bool are_integers(std::span<const float> values, int64_t frac_bits, double limit) {
  return std::all_of(values.begin(), values.end(), [&](float value) {
    const double scaled = std::ldexp(double{value}, static_cast<int>(frac_bits));
    return std::abs(scaled) <= limit && scaled == std::floor(scaled);
  });
}

// The smallest f such that all values are multiples of 2^-f.
std::optional<int64_t> exact_frac_bits(std::span<const float> values, double limit) {
  constexpr int64_t kFirst = -16, kLast = 40;
  for (int64_t frac_bits = kFirst; frac_bits <= kLast; ++frac_bits) {
    if (are_integers(values, frac_bits, limit)) return frac_bits;
  }
  return std::nullopt;
}

template <typename T>
Tensor scaled(const Tensor& real, int64_t frac_bits) {
  Tensor result({dtype_of<T>(), real.shape()});
  const std::span<const float> from = real.data<float>();
  std::transform(from.begin(), from.end(), result.mutable_data<T>().begin(), [&](float value) {
    return static_cast<T>(std::ldexp(double{value}, static_cast<int>(frac_bits)));
  });
  return result;
}

void set_requantization(const Chain& chain, int64_t shift, OpAttrs& attrs) {
  attrs.shift = shift;
  attrs.relu = chain.relu;
  attrs.lo = chain.relu ? 0 : -127;
  attrs.hi = chain.limit;
}

// Whether the core supports the shift without overflow of sums up to `largest`.
bool is_shift(int64_t shift, double largest) {
  if (shift < -kMaxShift || shift > kMaxShift) return false;
  return std::ldexp(largest, static_cast<int>(std::max<int64_t>(-shift, 0))) < 0x1p31;
}

// The largest absolute sum of an output: weights times int8 values, plus bias.
double largest_sum(const Tensor& weights, const Tensor& bias) {
  const auto w = weights.data<int8_t>();
  const auto b = bias.data<int32_t>();
  const size_t row_elems = w.size() / b.size();
  double largest = 0;
  for (size_t row = 0; row < b.size(); ++row) {
    double sum = std::abs(static_cast<double>(b[row]));
    for (int8_t x : w.subspan(row * row_elems, row_elems)) sum += 128.0 * std::abs(int{x});
    largest = std::max(largest, sum);
  }
  return largest;
}

class Merger {
 public:
  explicit Merger(Graph& graph) : graph_(graph) {}

  bool run() {
    bool changed = false;
    const std::vector<NodeId> order = graph_.order();
    for (NodeId id : order) {
      if (graph_.node(id).kind != OpKind::kQuantize) continue;
      const std::optional<Chain> chain = chain_before(graph_, id);
      if (chain) changed = merge(*chain) || changed;
    }
    graph_.erase_dead();
    for (const auto& [id, name] : names_) graph_.node(id).name = graph_.free_name(name);
    return changed;
  }

 private:
  bool merge(const Chain& chain) {
    switch (graph_.node(chain.op).kind) {
      case OpKind::kConv2d:
        return merge_product(chain, OpKind::kQConv2d);
      case OpKind::kDense:
        return merge_product(chain, OpKind::kQDense);
      case OpKind::kAdd:
        return merge_add(chain);
      case OpKind::kMaxPool2d:
      case OpKind::kGlobalMaxPool2d:
      case OpKind::kFlatten:
      case OpKind::kReshape:
      case OpKind::kTranspose:
      case OpKind::kStridedSlice:
      case OpKind::kDequantize:
        return merge_move(chain);
      default:
        return false;
    }
  }

  int64_t result_bits(const Chain& chain) const {
    return graph_.node(chain.quantize).attrs.frac_bits;
  }

  bool merge_product(const Chain& chain, OpKind kind) {
    const Node& op = graph_.node(chain.op);
    const std::optional<Int8Operand> x = int8_operand(graph_, op.inputs[0]);
    const Node& weights = graph_.node(op.inputs[1]);
    if (!x || weights.kind != OpKind::kConstant) return false;
    const std::optional<int64_t> frac_bits = exact_frac_bits(weights.value.data<float>(), 127);
    if (!frac_bits) return false;
    const int64_t sum_bits = x->frac_bits + *frac_bits;
    OpAttrs attrs = op.attrs;
    set_requantization(chain, sum_bits - result_bits(chain), attrs);
    Tensor bias({DType::kInt32, {weights.type.shape[0]}});
    if (op.inputs.size() == 3) {
      const Node& real = graph_.node(op.inputs[2]);
      constexpr double kMaxBias = 1 << 30;
      if (real.kind != OpKind::kConstant ||
          !are_integers(real.value.data<float>(), sum_bits, kMaxBias)) {
        return false;
      }
      bias = scaled<int32_t>(real.value, sum_bits);
    }
    Tensor integers = scaled<int8_t>(weights.value, *frac_bits);
    if (!is_shift(attrs.shift, largest_sum(integers, bias))) return false;
    const std::string name = op.name;
    const NodeId w = constant(chain, name + ".weight", std::move(integers));
    const NodeId b = constant(chain, name + ".bias", std::move(bias));
    replace(chain, kind, name, {x->node, w, b}, attrs);
    return true;
  }

  bool merge_add(const Chain& chain) {
    const Node& op = graph_.node(chain.op);
    const std::optional<Int8Operand> a = int8_operand(graph_, op.inputs[0]),
                                     b = int8_operand(graph_, op.inputs[1]);
    if (!a || !b || graph_.node(a->node).type != graph_.node(b->node).type) return false;
    const int64_t sum_bits = std::max(a->frac_bits, b->frac_bits);
    OpAttrs attrs;
    attrs.shift_a = sum_bits - a->frac_bits;
    attrs.shift_b = sum_bits - b->frac_bits;
    set_requantization(chain, sum_bits - result_bits(chain), attrs);
    // With a larger difference, one operand alone would fill 32 bits.
    constexpr int64_t kMaxOperandShift = 16;
    if (attrs.shift_a > kMaxOperandShift || attrs.shift_b > kMaxOperandShift) return false;
    const double largest = std::ldexp(128, static_cast<int>(attrs.shift_a)) +
                           std::ldexp(128, static_cast<int>(attrs.shift_b));
    if (!is_shift(attrs.shift, largest)) return false;
    replace(chain, OpKind::kQAdd, op.name, {a->node, b->node}, attrs);
    return true;
  }

  bool merge_move(const Chain& chain) {
    const Node& op = graph_.node(chain.op);
    if (chain.relu) return false;
    const bool is_identity = op.kind == OpKind::kDequantize;
    const std::optional<Int8Operand> x =
        int8_operand(graph_, is_identity ? chain.op : op.inputs[0]);
    if (!x || x->frac_bits != result_bits(chain)) return false;
    if (is_identity) {
      graph_.replace_uses(chain.quantize, x->node);
    } else {
      replace(chain, op.kind, op.name, {x->node}, op.attrs);
    }
    return true;
  }

  NodeId constant(const Chain& chain, const std::string& name, Tensor value) {
    return graph_.insert_constant_before(chain.quantize, graph_.free_name(name), std::move(value));
  }

  void replace(const Chain& chain, OpKind kind, const std::string& name, std::vector<NodeId> inputs,
               const OpAttrs& attrs) {
    const NodeId merged = graph_.insert_before(chain.quantize, kind, graph_.free_name(name),
                                               std::move(inputs), attrs);
    graph_.replace_uses(chain.quantize, merged);
    names_[merged] = name;
  }

  Graph& graph_;
  std::map<NodeId, std::string> names_;  // of merged operators, set after the old ones are removed
};

}  // namespace

bool merge_quantized(Graph& graph) { return Merger(graph).run(); }

}  // namespace vta::onnx
