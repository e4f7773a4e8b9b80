// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/drop_quantization.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/quantize/levels.h"
#include "compiler/quantize/result_range.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr double kMaxLevel = 1 << 24;  // of numbers without a clip; float32 has all integers below

// The activation that levels of [0, maximum] stand for.
Range activation_of(const Levels& levels) {
  constexpr double kRelativeError = 1e-5;  // of a float32 scale and the quantizer's arithmetic
  const double maximum = levels.real(levels.hi);
  return std::abs(maximum - 6) < 6 * kRelativeError ? Range{0, 6} : Range{0, kInfinity};
}

// Fewer levels than those of 8 bits without the least, which symmetric types lack: networks were
// trained with their limits, which clip more than outliers.
constexpr int64_t kMinCalibrated = 254;

Range limits_of(const Levels& levels) {
  return {static_cast<float>(levels.real(levels.lo)), static_cast<float>(levels.real(levels.hi))};
}

// Real numbers that were quantized, and the levels that they got.
struct Quantized {
  NodeId real = -1;
  Levels levels;
};

std::optional<double> single_number(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const bool is_number =
      graph.is_constant(id) && node.type.dtype == DType::kFloat32 && node.type.num_elems() == 1;
  if (!is_number) return std::nullopt;
  return node.value.data<float>()[0];
}

// The first operand and the number of an operator on a tensor and a constant; nullopt: another
// node.
struct WithNumber {
  NodeId operand = -1;
  double number = 0;
};
std::optional<WithNumber> with_number_of(const Graph& graph, NodeId id, OpKind kind) {
  const Node& node = graph.node(id);
  if (node.kind != kind) return std::nullopt;
  const std::optional<double> number = single_number(graph, node.inputs[1]);
  if (!number) return std::nullopt;
  return WithNumber{node.inputs[0], *number};
}

// What a rounding rounds: to nearest, up or down, or of a magnitude, as QONNX's modes.
std::optional<NodeId> operand_of_rounding(const Graph& graph, NodeId id) {
  const auto function = [&](NodeId x) {
    const Node& node = graph.node(x);
    return node.kind == OpKind::kUnary ? std::optional(node.attrs.function) : std::nullopt;
  };
  const auto rounds = [&](NodeId x) {
    const auto found = function(x);
    return found == UnaryFunction::kRound || found == UnaryFunction::kCeil ||
           found == UnaryFunction::kFloor;
  };
  const Node& node = graph.node(id);
  if (rounds(id)) return node.inputs[0];
  if (node.kind != OpKind::kMul || function(node.inputs[0]) != UnaryFunction::kSign ||
      !rounds(node.inputs[1]))
    return std::nullopt;
  return graph.node(node.inputs[0]).inputs[0];
}

// Levels that are numbers in float32, as compiler/onnx makes them: real / unit, rounded and
// clipped. The zero point is added before the rounding or after it. QONNX's Trunc rounds twice,
// with a power of two between. nullopt: others, such as a model's own floor of a quotient.
std::optional<Quantized> quantized_numbers(const Graph& graph, NodeId id) {
  double unit = 1, zero = 0, lo = -kMaxLevel, hi = kMaxLevel;
  int roundings = 0;
  bool is_clipped = false;
  for (;;) {
    const Node& node = graph.node(id);
    if (node.kind == OpKind::kClip) {
      lo = std::max(lo, double{node.attrs.lo} / unit + zero);
      hi = std::min(hi, double{node.attrs.hi} / unit + zero);
      is_clipped = true;
      id = node.inputs[0];
    } else if (const auto rounded = operand_of_rounding(graph, id)) {
      ++roundings;
      id = *rounded;
    } else if (const auto sum = with_number_of(graph, id, OpKind::kAdd)) {
      zero += sum->number / unit;
      id = sum->operand;
    } else if (const auto product = with_number_of(graph, id, OpKind::kMul);
               product && roundings > 0 && product->number > 0) {
      unit /= product->number;
      id = product->operand;
    } else if (const auto quotient = with_number_of(graph, id, OpKind::kDiv)) {
      const bool is_quantization = roundings > 0 && (is_clipped || roundings > 1);
      if (!is_quantization || zero != std::floor(zero)) return std::nullopt;
      return Quantized{quotient->operand,
                       {.unit = unit * quotient->number,
                        .zero = static_cast<int64_t>(zero),
                        .lo = static_cast<int64_t>(std::floor(lo)),
                        .hi = static_cast<int64_t>(std::floor(hi))}};
    } else {
      return std::nullopt;
    }
  }
}

// The operand of (numbers - zero) * unit; without the difference if zero is 0.
std::optional<LevelOperand> number_operand(const Graph& graph, NodeId id) {
  const auto product = with_number_of(graph, id, OpKind::kMul);
  if (!product) return std::nullopt;
  const auto difference = with_number_of(graph, product->operand, OpKind::kSub);
  LevelOperand result{difference ? difference->operand : product->operand, {}};
  result.levels.unit = product->number;
  result.levels.zero = static_cast<int64_t>(difference ? difference->number : 0);
  return result;
}

