// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/merge_quantized.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/gate.h"
#include "compiler/quantize/integer_layer.h"
#include "compiler/quantize/levels.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/matrix_zeros.h"
#include "runtime/host/host_operators.h"
#include "runtime/tensor/average.h"
#include "runtime/tensor/free_scales.h"
#include "runtime/tensor/leak.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// A chain that ends in a quantize: an operator, then any number of relus and clips, which narrow
// the result's levels.
struct Chain {
  NodeId quantize = -1, op = -1;
  Levels result;
};

std::optional<Chain> chain_before(const Graph& graph, NodeId quantize) {
  Chain chain{quantize, graph.node(quantize).inputs[0], levels_of(graph.node(quantize))};
  for (;;) {
    const Node& last = graph.node(chain.op);
    if (last.kind != OpKind::kRelu && last.kind != OpKind::kClip) return chain;
    if (!is_used_once(graph, last.id)) return std::nullopt;
    const Levels after = chain.result;
    chain.result.lo = after.of(last.kind == OpKind::kRelu ? 0 : last.attrs.lo);
    if (last.kind == OpKind::kClip) chain.result.hi = after.of(last.attrs.hi);
    chain.op = last.inputs[0];
  }
}

// A rounding to levels that is skipped moves a result by half a level; the rest of a level is left
// for ties and for factors of limited length.
constexpr double kMaxSkipped = 1.5;

// Levels of a layer whose result has levels `from`, is read as `read` and quantized to `to`: the
// three may have different scales. nullopt if the zero point is not an integer.
std::optional<Levels> moved_levels(const Levels& from, const Levels& read, const Levels& to) {
  constexpr double kMaxZero = 1 << 20;
  const double ratio = read.unit / to.unit;
  const double zero =
      static_cast<double>(to.zero) + static_cast<double>(from.zero - read.zero) * ratio;
  if (std::abs(zero) > kMaxZero || zero != std::floor(zero)) return std::nullopt;
  Levels moved = to;
  moved.unit = from.unit / ratio;
  moved.zero = static_cast<int64_t>(zero);
  moved.lo = to.of(read.real(from.lo));
  moved.hi = to.of(read.real(from.hi));
  return moved;
}

class Merger {
 public:
  explicit Merger(Graph& graph) : graph_(graph) {}

  Merged run() {
    bool changed = share_quantizes();
    const std::vector<NodeId> order = graph_.order();
    for (NodeId id : order) {
      if (graph_.node(id).kind == OpKind::kQuantize) {
        changed = merge(id) || changed;
      } else {
        changed = sink_dequantize(graph_, id) || changed;
      }
    }
    graph_.erase_dead();
    for (const auto& [id, name] : names_) {
      if (graph_.contains(id)) graph_.rename(id, graph_.free_name(name));
    }
    std::erase_if(layers_, [this](const auto& entry) { return !graph_.contains(entry.first); });
    return {changed, std::move(layers_)};
  }

 private:
  // Some exporters write a pair of conversions for each use of a tensor: equal quantizes become
  // one.
  bool share_quantizes() {
    bool changed = false;
    std::map<NodeId, std::vector<NodeId>> quantizes;  // by operand
    const std::vector<NodeId> order = graph_.order();
    for (NodeId id : order) {
      const Node& node = graph_.node(id);
      if (node.kind != OpKind::kQuantize) continue;
      std::vector<NodeId>& others = quantizes[node.inputs[0]];
      const auto equal = std::ranges::find_if(
          others, [&](NodeId other) { return graph_.node(other).attrs == node.attrs; });
      if (equal == others.end()) {
        others.push_back(id);
      } else if (!graph_.is_output(id)) {
        graph_.replace_uses(id, *equal);
        changed = true;
      }
    }
    graph_.erase_dead();
    return changed;
  }

  // Replaces the quantize `id` and what it quantizes.
  bool merge(NodeId id) {
    const auto chain = chain_before(graph_, id);
    if (!chain) return false;
    const Node& op = graph_.node(chain->op);
    if (op.kind == OpKind::kDequantize) return merge_requantization(*chain);
    if (!is_used_once(graph_, op.id)) return false;
    if (moves_elements(op)) return hoist_quantize(*chain);
    if (op.kind == OpKind::kConcat) return merge_concat(*chain);
    switch (form_of(graph_, op)) {
      case Form::kWeighted:
        return merge_layer(*chain);
      case Form::kMatrices:
        return merge_matrices(*chain);
      case Form::kSum:
        return merge_sum(*chain);
      case Form::kProduct:
        return merge_product(*chain);
      case Form::kAverage:
        return merge_average(*chain);
      case Form::kActivation:  // chain_before() has taken the others
        return merge_leaky(*chain);
      case Form::kLookup:
        return merge_lookup(*chain);
      default:
        return false;
    }
  }

