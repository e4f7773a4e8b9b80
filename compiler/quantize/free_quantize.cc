// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/free_quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/free_levels.h"
#include "compiler/quantize/levels.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/merge_quantized.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/refine_free.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/result_range.h"
#include "compiler/quantize/run_graph.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// The ranges of results without an integer operator after them, over those of the calibration
// inputs: other inputs have larger scores, and no layer recovers what clipping loses. The wider
// unit costs 1.9 dB of the rounding noise of that tensor alone.
constexpr float kHeadroom = 1.25f;

// Operands of an integer operator that become int8: of layers and functions the first that is not a
// constant, otherwise all.
bool takes_levels(const Graph& graph, const Node& node, size_t operand) {
  const Form form = form_of(graph, node);
  if (form == Form::kWeighted) return operand == 0;
  if (form == Form::kLookup) return operand == lookup_operand(graph, node);
  return true;
}

// Owners of the scales of results without an integer operator after them, such as scores.
std::set<NodeId> last_results(const Graph& graph, const Regions& regions) {
  std::set<NodeId> before, owners;  // `before`: an integer operator
  for (NodeId id : std::views::reverse(graph.order())) {
    const Node& node = graph.node(id);
    if (regions.is_integer(id) || before.contains(id))
      before.insert(node.inputs.begin(), node.inputs.end());
  }
  for (NodeId id : regions.integer) {
    if (!before.contains(id)) owners.insert(regions.scale_of.at(id));
  }
  return owners;
}

// The numbers of all tensors that share a scale. They include 0, which is a level.
class RangeCollector {
 public:
  RangeCollector(const Graph& graph, const Regions& regions) : graph_(graph), regions_(regions) {
    for (NodeId id : graph.order()) {
      const Node& node = graph.node(id);
      if (!regions.is_integer(id)) continue;
      if (brings_values(node)) count(id);
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (takes_levels(graph, node, i) && !regions.is_integer(node.inputs[i]))
          count(node.inputs[i]);
      }
    }
  }

  void observe(const Node& node, const Tensor& value) {
    const auto counted = limits_.find(node.id);
    if (counted == limits_.end() || value.dtype() != DType::kFloat32) return;
    const Range& limits = counted->second;
    Range& range = ranges_[regions_.scale_of.at(node.id)];
    for (float x : value.data<float>()) {
      if (!std::isfinite(x)) {
        fail(ErrorCode::kInvalidArgument, "{}: the result for a calibration input is not finite",
             node.name);
      }
      x = std::clamp(x, limits.lo, limits.hi);
      range = range.with({x, x});
    }
  }

  Ranges take() {
    Ranges limits{};  // of all results that share a scale
    for (const auto& [id, own] : limits_) {
      Range& all = limits[regions_.scale_of.at(id)];
      all = all.with(own);
      const Node& node = graph_.node(id);  // constants are not results
      if (node.kind == OpKind::kConstant) observe(node, node.value);
    }
    for (NodeId owner : last_results(graph_, regions_)) {
      Range& range = ranges_[owner];
      range = {std::max(range.lo * kHeadroom, limits[owner].lo),
               std::min(range.hi * kHeadroom, limits[owner].hi)};
    }
    return std::move(ranges_);
  }

 private:
  // Movements have their operand's numbers, and the operand of a fused activation is not stored.
  bool brings_values(const Node& node) const {
    return form_of(graph_, node) != Form::kMovement && !regions_.fused_activation.contains(node.id);
  }

  void count(NodeId id) {
    const auto useful = useful_range(graph_, graph_.node(id));
    limits_.emplace(id, useful ? *useful : results_.of(id));
  }

  const Graph& graph_;
  const Regions& regions_;
  ResultRanges results_{graph_};
  std::map<NodeId, Range> limits_;  // of counted tensors: numbers that occur and matter
  Ranges ranges_{};
};

// Weights rounded to levels of a symmetric scale per output channel, as real numbers.
Tensor rounded_weights(const Graph& graph, const Node& layer) {
  const Tensor& weights = graph.node(layer.inputs[1]).value;
  const RowShape shape = row_shape(graph, layer);
  std::vector<float> rows = to_rows<float>(shape, layer.kind, weights);
  for (int64_t row = 0; row < shape.num_rows; ++row) {
    const auto values = std::span(rows).subspan(static_cast<size_t>(row * shape.row_elems),
                                                static_cast<size_t>(shape.row_elems));
    const auto unit = static_cast<float>(max_abs(values) / kMaxInt8);
    for (float& value : values)
      value = unit == 0 ? 0 : static_cast<float>(std::round(double{value} / unit)) * unit;
  }
  return from_rows(shape, layer.kind, rows, weights.shape());
}

// The graph with quantize and dequantize between integer operators.
class Inserter {
 public:
  // `levels`: by result that owns a scale.
  Inserter(const Graph& source, const Regions& regions, const std::map<NodeId, Levels>& levels)
      : source_(source), regions_(regions), levels_(levels) {}

  Graph run() {
    result_.name = source_.name;
    for (NodeId id : source_.order()) add(source_.node(id));
    std::vector<NodeId> outputs;
    for (NodeId id : source_.outputs())
      outputs.push_back(regions_.is_integer(id) ? rounded(id) : real_.at(id));
    result_.set_outputs(outputs);
    result_.erase_dead();
    return std::move(result_);
  }