std::optional<Quantized> quantized_at(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.kind == OpKind::kQuantize) return Quantized{node.inputs[0], levels_of(node)};
  return quantized_numbers(graph, id);
}

class Dropper {
 public:
  explicit Dropper(Graph& graph) : graph_(graph), ranges_(graph) {}

  bool run() {
    bool changed = false;
    for (NodeId id : std::vector<NodeId>(graph_.order())) {
      auto levels = level_operand(graph_, id);
      if (!levels) levels = number_operand(graph_, id);
      if (!levels || !is_quantized(levels->node)) continue;
      position_ = id;
      graph_.replace_uses(id, real(*levels));
      changed = true;
    }
    graph_.erase_dead();
    return changed;
  }

 private:
  // Whether the levels come from quantizations only.
  bool is_quantized(NodeId levels) {
    const auto found = is_quantized_.find(levels);
    if (found != is_quantized_.end()) return found->second;
    const Node& node = graph_.node(levels);
    const bool moves = moves_elements(node) || node.kind == OpKind::kConcat;
    const bool result =
        quantized_at(graph_, levels) ||
        (moves && std::ranges::all_of(node.inputs, [&](NodeId id) { return is_quantized(id); }));
    return is_quantized_[levels] = result;
  }

  // The numbers that the levels stand for, without their rounding.
  NodeId real(const LevelOperand& operand) {
    const Levels& levels = operand.levels;
    const auto key = std::tuple(operand.node, levels.unit, levels.zero);
    const auto found = reals_.find(key);
    if (found != reals_.end()) return found->second;
    const auto quantized = quantized_at(graph_, operand.node);
    return reals_[key] =
               quantized ? restored(*quantized, levels) : moved(graph_.node(operand.node), levels);
  }

  NodeId restored(const Quantized& quantized, Levels levels) {
    levels.lo = quantized.levels.lo;
    levels.hi = quantized.levels.hi;
    return activated(scaled(quantized, levels), levels);
  }

  NodeId moved(const Node& movement, const Levels& levels) {
    std::vector<NodeId> inputs;
    for (NodeId input : movement.inputs) inputs.push_back(real({input, levels}));
    OpAttrs attrs = movement.attrs;
    if (movement.kind == OpKind::kPad && attrs.pad_mode == PadMode::kConstant)
      attrs.pad_value = levels.real(static_cast<int64_t>(attrs.pad_value));
    return insert(movement.kind, movement.name, inputs, attrs);
  }

  // What is quantized; other levels on the way back stand for other numbers.
  NodeId scaled(const Quantized& quantized, const Levels& out) {
    const Levels& in = quantized.levels;
    const bool has_unit = in.unit != out.unit;
    NodeId x = quantized.real;
    if (has_unit) x = with_number(OpKind::kMul, x, 1 / in.unit);
    if (in.zero != out.zero) {
      const auto offset = static_cast<double>(in.zero - out.zero);
      x = with_number(OpKind::kAdd, x, has_unit ? offset : offset * in.unit);
    }
    return has_unit ? with_number(OpKind::kMul, x, out.unit) : x;
  }

  NodeId activated(NodeId x, const Levels& levels) {
    const bool is_trained = levels.hi - levels.lo < kMinCalibrated;
    if (levels.real(levels.lo) != 0 && !is_trained) return x;
    const Range range = is_trained ? limits_of(levels) : activation_of(levels);
    if (ranges_.of(x).is_within(range)) return x;
    const std::string name = graph_.node(x).name;
    if (!std::isfinite(range.hi)) return insert(OpKind::kRelu, name + ".relu", {x}, {});
    const Attrs<OpKind::kClip> attrs(attr::lo{range.lo}, attr::hi{range.hi});
    return insert(OpKind::kClip, name + ".clip", {x}, attrs);
  }

  NodeId with_number(OpKind kind, NodeId x, double number) {
    const std::string name = graph_.node(x).name;
    const NodeId constant =
        graph_.insert_constant_before(position_, graph_.free_name(name + ".number"),
                                      Tensor({1}, std::vector<float>{static_cast<float>(number)}));
    return insert(kind, name + ".real", {x, constant}, {});
  }

  NodeId insert(OpKind kind, const std::string& name, const std::vector<NodeId>& inputs,
                const OpAttrs& attrs) {
    return graph_.insert_before(position_, kind, graph_.free_name(name), inputs, attrs);
  }

  Graph& graph_;
  ResultRanges ranges_;
  NodeId position_ = -1;  // the dequantize that is replaced
  std::map<NodeId, bool> is_quantized_;
  std::map<std::tuple<NodeId, double, int64_t>, NodeId> reals_;
};

}  // namespace

bool drop_quantization(Graph& graph) { return Dropper(graph).run(); }

}  // namespace vta::quantize