  void replace(const Chain& chain, NodeId merged, const std::string& name) {
    graph_.replace_uses(chain.quantize, merged);
    names_[merged] = name;
  }

  // `leak`: of the leaky relu that the chain has after the layer.
  bool merge_layer(const Chain& chain, const LeakFactor& leak = {}) {
    const Node op = graph_.node(chain.op);
    auto layer = integer_layer_of(graph_, chain.quantize, op);
    if (!layer) return false;
    set_leak(leak, layer->attrs);
    const auto merged = layer->add_to(graph_, chain.quantize, chain.result);
    if (!merged) return false;
    layer->current = chain.result;
    layer->quantize = chain.quantize;
    replace(chain, *merged, op.name);
    layers_[*merged] = std::move(*layer);
    return true;
  }

  bool merge_matrices(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto a = level_operand(graph_, op.inputs[0]), b = level_operand(graph_, op.inputs[1]);
    if (!a || !b) return false;
    const int64_t inner = graph_.node(a->node).type.shape.back();
    const auto attrs = matrices_attrs(a->levels, b->levels, inner, chain.result);
    if (!attrs) return false;
    replace(chain, insert_qmatmul(graph_, chain.quantize, op.name, *a, *b, *attrs), op.name);
    return true;
  }

  bool merge_sum(const Chain& chain, const LeakFactor& leak = {}) {
    const Node op = graph_.node(chain.op);
    const auto a = level_operand(graph_, op.inputs[0]), b = level_operand(graph_, op.inputs[1]);
    if (!a || !b) return false;
    auto attrs = sum_attrs(*a, *b, chain.result);
    if (!attrs) return false;
    set_leak(leak, *attrs);
    if (attrs->leak != 0) attrs->result_zero = chain.result.zero;
    if (attrs->result_zero != 0 && attrs->shift < kMinOffsetShift) return false;
    const NodeId merged = graph_.insert_before(
        chain.quantize, OpKind::kQAdd, graph_.free_name(op.name), {a->node, b->node}, *attrs);
    replace(chain, merged, op.name);
    return true;
  }

  static std::optional<Attrs<OpKind::kQAdd>> sum_attrs(const LevelOperand& a, const LevelOperand& b,
                                                       const Levels& to) {
    const auto sum = scaled_sum(a.levels.unit / to.unit, a.levels.zero, b.levels.unit / to.unit,
                                b.levels.zero, to.zero);
    return sum ? std::optional(attrs_of(*sum, to)) : std::nullopt;
  }

  // The levels themselves, (q + q) >> 1, within limits.
  static Attrs<OpKind::kQAdd> clip_attrs(const Levels& to) {
    Attrs<OpKind::kQAdd> attrs(attr::shift{1});
    clip_to(to, attrs);
    return attrs;
  }

  static Attrs<OpKind::kQAdd> attrs_of(const ScaledSum& sum, const Levels& to) {
    Attrs<OpKind::kQAdd> attrs(attr::scaled{true}, attr::factor_a{sum.factor_a},
                               attr::factor_b{sum.factor_b}, attr::addend{sum.addend},
                               attr::shift{sum.shift});
    clip_to(to, attrs);
    return attrs;
  }

  // Without zero points, if a shift brings the product to the result's unit.
  bool merge_product(const Chain& chain, const LeakFactor& leak = {}) {
    const Node op = graph_.node(chain.op);
    const auto a = level_operand(graph_, op.inputs[0]), b = level_operand(graph_, op.inputs[1]);
    if (!a || !b || a->levels.zero != 0 || b->levels.zero != 0 || chain.result.zero != 0)
      return false;
    const auto shift = nearly_shift_of(a->levels.unit * b->levels.unit / chain.result.unit);
    if (!shift) return false;
    Attrs<OpKind::kQMul> attrs(attr::shift{*shift});
    clip_to(chain.result, attrs);
    set_leak(leak, attrs);
    const NodeId merged = graph_.insert_before(
        chain.quantize, OpKind::kQMul, graph_.free_name(op.name), {a->node, b->node}, attrs);
    replace(chain, merged, op.name);
    return true;
  }