  // Numbers of the float graph, by the quantize that rounds them.
  const std::map<NodeId, NodeId>& quantized() const { return quantized_; }

 private:
  void add(const Node& node) {
    if (node.kind == OpKind::kInput) {
      real_[node.id] = result_.copy_input(node, node.name, node.type);
    } else if (node.kind == OpKind::kConstant) {
      real_[node.id] = result_.add_constant(node.name, node.value);
    } else {
      std::vector<NodeId> inputs;
      for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(operand(node, i));
      real_[node.id] = result_.add(node.kind, node.name, inputs, node.attrs);
    }
  }

  NodeId operand(const Node& node, size_t i) {
    const NodeId input = node.inputs[i];
    const auto fused = regions_.fused_activation.find(input);
    if (fused != regions_.fused_activation.end() && fused->second == node.id)
      return real_.at(input);
    const bool on_levels = regions_.is_integer(node.id);
    if (on_levels && i == 1 && form_of(source_, node) == Form::kWeighted) {
      return result_.add_constant(result_.free_name(source_.node(input).name + ".rounded"),
                                  rounded_weights(source_, node));
    }
    const bool takes = on_levels && takes_levels(source_, node, i);
    return takes || regions_.is_integer(input) ? rounded(input) : real_.at(input);
  }

  NodeId rounded(NodeId id) {
    const auto found = rounded_.find(id);
    if (found != rounded_.end()) return found->second;
    const Levels& levels = levels_.at(regions_.scale_of.at(id));
    const Attrs<OpKind::kQuantize> attrs(attr::unit{levels.unit}, attr::zero{levels.zero});
    const std::string name = source_.node(id).name;
    const NodeId quantize = result_.add(OpKind::kQuantize, result_.free_name(name + ".quantize"),
                                        {real_.at(id)}, attrs);
    quantized_[quantize] = id;
    return rounded_[id] = result_.add(OpKind::kDequantize, result_.free_name(name + ".dequantize"),
                                      {quantize}, attrs);
  }

  const Graph& source_;
  const Regions& regions_;
  const std::map<NodeId, Levels>& levels_;
  Graph result_;
  std::map<NodeId, NodeId> real_, rounded_, quantized_;
};

// Those of the float graph that have become integer layers, which have their names. A layer may
// have absorbed activations after its result: `quantized` has the numbers that each quantize
// rounds.
std::vector<MeasuredLayer> measured_layers(const Graph& source, const Regions& regions,
                                           const std::map<NodeId, NodeId>& quantized,
                                           const Merged& merged) {
  std::map<std::string, NodeId> by_name;
  for (const auto& [id, layer] : merged.layers) by_name[layer.name] = id;
  std::vector<MeasuredLayer> layers;
  for (NodeId id : source.order()) {
    const Node& node = source.node(id);
    const auto found = by_name.find(node.name);
    if (found == by_name.end() || form_of(source, node) != Form::kWeighted) continue;
    const IntegerLayer& integer = merged.layers.at(found->second);
    const auto absorbed = quantized.find(integer.quantize);
    const NodeId result = absorbed == quantized.end() ? regions.result_of(id) : absorbed->second;
    MeasuredLayer layer{.layer = id, .result = result, .integer = found->second};
    layer.dequantize.unit = integer.current.unit;
    layer.dequantize.zero = integer.current.zero;
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace

Graph quantize_freely(const Graph& graph, const Options& options,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double)>& on_progress) {
  return make_free_plan(graph, options, calibration, on_progress).graph;
}

FreePlan make_free_plan(const Graph& graph, const Options& options,
                        const std::vector<std::vector<Tensor>>& calibration,
                        const std::function<void(double)>& on_progress) {
  if (calibration.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: free scales need calibration inputs", graph.name);
  }
  const Regions regions = find_regions(graph, options.keep_float);
  const bool refines = *resolved(options, calibration.size()).rounding == WeightRounding::kAdaptive;
  const double share = refines ? 0.5 : 1;  // of the progress, taken by a run of the float graph
  const auto progress = [&](double base, double part) {
    return [&on_progress, base, part](double fraction) {
      if (on_progress) on_progress(base + part * fraction);
    };
  };
  RangeCollector ranges(graph, regions);
  GraphRunner runner(graph, GraphRunner::Results::kAll);
  for (size_t i = 0; i < calibration.size(); ++i) {
    runner.run(calibration[i],
               [&](const Node& node, const Tensor& value) { ranges.observe(node, value); });
    progress(0, share)(static_cast<double>(i + 1) / static_cast<double>(calibration.size()));
  }
  const std::map<NodeId, Levels> levels = free_levels(graph, regions, ranges.take());
  Inserter inserter(graph, regions, levels);
  Graph result = inserter.run();
  Merged merged = merge_quantized_layers(result);
  if (refines) refine_free(graph, calibration, progress(share, 1 - share), merged, result);
  std::vector<MeasuredLayer> layers = measured_layers(graph, regions, inserter.quantized(), merged);
  return {std::move(result), std::move(layers)};
}

}  // namespace vta::quantize
