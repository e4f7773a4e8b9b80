// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/free_levels.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/gate.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Models store float32.
double as_float(double unit) { return static_cast<double>(static_cast<float>(unit)); }

Levels levels_for(Range range, bool symmetric) {
  range = {std::min(range.lo, 0.0f), std::max(range.hi, 0.0f)};
  if (symmetric) range.hi = std::max(range.hi, -range.lo);
  if (range.lo == range.hi) return {1, 0};
  Levels levels;
  if (symmetric) {
    levels.unit = range.hi / 127;
  } else {
    levels.unit = (double{range.hi} - double{range.lo}) / 255;
    levels.zero = std::clamp<int64_t>(std::llround(-128 - range.lo / levels.unit), -128, 127);
  }
  levels.unit = as_float(levels.unit);
  return levels;
}

class Chooser {
 public:
  Chooser(const Graph& graph, const Regions& regions, const Ranges& ranges)
      : graph_(graph), regions_(regions), ranges_(ranges) {}

  std::map<NodeId, Levels> run() {
    for (NodeId id : graph_.order()) {
      if (regions_.is_integer(id)) note(graph_.node(id));
    }
    for (const auto& [id, owner] : regions_.scale_of) {
      const auto range = ranges_.find(owner);
      levels_[owner] = levels_for(range == ranges_.end() ? Range{0, 0} : range->second,
                                  symmetric_.contains(owner));
    }
    for (NodeId id : clips_) {
      if (!symmetric_.contains(id))
        levels_.at(id) = levels_.at(owner_of(graph_.node(id).inputs[0]));
    }
    for (NodeId owner : fixed_) widen_to_full_swish(levels_.at(owner));
    for (NodeId id : products_) fit_product(graph_.node(id));
    return std::move(levels_);
  }

 private:
  NodeId owner_of(NodeId id) const { return regions_.scale_of.at(id); }

  // Notes what the operator asks of its operands' and its own levels.
  void note(const Node& node) {
    const bool is_swish = node.kind == OpKind::kHardSwish;
    const bool is_product = form_of(graph_, node) == Form::kProduct;
    if (is_swish || is_product) symmetric_.insert(owner_of(node.id));
    if (is_swish || is_product || node.kind == OpKind::kMatmul) {
      for (NodeId input : node.inputs) symmetric_.insert(owner_of(input));
    }
    if (node.kind == OpKind::kConv2dTranspose) symmetric_.insert(owner_of(node.inputs[0]));
    if (is_clip_alone(node)) clips_.push_back(node.id);
    if (is_swish) fixed_.insert(owner_of(node.inputs[0]));
    if (is_product) products_.push_back(node.id);
  }

  // A relu or clip of an integer that other operators read, too: its numbers are the operand's
  // levels, which a finer unit would round once more.
  bool is_clip_alone(const Node& node) const {
    if (node.kind != OpKind::kRelu && node.kind != OpKind::kClip) return false;
    const NodeId x = node.inputs[0];
    const bool shares = graph_.users(x).size() > 1 || graph_.is_output(x);
    return shares && regions_.is_integer(x) && owner_of(node.id) == node.id;
  }

  static void widen_to_full_swish(Levels& levels) {
    const double full = std::floor(kFullSwish / levels.unit);
    if (full >= 1) levels.unit = as_float(kFullSwish / full);
  }

  // Widens the unit of the smaller operand, which is a gate where it has an element per channel;
  // that of the result if the operand's is fixed. The three units are fixed then.
  void fit_product(const Node& node) {
    const auto num_elems = [&](size_t i) { return graph_.node(node.inputs[i]).type.num_elems(); };
    const size_t smaller = num_elems(0) < num_elems(1) ? 0 : 1;
    const NodeId factor = owner_of(node.inputs[smaller]),
                 other = owner_of(node.inputs[1 - smaller]);
    const NodeId result = owner_of(node.id);
    const double ratio = levels_.at(factor).unit * levels_.at(other).unit / levels_.at(result).unit;
    const bool is_free = factor != other && factor != result && !fixed_.contains(factor);
    const double exponent = std::log2(ratio);
    if (is_free) {
      Levels& levels = levels_.at(factor);
      levels.unit = as_float(levels.unit * std::exp2(std::ceil(exponent)) / ratio);
    } else if (result != other && result != factor && !fixed_.contains(result)) {
      Levels& levels = levels_.at(result);
      levels.unit = as_float(levels.unit * ratio / std::exp2(std::floor(exponent)));
    }
    fixed_.insert({factor, other, result});
  }

  const Graph& graph_;
  const Regions& regions_;
  const Ranges& ranges_;
  std::set<NodeId> symmetric_;    // owners of scales without zero points
  std::set<NodeId> fixed_;        // owners of scales that operators have fitted
  std::vector<NodeId> products_;  // in order
  std::vector<NodeId> clips_;     // is_clip_alone(), likewise
  std::map<NodeId, Levels> levels_;
};

}  // namespace

std::map<NodeId, Levels> free_levels(const Graph& graph, const Regions& regions,
                                     const Ranges& ranges) {
  return Chooser(graph, regions, ranges).run();
}

}  // namespace vta::quantize
