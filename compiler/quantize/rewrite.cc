// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/rewrite.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/gate.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/weight_rows.h"
#include "runtime/host/host_operators.h"
#include "runtime/tensor/average_shift.h"
#include "runtime/tensor/leak.h"

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

  Rewritten run() {
    result_.name = source_.name;
    for (NodeId id : source_.order()) add(source_.node(id));
    std::vector<NodeId> outputs;
    for (NodeId id : source_.outputs()) outputs.push_back(float_value(id));
    result_.set_outputs(outputs);
    result_.erase_dead();
    return {std::move(result_), std::move(ints_)};
  }

 private:
  void add(const Node& node) {
    if (node.kind == OpKind::kInput) {
      floats_[node.id] = result_.copy_input(node, unique(node.name), node.type);
    } else if (node.kind == OpKind::kConstant) {
      return;  // added where it is used
    } else if (regions_.is_integer(node.id)) {
      add_integer(node);
    } else if (node.kind == OpKind::kGlobalAvgPool2d && regions_.is_integer(node.inputs[0])) {
      add_last_average(node);
    } else if (keeps_order(node) && is_dequantized_sum(node.inputs[0])) {
      add_before_dequantize(node);
    } else {
      std::vector<NodeId> inputs;
      for (NodeId input : node.inputs) inputs.push_back(float_value(input));
      floats_[node.id] = result_.add(node.kind, unique(node.name), inputs, node.attrs);
    }
  }

  struct Row {
    Form form;
    void (Rewriter::*add)(const Node& node);
  };
  static const Row kRows[];

  void add_integer(const Node& node);

  void refuse_float(const Node&) {
    VTA_ASSERT(false, "regions keep operators without an integer form in float");
  }

  void add_movement(const Node& node) {
    OpAttrs attrs = node.attrs;
    if (node.kind == OpKind::kPad) attrs.pad_value = quantized(attrs.pad_value, frac_bits(node.id));
    ints_[node.id] = result_.add(node.kind, unique(node.name), {int_value(node.inputs[0])}, attrs);
  }

  void add_weighted(const Node& node) {
    const int frac_in = frac_bits(node.inputs[0]);
    const std::vector<int>& frac_weights = scales_.weights.at(node.id);
    const NodeId x = int_value(node.inputs[0]);
    const auto given = options_.constants.find(node.id);
    const LayerConstants constants = given != options_.constants.end()
                                         ? given->second
                                         : nearest_constants(node, frac_in, frac_weights);
    const NodeId w =
        result_.add_constant(unique(source_.node(node.inputs[1]).name), constants.weights);
    const bool has_bias = node.inputs.size() == 3;
    const NodeId b = result_.add_constant(
        unique(has_bias ? source_.node(node.inputs[2]).name : node.name + ".bias"), constants.bias);
    std::vector<NodeId> inputs = {x, w, b};
    OpAttrs attrs = node.attrs;
    if (frac_weights.size() == 1) {
      requantize(node, frac_in + frac_weights[0], attrs);
    } else {
      requantize(node, frac_bits(node.id), attrs);
      inputs.push_back(channel_shifts(node, frac_in, frac_weights));
    }
    ints_[node.id] = result_.add(integer_kind(node.kind), unique(node.name), inputs, attrs);
  }

  static OpKind integer_kind(OpKind kind) {
    if (kind == OpKind::kDense) return OpKind::kQDense;
    return kind == OpKind::kConv2d ? OpKind::kQConv2d : OpKind::kQConv2dTranspose;
  }

  LayerConstants nearest_constants(const Node& node, int frac_in,
                                   const std::vector<int>& frac_weights) {
    const auto frac_of = [&](int64_t channel) {
      return frac_weights.size() == 1 ? frac_weights[0] : frac_weights[channel];
    };
    const Node& weights = source_.node(node.inputs[1]);
    const RowShape shape = row_shape(source_, node);
    Tensor bias(TensorType{DType::kInt32, {shape.num_rows}});
    for (int64_t c = 0; node.inputs.size() == 3 && c < shape.num_rows; ++c) {
      bias.mutable_data<int32_t>()[c] =
          quantized_bias(source_.node(node.inputs[2]).value.data<float>()[c], frac_in + frac_of(c));
    }
    // Copies share the bytes: recurrent layers use their weights in every step.
    const auto [shared, is_new] = weights_.try_emplace({weights.id, node.kind, frac_weights});
    if (is_new) {
      const WeightRows<float> rows(shape, node.kind, weights.value);
      std::vector<int8_t> rounded(rows.all().size());
      const auto elems = static_cast<size_t>(shape.row_elems);
      for (int64_t c = 0; c < shape.num_rows; ++c) {
        const auto row = std::span(rounded).subspan(static_cast<size_t>(c) * elems, elems);
        quantize_all(rows.row(c), frac_of(c), row);
      }
      shared->second = from_rows(shape, node.kind, rounded, weights.type.shape);
    }
    return {shared->second, bias};
  }

  NodeId channel_shifts(const Node& node, int frac_in, const std::vector<int>& frac_weights) {
    std::vector<int32_t> shifts;
    for (int frac : frac_weights)
      shifts.push_back(checked_shift(node, frac_in + frac - frac_bits(node.id)));
    const auto count = static_cast<int64_t>(shifts.size());
    return result_.add_constant(unique(node.name + ".shifts"), Tensor({count}, shifts));
  }

  void add_matrices(const Node& node) {
    OpAttrs attrs;
    requantize(node, frac_bits(node.inputs[0]) + frac_bits(node.inputs[1]), attrs);
    const NodeId a = int_value(node.inputs[0]), b = int_value(node.inputs[1]);
    ints_[node.id] = result_.add(OpKind::kQMatmul, unique(node.name), {a, b}, attrs);
  }

  void add_product(const Node& node) {
    OpAttrs attrs;
    requantize(node, frac_bits(node.inputs[0]) + frac_bits(node.inputs[1]), attrs);
    const NodeId x = int_value(node.inputs[0]), y = int_value(node.inputs[1]);
    ints_[node.id] = result_.add(OpKind::kQMul, unique(node.name), {x, y}, attrs);
  }

  // The table holds the float operator's result, quantized, for every int8 number. The core has no
  // tables; it has the operators of gates.
  void add_lookup(const Node& node) {
    const size_t operand = lookup_operand(source_, node);
    const auto levels = [&](NodeId id) {
      return Levels{std::ldexp(1.0, -frac_bits(id)), 0, -kMaxInt8};
    };
    if (const auto gate = integer_gate(node, levels(node.inputs[operand]), levels(node.id))) {
      const NodeId x = int_value(node.inputs[operand]);
      ints_[node.id] = result_.add(gate->kind, unique(node.name), {x, x}, gate->attrs);
      return;
    }
    std::vector<int8_t> all(256);
    for (int i = 0; i < 256; ++i) all[static_cast<size_t>(i)] = static_cast<int8_t>(i - 128);
    Attrs<OpKind::kDequantize> in;
    Attrs<OpKind::kQuantize> out;
    in.frac_bits = frac_bits(node.inputs[operand]);
    out.frac_bits = frac_bits(node.id);
    const Tensor x_values = host::execute(OpKind::kDequantize, in, {Tensor({256}, all)});
    const Tensor result = evaluate_lookup(source_, node, x_values);
    const NodeId table = result_.add_constant(unique(node.name + ".table"),
                                              host::execute(OpKind::kQuantize, out, {result}));
    const NodeId x = int_value(node.inputs[operand]);
    ints_[node.id] = result_.add(OpKind::kLookup, unique(node.name), {x, table}, {});
  }

  void add_concat(const Node& node) {
    std::vector<NodeId> inputs;
    for (NodeId input : node.inputs) inputs.push_back(int_value_at(input, frac_bits(node.id)));
    ints_[node.id] = result_.add(OpKind::kConcat, unique(node.name), inputs, node.attrs);
  }

  void add_average(const Node& node) {
    Attrs<OpKind::kQAvgPool2d> attrs = node.attrs;
    if (node.kind == OpKind::kGlobalAvgPool2d) {
      const std::vector<int64_t>& shape = source_.node(node.inputs[0]).type.shape;
      attrs.kernel = {shape[2], shape[3]};
    }
    // Beyond the limit every average is 0.
    attrs.shift = std::min(frac_bits(node.inputs[0]) - frac_bits(node.id), kMaxAverageShift);
    ints_[node.id] =
        result_.add(OpKind::kQAvgPool2d, unique(node.name), {int_value(node.inputs[0])}, attrs);
  }

  // The operand with the coarser scale is shifted left to the finer scale. An operand that is finer
  // by more than kMaxScaleGapBits is rounded first, so that the sum fits 32 bits.
  void add_sum(const Node& node) {
    const NodeId a = node.inputs[0], b = node.inputs[1];
    const int max_frac = std::min(frac_bits(a), frac_bits(b)) + kMaxScaleGapBits;
    const int frac_a = std::min(frac_bits(a), max_frac), frac_b = std::min(frac_bits(b), max_frac);
    const int finer = std::max(frac_a, frac_b);
    OpAttrs attrs(attr::shift_a{checked_shift(node, finer - frac_a)},
                  attr::shift_b{checked_shift(node, finer - frac_b)});
    requantize(node, finer, attrs);
    const NodeId x = int_value_at(a, frac_a), y = int_value_at(b, frac_b);
    ints_[node.id] = result_.add(OpKind::kQAdd, unique(node.name), {x, y}, attrs);
  }

  // A standalone activation is x + x at twice the scale, which needs no further operator.
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

  // Sets the requantization from a sum at `frac_sum` fractional bits to the node's result.
  void requantize(const Node& node, int frac_sum, OpAttrs& attrs) {
    attrs.shift = checked_shift(node, frac_sum - frac_bits(node.id));
    attrs.lo = -kMaxInt8;
    attrs.hi = kMaxInt8;
    const auto activation = regions_.fused_activation.find(node.id);
    if (activation != regions_.fused_activation.end())
      clip_as(source_.node(activation->second), attrs);
  }

  void clip_as(const Node& activation, OpAttrs& attrs) {
    if (activation.kind == OpKind::kLeakyRelu) {
      const LeakFactor factor = leak_factor(activation.attrs.alpha);
      attrs.leak = factor.multiplier;
      attrs.leak_shift = factor.shift;
      return;
    }
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

  void add_last_average(const Node& node) {
    const NodeId x = int_value(node.inputs[0]);
    Attrs<OpKind::kDequantize> attrs(attr::frac_bits{frac_bits(node.inputs[0])});
    const std::vector<int64_t>& shape = source_.node(node.inputs[0]).type.shape;
    if (!options_.truncate_average) attrs.divisor = static_cast<double>(shape[2] * shape[3]);
    const OpKind kind =
        options_.truncate_average ? OpKind::kGlobalAvgPool2d : OpKind::kGlobalSumPool2d;
    const NodeId sum = result_.add(kind, unique(node.name), {x});
    floats_[node.id] =
        result_.add(OpKind::kDequantize, unique(node.name + ".dequantize"), {sum}, attrs);
  }

  static bool keeps_order(const Node& node) {
    return node.kind == OpKind::kFlatten || node.kind == OpKind::kReshape;
  }
  bool is_dequantized_sum(NodeId id) const {
    const auto found = floats_.find(id);
    if (found == floats_.end()) return false;
    const Node& node = result_.node(found->second);
    return node.kind == OpKind::kDequantize &&
           result_.node(node.inputs[0]).kind == OpKind::kGlobalSumPool2d;
  }

  // The integer sums of the core are flattened before they become floats: a view.
  void add_before_dequantize(const Node& node) {
    const Node dequantize = result_.node(floats_.at(node.inputs[0]));
    const NodeId flat = result_.add(node.kind, unique(node.name), dequantize.inputs, node.attrs);
    floats_[node.id] = result_.add(OpKind::kDequantize, unique(node.name + ".dequantize"), {flat},
                                   dequantize.attrs);
  }

  // The result of `id` in the new graph as int8 or float32, converted at its first use in the other
  // type.
  NodeId int_value(NodeId id) {
    const auto found = ints_.find(id);
    if (found != ints_.end()) return found->second;
    const Attrs<OpKind::kQuantize> attrs(attr::frac_bits{frac_bits(id)});
    const Node& node = source_.node(id);
    if (node.kind == OpKind::kConstant) {
      const Tensor value = host::execute(OpKind::kQuantize, attrs, {node.value});
      return ints_[id] = result_.add_constant(unique(node.name), value);
    }
    return ints_[id] = result_.add(OpKind::kQuantize, unique(node.name + ".quantize"),
                                   {floats_.at(id)}, attrs);
  }

  // As int_value(), at another scale. A float value is rounded only once.
  NodeId int_value_at(NodeId id, int frac) {
    if (frac == frac_bits(id)) return int_value(id);
    const auto key = std::make_pair(id, frac);
    const auto found = moved_.find(key);
    if (found != moved_.end()) return found->second;
    const Node& node = source_.node(id);
    if (!regions_.is_integer(id)) {
      const Attrs<OpKind::kQuantize> attrs(attr::frac_bits{frac});
      return moved_[key] = result_.add(OpKind::kQuantize, unique(node.name + ".quantize"),
                                       {float_value(id)}, attrs);
    }
    Attrs<OpKind::kQAdd> attrs;
    // Beyond these limits every element is 0 or clipped.
    attrs.shift = std::clamp(frac_bits(id) + 1 - frac, -kMaxScaleGapBits, kMaxShift);
    attrs.lo = -kMaxInt8;
    attrs.hi = kMaxInt8;
    const NodeId x = int_value(id);
    return moved_[key] =
               result_.add(OpKind::kQAdd, unique(node.name + ".requantize"), {x, x}, attrs);
  }

  NodeId float_value(NodeId id) {
    const auto found = floats_.find(id);
    if (found != floats_.end()) return found->second;
    const Node& node = source_.node(id);
    if (node.kind == OpKind::kConstant)
      return floats_[id] = result_.add_constant(unique(node.name), node.value);
    const Attrs<OpKind::kDequantize> attrs(attr::frac_bits{frac_bits(id)});
    return floats_[id] = result_.add(OpKind::kDequantize, unique(node.name + ".dequantize"),
                                     {ints_.at(id)}, attrs);
  }

  int frac_bits(NodeId id) const { return scales_.of(regions_, id); }

  int checked_shift(const Node& node, int shift) const {
    if (std::abs(shift) > kMaxShift) {
      fail(ErrorCode::kUnsupported,
           "{}: the scales of operands and result differ by 2^{}, the limit is 2^{}; --keep-float "
           "{} "
           "computes it in fp32",
           node.name, shift, kMaxShift, node.name);
    }
    return shift;
  }

  // A constant that several layers share is quantized once per layer.
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
  std::map<NodeId, NodeId> ints_, floats_;          // node of the source -> node of the result
  std::map<std::pair<NodeId, int>, NodeId> moved_;  // likewise, at another scale
  // Rounded weights, by their constant and how it is read.
  std::map<std::tuple<NodeId, OpKind, std::vector<int>>, Tensor> weights_;
};

