// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/run_graph.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Adds one tensor; means hold sums until finish().
void add(const Tensor& value, ChannelStatistics& channels) {
  const auto x = value.data<float>();
  const std::vector<int64_t>& shape = value.shape();
  const bool is_vector = shape.size() == 1;  // of channels
  const auto c = static_cast<size_t>(is_vector ? shape[0] : shape[1]);
  const size_t images = is_vector ? 1 : static_cast<size_t>(shape[0]),
               plane = x.size() / c / images;
  channels.mean.resize(c);
  channels.mean_square.resize(c);
  channels.largest.resize(c);
  for (size_t i = 0; i < images * c; ++i) {
    double sum = 0, squares = 0;
    float largest = 0;
    for (float element : x.subspan(i * plane, plane)) {
      sum += element;
      squares += double{element} * element;
      largest = std::max(largest, std::abs(element));
    }
    channels.mean[i % c] += sum / static_cast<double>(images * plane);
    channels.mean_square[i % c] += squares / static_cast<double>(images * plane);
    channels.largest[i % c] = std::max(channels.largest[i % c], double{largest});
  }
}

void finish(std::map<NodeId, ChannelStatistics>& all, size_t num_inputs) {
  for (auto& [id, channels] : all) {
    for (double& x : channels.mean) x /= static_cast<double>(num_inputs);
    for (double& x : channels.mean_square) x /= static_cast<double>(num_inputs);
  }
}

// Infinite values stay infinite; they are refused later.
Tensor limited(const Tensor& value, const Range& range) {
  Tensor result(value.type());
  const auto from = value.data<float>();
  const auto to = result.mutable_data<float>();
  for (size_t i = 0; i < from.size(); ++i)
    to[i] = std::isfinite(from[i]) ? std::clamp(from[i], range.lo, range.hi) : from[i];
  return result;
}

class Collector {
 public:
  Collector(const Graph& graph, const Regions& regions) : graph_(graph), regions_(regions) {
    for (NodeId id : graph.order()) plan(graph.node(id));
    for (NodeId id : counted_) {
      const Node& node = graph.node(id);
      if (node.kind == OpKind::kConstant) count(node, node.value);
    }
  }

  void observe(const Node& node, const Tensor& result) {
    const auto range = statistics_.ranges.find(node.id);
    const Tensor value =
        range == statistics_.ranges.end() ? result : limited(result, range->second);
    if (counted_.count(node.id) != 0) count(node, value);
    const auto users = layers_of_.find(node.id);
    if (users != layers_of_.end()) {
      for (NodeId layer : users->second) add(value, statistics_.inputs[layer]);
    }
    const auto layer = result_of_.find(node.id);
    if (layer != result_of_.end()) add(value, statistics_.outputs[layer->second]);
  }

  Statistics take(size_t num_inputs) {
    finish(statistics_.inputs, num_inputs);
    finish(statistics_.outputs, num_inputs);
    return std::move(statistics_);
  }

 private:
  bool is_weighted(const Node& node) const {
    return regions_.is_integer(node.id) && form_of(graph_, node) == Form::kWeighted;
  }

  void plan(const Node& node) {
    if (!regions_.is_integer(node.id)) return;
    if (is_weighted(node)) layers_of_[node.inputs[0]].push_back(node.id);
    if (is_weighted(node) || form_of(graph_, node) == Form::kSum) {
      const auto activation = regions_.fused_activation.find(node.id);
      result_of_[activation == regions_.fused_activation.end() ? node.id : activation->second] =
          node.id;
    }
    if (brings_values(node)) {
      counted_.insert(node.id);
      const std::optional<Range> range = useful_range(graph_, node);
      if (range) statistics_.ranges[node.id] = *range;
    }
    const size_t num_operands = form_of(graph_, node) == Form::kWeighted ? 1 : node.inputs.size();
    for (size_t i = 0; i < num_operands; ++i) {
      if (!regions_.is_integer(node.inputs[i])) counted_.insert(node.inputs[i]);
    }
  }

  // Whether the pad writes values to be counted: constants other than zero and the lowest float,
  // which a max pool ignores.
  static bool pads_with_a_number(const Node& node) {
    return node.kind == OpKind::kPad && node.attrs.pad_mode == PadMode::kConstant &&
           node.attrs.pad_value != 0 &&
           node.attrs.pad_value > double{std::numeric_limits<float>::lowest()};
  }

  // Movements have their operand's values, and so have concats of operands of the same scale. The
  // operand of a fused activation is not stored.
  bool brings_values(const Node& node) const {
    if (pads_with_a_number(node)) return true;
    const Form form = form_of(graph_, node);
    if (form == Form::kMovement || regions_.fused_activation.count(node.id) != 0) return false;
    return form != Form::kConcat ||
           !std::all_of(node.inputs.begin(), node.inputs.end(), [&](NodeId operand) {
             return regions_.is_integer(operand) &&
                    regions_.scale_of.at(operand) == regions_.scale_of.at(node.id);
           });
  }

  void count(const Node& node, const Tensor& value) {
    if (value.dtype() != DType::kFloat32) return;
    if (!statistics_.histograms[regions_.scale_of.at(node.id)].add(value.data<float>())) {
      fail(ErrorCode::kInvalidArgument, "{}: the result for a calibration input is not finite",
           node.name);
    }
  }

  const Graph& graph_;
  const Regions& regions_;
  std::set<NodeId> counted_;
  std::map<NodeId, std::vector<NodeId>> layers_of_;  // tensor -> weighted layers that read it
  std::map<NodeId, NodeId> result_of_;  // tensor -> weighted layer or sum that computes it
  Statistics statistics_;
};

}  // namespace

Statistics collect_statistics(const Graph& graph, const Regions& regions,
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::function<void(double)>& on_progress) {
  Collector collector(graph, regions);
  GraphRunner runner(graph, GraphRunner::Results::kAll);
  for (size_t i = 0; i < calibration.size(); ++i) {
    runner.run(calibration[i],
               [&](const Node& node, const Tensor& value) { collector.observe(node, value); });
    if (on_progress)
      on_progress(static_cast<double>(i + 1) / static_cast<double>(calibration.size()));
  }
  return collector.take(calibration.size());
}

}  // namespace vta::quantize
