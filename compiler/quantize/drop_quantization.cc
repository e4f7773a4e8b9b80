// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/drop_quantization.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/quantize/levels.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Limits of a tensor's real numbers.
struct Range {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();

  bool is_within(const Range& other) const { return lo >= other.lo && hi <= other.hi; }
  Range with(const Range& other) const { return {std::min(lo, other.lo), std::max(hi, other.hi)}; }
};

// What activations and operators after them tell of their results.
class Ranges {
 public:
  explicit Ranges(const Graph& graph) : graph_(graph) {}

  Range of(NodeId id) {
    const auto found = known_.find(id);
    if (found != known_.end()) return found->second;
    return known_[id] = find(graph_.node(id));
  }

 private:
  Range find(const Node& node) {
    switch (node.kind) {
      case OpKind::kRelu:
        return {std::max(0.0, of(node.inputs[0]).lo)};
      case OpKind::kSigmoid:
      case OpKind::kHardSigmoid:
      case OpKind::kSoftmax:
        return {0, 1};
      case OpKind::kAbs:
      case OpKind::kExp:
      case OpKind::kSqrt:
      case OpKind::kSoftplus:
        return {0};
      case OpKind::kClip:
        return {node.attrs.lo, node.attrs.hi};
      case OpKind::kPad:
        return of_all(node).with({node.attrs.pad_value, node.attrs.pad_value});
      case OpKind::kAdd: {
        const Range a = of(node.inputs[0]), b = of(node.inputs[1]);
        return {a.lo + b.lo, a.hi + b.hi};
      }
      case OpKind::kMul:
        return std::ranges::all_of(node.inputs, [this](NodeId id) { return of(id).lo >= 0; })
                   ? Range{0}
                   : Range{};
      case OpKind::kConcat:
        return of_all(node);
      case OpKind::kAvgPool2d:
      case OpKind::kGlobalAvgPool2d:
        return of_all(node).with({0, 0});  // padding may count
      default:
        return moves_elements(node) ? of(node.inputs[0]) : Range{};
    }
  }

  Range of_all(const Node& node) {
    Range result = of(node.inputs[0]);
    for (NodeId input : node.inputs) result = result.with(of(input));
    return result;
  }

  const Graph& graph_;
  std::map<NodeId, Range> known_;
};

// The activation that levels of [0, maximum] stand for.
Range activation_of(const Levels& levels) {
  constexpr double kRelativeError = 1e-5;  // of a float32 scale and the quantizer's arithmetic
  const double maximum = levels.real(levels.hi);
  return std::abs(maximum - 6) < 6 * kRelativeError ? Range{0, 6} : Range{0};
}

class Dropper {
 public:
  explicit Dropper(Graph& graph) : graph_(graph), ranges_(graph) {}

  bool run() {
    bool changed = false;
    for (NodeId id : std::vector<NodeId>(graph_.order())) {
      const auto levels = level_operand(graph_, id);
      if (!levels || !is_quantized(levels->node)) continue;
      position_ = id;
      graph_.replace_uses(id, real(*levels));
      changed = true;
    }
    graph_.erase_dead();
    return changed;
  }

 private:
  // Whether the levels come from quantize operators only.
  bool is_quantized(NodeId levels) {
    const auto found = is_quantized_.find(levels);
    if (found != is_quantized_.end()) return found->second;
    const Node& node = graph_.node(levels);
    const bool moves = moves_elements(node) || node.kind == OpKind::kConcat;
    const bool result =
        node.kind == OpKind::kQuantize ||
        (moves && std::ranges::all_of(node.inputs, [&](NodeId id) { return is_quantized(id); }));
    return is_quantized_[levels] = result;
  }

  // The numbers that the levels stand for, without their rounding.
  NodeId real(const LevelOperand& operand) {
    const Levels& levels = operand.levels;
    const auto key = std::tuple(operand.node, levels.unit, levels.zero);
    const auto found = reals_.find(key);
    if (found != reals_.end()) return found->second;
    const Node node = graph_.node(operand.node);
    const NodeId result = node.kind == OpKind::kQuantize ? activated(scaled(node, levels), levels)
                                                         : moved(node, levels);
    return reals_[key] = result;
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
  NodeId scaled(const Node& quantize, const Levels& out) {
    const Levels in = levels_of(quantize);
    const bool has_unit = in.unit != out.unit;
    NodeId x = quantize.inputs[0];
    if (has_unit) x = with_number(OpKind::kMul, x, 1 / in.unit);
    if (in.zero != out.zero) {
      const auto offset = static_cast<double>(in.zero - out.zero);
      x = with_number(OpKind::kAdd, x, has_unit ? offset : offset * in.unit);
    }
    return has_unit ? with_number(OpKind::kMul, x, out.unit) : x;
  }

  NodeId activated(NodeId x, const Levels& levels) {
    if (levels.real(levels.lo) != 0) return x;
    const Range range = activation_of(levels);
    if (ranges_.of(x).is_within(range)) return x;
    const std::string name = graph_.node(x).name;
    if (!std::isfinite(range.hi)) return insert(OpKind::kRelu, name + ".relu", {x}, {});
    OpAttrs attrs;
    attrs.lo = range.lo;
    attrs.hi = range.hi;
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
  Ranges ranges_;
  NodeId position_ = -1;  // the dequantize that is replaced
  std::map<NodeId, bool> is_quantized_;
  std::map<std::tuple<NodeId, double, int64_t>, NodeId> reals_;
};

}  // namespace

bool drop_quantization(Graph& graph) { return Dropper(graph).run(); }

}  // namespace vta::quantize