  // The n of a ratio of nearly 2^-n: units are float32. Products of int8 do not wrap.
  static std::optional<int64_t> nearly_shift_of(double ratio) {
    constexpr double kExact = 1e-5;
    constexpr int64_t kLeast = -15, kMost = 31;
    const double exponent = std::round(std::log2(ratio));
    if (!(std::abs(ratio / std::exp2(exponent) - 1) < kExact)) return std::nullopt;
    const auto shift = -static_cast<int64_t>(exponent);
    return shift >= kLeast && shift <= kMost ? std::optional(shift) : std::nullopt;
  }

  bool merge_average(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto x = level_operand(graph_, op.inputs[0]);
    if (!x || !chain.result.is_full()) return false;
    Attrs<OpKind::kQAvgPool2d> attrs = op.attrs;
    if (op.kind == OpKind::kGlobalAvgPool2d) {
      const std::vector<int64_t>& shape = graph_.node(x->node).type.shape;
      attrs.kernel = {shape[2], shape[3]};
    }
    attrs.ratio = x->levels.unit / chain.result.unit;
    if (attrs.ratio > kMaxAverageRatio) return false;
    attrs.zero = x->levels.zero;
    attrs.result_zero = chain.result.zero;
    const NodeId merged = graph_.insert_before(chain.quantize, OpKind::kQAvgPool2d,
                                               graph_.free_name(op.name), {x->node}, attrs);
    replace(chain, merged, op.name);
    return true;
  }

  static void set_leak(const LeakFactor& leak, auto& attrs) {
    if (leak == LeakFactor{}) return;
    attrs.leak = leak.multiplier;
    attrs.leak_shift = leak.shift;
  }

  // The slope is the layer's, sum's or product's own. After other operators,
  // slope * x + (1 - slope) * max(x, 0) is a sum.
  bool merge_leaky(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const double slope = op.attrs.alpha;
    const Chain before{chain.quantize, op.inputs[0], chain.result};
    const Node& real = graph_.node(before.op);
    const Form form = form_of(graph_, real);
    if (takes_leak(chain.result) && is_used_once(graph_, real.id)) {
      if (form == Form::kWeighted) return merge_layer(before, leak_factor(slope));
      if (form == Form::kSum) return merge_sum(before, leak_factor(slope));
      if (form == Form::kProduct) return merge_product(before, leak_factor(slope));
    }
    const auto x = level_operand(graph_, op.inputs[0]);
    if (!x) return false;
    const Attrs<OpKind::kQAdd> positive = clip_attrs({.lo = x->levels.zero});
    const double ratio = x->levels.unit / chain.result.unit;
    const auto sum = scaled_sum(slope * ratio, x->levels.zero, (1 - slope) * ratio, x->levels.zero,
                                chain.result.zero);
    if (!sum) return false;
    const NodeId relu =
        graph_.insert_before(chain.quantize, OpKind::kQAdd, graph_.free_name(op.name + ".positive"),
                             {x->node, x->node}, positive);
    const NodeId merged =
        graph_.insert_before(chain.quantize, OpKind::kQAdd, graph_.free_name(op.name),
                             {x->node, relu}, attrs_of(*sum, chain.result));
    replace(chain, merged, op.name);
    return true;
  }

  // Gates are sums and products on the core. Else a table holds the result for every level.
  bool merge_lookup(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto x = level_operand(graph_, op.inputs[lookup_operand(graph_, op)]);
    if (!x) return false;
    if (const auto gate = integer_gate(op, x->levels, chain.result)) {
      replace(chain,
              graph_.insert_before(chain.quantize, gate->kind, graph_.free_name(op.name),
                                   {x->node, x->node}, gate->attrs),
              op.name);
      return true;
    }
    Tensor numbers(TensorType{DType::kFloat32, {256}});
    for (int64_t i = 0; i < 256; ++i)
      numbers.mutable_data<float>()[static_cast<size_t>(i)] =
          static_cast<float>(x->levels.real(i - 128));
    const Tensor results = evaluate_lookup(graph_, op, numbers);
    Tensor table(TensorType{DType::kInt8, {256}});
    for (size_t i = 0; i < 256; ++i)
      table.mutable_data<int8_t>()[i] =
          static_cast<int8_t>(chain.result.of(double{results.data<float>()[i]}));
    const NodeId constant = graph_.insert_constant_before(
        chain.quantize, graph_.free_name(op.name + ".table"), std::move(table));
    const NodeId merged = graph_.insert_before(chain.quantize, OpKind::kLookup,
                                               graph_.free_name(op.name), {x->node, constant}, {});
    replace(chain, merged, op.name);
    return true;
  }

  bool merge_requantization(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto merged = requantized(chain, op.id);
    if (!merged) return false;
    graph_.replace_uses(chain.quantize, *merged);
    return true;
  }