constexpr Rewriter::Row Rewriter::kRows[] = {
    {Form::kNone, &Rewriter::refuse_float},     {Form::kWeighted, &Rewriter::add_weighted},
    {Form::kMatrices, &Rewriter::add_matrices}, {Form::kSum, &Rewriter::add_sum},
    {Form::kProduct, &Rewriter::add_product},   {Form::kActivation, &Rewriter::add_activation},
    {Form::kLookup, &Rewriter::add_lookup},     {Form::kMovement, &Rewriter::add_movement},
    {Form::kConcat, &Rewriter::add_concat},     {Form::kAverage, &Rewriter::add_average},
};

void Rewriter::add_integer(const Node& node) {
  static_assert(std::ranges::equal(kRows, kForms, {}, &Row::form),
                "every form is rewritten, in the order of forms.def");
  (this->*kRows[static_cast<size_t>(form_of(source_, node))].add)(node);
}

}  // namespace

LayerConstants Rewritten::constants_of(NodeId layer) const {
  const Node& integer = graph.node(integer_of.at(layer));
  return {graph.node(integer.inputs[1]).value, graph.node(integer.inputs[2]).value};
}

Rewritten rewrite(const Graph& graph, const Regions& regions, const Scales& scales,
                  const RewriteOptions& options) {
  return Rewriter(graph, regions, scales, options).run();
}

}  // namespace vta::quantize
