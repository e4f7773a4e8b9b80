// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/rewrite.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/quantize/power_of_two.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr int kMaxShift = 31;  // of an int32

class Rewriter {
 public:
  Rewriter(const Graph& source, const Regions& regions, const Scales& scales,
           const RewriteOptions& options)
      : source_(source), regions_(regions), scales_(scales), options_(options) {}

  Graph run() {
    result_.name = source_.name;
    for (NodeId id : source_.order()) add(source_.node(id));
    std::vector<NodeId> outputs;
    for (NodeId id : source_.outputs()) outputs.push_back(float_value(id));
    result_.set_outputs(outputs);
    result_.erase_dead();
    return std::move(result_);
  }

 private:
  void add(const Node& node) {
    if (node.kind == OpKind::kInput) {
      floats_[node.id] = result_.add_input(unique(node.name), node.type);
    } else if (node.kind == OpKind::kConstant) {
      return;  // taken over where it is used
    } else if (regions_.is_integer(node.id)) {
      add_integer(node);
    } else if (node.kind == OpKind::kGlobalAvgPool2d && regions_.is_integer(node.inputs[0])) {
      add_average(node);
    } else {
      std::vector<NodeId> inputs;
      for (NodeId input : node.inputs) inputs.push_back(float_value(input));
      floats_[node.id] = result_.add(node.kind, unique(node.name), inputs, node.attrs);
    }
  }

  void add_integer(const Node& node) {
    switch (node.kind) {
      case OpKind::kConv2d:
      case OpKind::kDense:
        return add_weighted(node);
      case OpKind::kAdd:
        return add_sum(node, node.inputs[0], node.inputs[1]);
      case OpKind::kRelu:
      case OpKind::kClip:
        return add_activation(node);
      default:
        ints_[node.id] =
            result_.add(node.kind, unique(node.name), {int_value(node.inputs[0])}, node.attrs);
    }
  }

  void add_weighted(const Node& node) {
    const int frac_in = frac_bits(node.inputs[0]), frac_weights = scales_.weights.at(node.id);
    const Node& weights = source_.node(node.inputs[1]);
    const NodeId x = int_value(node.inputs[0]);
    const NodeId w =
        result_.add_constant(unique(weights.name), quantize_weights(weights.value, frac_weights));
    const bool has_bias = node.inputs.size() == 3;
    const Tensor bias = has_bias ? source_.node(node.inputs[2]).value
                                 : Tensor(TensorType{DType::kFloat32, {weights.type.shape[0]}});
    const NodeId b = result_.add_constant(
        unique(has_bias ? source_.node(node.inputs[2]).name : node.name + ".bias"),
        quantize_bias(bias, frac_in + frac_weights));
    OpAttrs attrs = node.attrs;
    requantize(node, frac_in + frac_weights, attrs);
    ints_[node.id] = result_.add(node.kind == OpKind::kConv2d ? OpKind::kQConv2d : OpKind::kQDense,
                                 unique(node.name), {x, w, b}, attrs);
  }

  // The operand with the coarser scale is shifted up to the finer one.
  void add_sum(const Node& node, NodeId a, NodeId b) {
    const int frac_a = frac_bits(a), frac_b = frac_bits(b), finer = std::max(frac_a, frac_b);
    OpAttrs attrs;
    attrs.shift_a = checked_shift(node, finer - frac_a);
    attrs.shift_b = checked_shift(node, finer - frac_b);
    requantize(node, finer, attrs);
    const NodeId x = int_value(a), y = int_value(b);
    ints_[node.id] = result_.add(OpKind::kQAdd, unique(node.name), {x, y}, attrs);
  }

  // Alone, an activation is x + x at twice the scale: no operator of its own is needed.
  void add_activation(const Node& node) {
    const auto producer = regions_.fused_activation.find(node.inputs[0]);
    if (producer != regions_.fused_activation.end() && producer->second == node.id) {
      ints_[node.id] = ints_.at(node.inputs[0]);
      return;
    }
    OpAttrs attrs;
    requantize(node, frac_bits(node.inputs[0]) + 1, attrs);
    clip_as(node, attrs);
    const NodeId x = int_value(node.inputs[0]);
    ints_[node.id] = result_.add(OpKind::kQAdd, unique(node.name), {x, x}, attrs);
  }