  // The operands at the result's scale.
  bool merge_concat(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto are_levels = [&](NodeId input) { return level_operand(graph_, input).has_value(); };
    if (std::ranges::none_of(op.inputs, are_levels)) return false;
    if (!chain.result.is_full() && !std::ranges::all_of(op.inputs, are_levels)) return false;
    std::vector<NodeId> operands;
    for (NodeId input : op.inputs) {
      const auto operand = are_levels(input) ? requantized(chain, input) : quantized(chain, input);
      if (!operand) return false;
      operands.push_back(*operand);
    }
    const NodeId merged = graph_.insert_before(chain.quantize, OpKind::kConcat,
                                               graph_.free_name(op.name), operands, op.attrs);
    replace(chain, merged, op.name);
    return true;
  }

  std::optional<NodeId> quantized(const Chain& chain, NodeId real) {
    const OpAttrs attrs = graph_.node(chain.quantize).attrs;
    const std::string name = graph_.free_name(graph_.node(real).name + ".quantize");
    return graph_.insert_before(chain.quantize, OpKind::kQuantize, name, {real}, attrs);
  }

  // The operand of `dequantize` with the levels of the chain's result. nullopt: scales too far
  // apart.
  std::optional<NodeId> requantized(const Chain& chain, NodeId dequantize) {
    const LevelOperand x = level_operand(graph_, dequantize).value();
    if (x.levels.has_same_scale(chain.result) && chain.result.is_full()) return x.node;
    const auto layer = layers_.find(x.node);
    if (layer != layers_.end() && is_used_once(graph_, x.node) &&
        is_used_once(graph_, dequantize)) {
      if (const auto moved = moved_layer(chain, x)) return moved;
    }
    std::optional<Attrs<OpKind::kQAdd>> attrs;
    if (x.levels.has_same_scale(chain.result)) {
      attrs = clip_attrs(chain.result);
    } else if (const auto sum = scaled_sum(x.levels.unit / chain.result.unit, x.levels.zero, 0, 0,
                                           chain.result.zero)) {
      attrs = attrs_of(*sum, chain.result);
    }
    if (!attrs) return std::nullopt;
    const std::string name = graph_.free_name(graph_.node(x.node).name + ".requantize");
    return graph_.insert_before(chain.quantize, OpKind::kQAdd, name, {x.node, x.node}, *attrs);
  }

  // The layer of x with the levels of the chain's result. nullopt if that differs by more than a
  // level from two roundings, if the zero point is not an integer, or if results exceed 32 bits.
  std::optional<NodeId> moved_layer(const Chain& chain, const LevelOperand& x) {
    IntegerLayer layer = layers_.at(x.node);
    const auto to = moved_levels(layer.current, x.levels, chain.result);
    if (!to) return std::nullopt;
    if (to->unit != layer.current.unit) layer.skipped_units += layer.current.unit;
    if (layer.skipped_units > kMaxSkipped * to->unit) return std::nullopt;
    const auto moved = layer.add_to(graph_, chain.quantize, *to);
    if (!moved) return std::nullopt;
    layer.current = *to;
    layer.quantize = chain.quantize;
    names_[*moved] = layer.name;
    layers_[*moved] = std::move(layer);
    return moved;
  }

  // quantize(move(x)) -> move(quantize(x)), then merges the quantize.
  bool hoist_quantize(const Chain& chain) {
    const Node op = graph_.node(chain.op);
    const auto attrs = attrs_on_levels(op, chain.result);
    if (!chain.result.is_full() || !attrs || op.inputs.size() != 1) return false;
    const NodeId levels = *quantized(chain, op.inputs[0]);
    const NodeId moved =
        graph_.insert_before(chain.quantize, op.kind, graph_.free_name(op.name), {levels}, *attrs);
    replace(chain, moved, op.name);
    erase(chain);  // the layer before has one use then, and merges
    merge(levels);
    return true;
  }

  // From the quantize, which has no use any more, back to the operator.
  void erase(const Chain& chain) {
    NodeId next = chain.quantize;
    for (NodeId id = -1; id != chain.op;) {
      id = next;
      next = graph_.node(id).inputs[0];
      graph_.erase(id);
    }
  }

  Graph& graph_;
  std::map<NodeId, std::string> names_;  // of merged operators, set after the old ones are removed
  std::map<NodeId, IntegerLayer> layers_;
};

}  // namespace

Merged merge_quantized_layers(Graph& graph) { return Merger(graph).run(); }

bool merge_quantized(Graph& graph) { return merge_quantized_layers(graph).changed; }

}  // namespace vta::quantize
