// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/matrix_zeros.h"

#include <algorithm>
#include <vector>

#include "runtime/tensor/free_scales.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::NodeId;

// What stands for a zero point: `parts` times the number `value`, whose sum is -zero.
struct Correction {
  int64_t parts = 0, value = 0;
};

Correction correction_of(int64_t zero) {
  if (zero == 0) return {};
  return zero == -128 ? Correction{2, 64} : Correction{1, -zero};
}

// A chain of concats and pads before `position`.
class Operand {
 public:
  Operand(Graph& graph, NodeId position, NodeId node)
      : graph_(graph), position_(position), node_(node) {}

  NodeId node() const { return node_; }

  // The operand, then `times` times `other`, along the axis.
  void append(NodeId other, int64_t times, size_t axis) {
    if (times == 0) return;
    std::vector<NodeId> parts = {node_};
    parts.insert(parts.end(), static_cast<size_t>(times), other);
    const Attrs<OpKind::kConcat> attrs(attr::axis{static_cast<int64_t>(axis)});
    insert(OpKind::kConcat, std::move(parts), attrs);
  }

  // The operand, then `count` positions of a number.
  void append_number(int64_t value, int64_t count, size_t axis) {
    if (count == 0) return;
    Attrs<OpKind::kPad> attrs;
    attrs.before.resize(graph_.node(node_).type.shape.size());
    attrs.after = attrs.before;
    attrs.after[axis] = count;
    attrs.pad_value = static_cast<double>(value);
    insert(OpKind::kPad, {node_}, attrs);
  }

 private:
  void insert(OpKind kind, std::vector<NodeId> inputs, const OpAttrs& attrs) {
    const std::string name = graph_.free_name(graph_.node(node_).name + ".zero");
    node_ = graph_.insert_before(position_, kind, name, std::move(inputs), attrs);
  }

  Graph& graph_;
  const NodeId position_;
  NodeId node_;
};

// Bounds of `inner` products of numbers of levels.
void set_bounds(const Levels& a, const Levels& b, int64_t inner, ScaledChannel& sums) {
  std::vector<int64_t> corners;
  for (int64_t x : {-128 - a.zero, 127 - a.zero}) {
    for (int64_t y : {-128 - b.zero, 127 - b.zero}) corners.push_back(inner * x * y);
  }
  sums.low = std::ranges::min(corners);
  sums.high = std::ranges::max(corners);
}

}  // namespace

std::optional<Attrs<OpKind::kQMatmul>> matrices_attrs(const Levels& a, const Levels& b,
                                                      int64_t inner, const Levels& to) {
  Attrs<OpKind::kQMatmul> attrs;
  clip_to(to, attrs);
  if (a.zero != 0 || b.zero != 0) attrs.products = inner;
  ScaledChannel sums{.ratio = a.unit * b.unit / to.unit};
  sums.weight_sum =
      -inner * a.zero * b.zero;  // what the core's sum lacks, as of an input of zero point 1
  set_bounds(a, b, inner, sums);
  const bool is_plain = to.zero == 0 && sums.weight_sum == 0;
  const auto shift = is_plain ? exact_shift_of(sums.ratio) : std::nullopt;
  if (shift && *shift >= 0) {
    attrs.shift = *shift;
    return attrs;
  }
  const auto scaled = scaled_layer({sums}, 1, to.zero);
  if (!scaled || scaled->factors[0] < 1) return std::nullopt;
  attrs.scaled = true;
  attrs.pre_shift = scaled->pre_shift;
  attrs.shift = scaled->shift;
  attrs.factor_a = scaled->factors[0];
  attrs.addend = scaled->biases[0];
  return attrs;
}

NodeId insert_qmatmul(Graph& graph, NodeId position, const std::string& name, const LevelOperand& a,
                      const LevelOperand& b, const Attrs<OpKind::kQMatmul>& attrs) {
  const std::vector<int64_t>& shape = graph.node(a.node).type.shape;
  const int64_t inner = shape.back();
  const size_t columns = shape.size() - 1, rows = graph.node(b.node).type.shape.size() - 2;
  const Correction of_a = correction_of(a.levels.zero), of_b = correction_of(b.levels.zero);
  Operand left(graph, position, a.node), right(graph, position, b.node);
  left.append(a.node, of_b.parts, columns);
  left.append_number(of_a.value, of_a.parts * inner, columns);
  right.append_number(of_b.value, of_b.parts * inner, rows);
  right.append(b.node, of_a.parts, rows);
  return graph.insert_before(position, OpKind::kQMatmul, graph.free_name(name),
                             {left.node(), right.node()}, attrs);
}

}  // namespace vta::quantize