  // Sets what brings a sum at `frac_sum` to the scale of the node's result.
  void requantize(const Node& node, int frac_sum, OpAttrs& attrs) {
    attrs.shift = checked_shift(node, frac_sum - frac_bits(node.id));
    attrs.lo = -kMaxInt8;
    attrs.hi = kMaxInt8;
    const auto activation = regions_.fused_activation.find(node.id);
    if (activation != regions_.fused_activation.end())
      clip_as(source_.node(activation->second), attrs);
  }

  void clip_as(const Node& activation, OpAttrs& attrs) {
    if (activation.kind == OpKind::kClip) {
      const int frac = frac_bits(activation.id);
      attrs.lo = quantized(activation.attrs.lo, frac);
      attrs.hi = quantized(activation.attrs.hi, frac);
      attrs.relu = attrs.lo == 0;
      return;
    }
    attrs.relu = true;
    attrs.lo = 0;
  }

  void add_average(const Node& node) {
    const NodeId x = int_value(node.inputs[0]);
    OpAttrs attrs;
    attrs.frac_bits = frac_bits(node.inputs[0]);
    const std::vector<int64_t>& shape = source_.node(node.inputs[0]).type.shape;
    if (!options_.truncate_average) attrs.divisor = static_cast<double>(shape[2] * shape[3]);
    const OpKind kind =
        options_.truncate_average ? OpKind::kGlobalAvgPool2d : OpKind::kGlobalSumPool2d;
    const NodeId sum = result_.add(kind, unique(node.name), {x});
    floats_[node.id] =
        result_.add(OpKind::kDequantize, unique(node.name + ".dequantize"), {sum}, attrs);
  }

  // The result of `id` in the new graph, as int8 or as float, converted at its first use in the
  // other form.
  NodeId int_value(NodeId id) {
    const auto found = ints_.find(id);
    if (found != ints_.end()) return found->second;
    OpAttrs attrs;
    attrs.frac_bits = frac_bits(id);
    const Node& node = source_.node(id);
    if (node.kind == OpKind::kConstant) {
      const Tensor value = host::execute(OpKind::kQuantize, attrs, {node.value});
      return ints_[id] = result_.add_constant(unique(node.name), value);
    }
    return ints_[id] = result_.add(OpKind::kQuantize, unique(node.name + ".quantize"),
                                   {floats_.at(id)}, attrs);
  }

  NodeId float_value(NodeId id) {
    const auto found = floats_.find(id);
    if (found != floats_.end()) return found->second;
    const Node& node = source_.node(id);
    if (node.kind == OpKind::kConstant)
      return floats_[id] = result_.add_constant(unique(node.name), node.value);
    OpAttrs attrs;
    attrs.frac_bits = frac_bits(id);
    return floats_[id] = result_.add(OpKind::kDequantize, unique(node.name + ".dequantize"),
                                     {ints_.at(id)}, attrs);
  }

  int frac_bits(NodeId id) const { return scales_.of(regions_, id); }

  int checked_shift(const Node& node, int shift) const {
    if (std::abs(shift) > kMaxShift) {
      fail(ErrorCode::kUnsupported,
           "{}: the scales of operands and result differ by 2^{}, the limit is 2^{}", node.name,
           shift, kMaxShift);
    }
    return shift;
  }

  // Constants that several layers share are quantized once for each.
  std::string unique(const std::string& name) {
    std::string candidate = name;
    for (int i = 2; !names_.insert(candidate).second; ++i)
      candidate = fmt::format("{}_{}", name, i);
    return candidate;
  }

  const Graph& source_;
  const Regions& regions_;
  const Scales& scales_;
  const RewriteOptions options_;
  Graph result_;
  std::set<std::string> names_;
  std::map<NodeId, NodeId> ints_, floats_;  // of the source -> of the result
};

}  // namespace

Graph rewrite(const Graph& graph, const Regions& regions, const Scales& scales,
              const RewriteOptions& options) {
  return Rewriter(graph, regions, scales, options).run();
}

}  // namespace vta::quantize
