// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/statistics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "base/limits/parallel.h"
#include "compiler/quantize/forms.h"
#include "compiler/quantize/lookup_table.h"
#include "compiler/quantize/run_graph.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// By image and channel of one result; means are parts of those of all images.
ChannelStatistics of_planes(const Tensor& value) {
  const auto x = value.data<float>();
  const std::vector<int64_t>& shape = value.shape();
  const bool is_vector = shape.size() == 1;  // of channels
  const auto images = static_cast<size_t>(is_vector ? 1 : shape[0]);
  const size_t planes = images * static_cast<size_t>(is_vector ? shape[0] : shape[1]);
  const size_t size = x.size() / planes;
  ChannelStatistics result;
  for (size_t i = 0; i < planes; ++i) {
    double sum = 0, squares = 0;
    float largest = 0;
    for (float element : x.subspan(i * size, size)) {
      sum += element;
      squares += double{element} * element;
      largest = std::max(largest, std::abs(element));
    }
    result.mean.push_back(sum / static_cast<double>(images * size));
    result.mean_square.push_back(squares / static_cast<double>(images * size));
    result.largest.push_back(largest);
  }
  return result;
}

// Adds those of another result of a tensor with `count` channels; means hold sums until finish().
void add(const ChannelStatistics& planes, size_t count, ChannelStatistics& channels) {
  channels.mean.resize(count);
  channels.mean_square.resize(count);
  channels.largest.resize(count);
  for (size_t i = 0; i < planes.mean.size(); ++i) {
    channels.mean[i % count] += planes.mean[i];
    channels.mean_square[i % count] += planes.mean_square[i];
    channels.largest[i % count] = std::max(channels.largest[i % count], planes.largest[i]);
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

using Histograms = std::map<NodeId, Histogram>;
using PlaneStatistics = std::map<NodeId, ChannelStatistics>;  // of results for one input

class Collector {
 public:
  Collector(const Graph& graph, const Regions& regions) : graph_(graph), regions_(regions) {
    for (NodeId id : graph.order()) plan(graph.node(id));
    for (NodeId id : counted_) {
      const Node& node = graph.node(id);
      if (node.kind == OpKind::kConstant) count(node, node.value, statistics_.histograms);
    }
  }

  // Thread-safe.
  void observe(const Node& node, const Tensor& result, Histograms& histograms,
               PlaneStatistics& planes) const {
    const auto range = statistics_.ranges.find(node.id);
    const Tensor value =
        range == statistics_.ranges.end() ? result : limited(result, range->second);
    if (counted_.contains(node.id)) count(node, value, histograms);
    if (layers_of_.contains(node.id) || result_of_.contains(node.id))
      planes[node.id] = of_planes(value);
  }

  void add_counts(const Histograms& histograms) {
    for (const auto& [id, histogram] : histograms) statistics_.histograms[id].add(histogram);
  }

  // Those of the next input come next: sums of doubles depend on the order.
  void add_planes(const PlaneStatistics& planes) {
    for (const auto& [id, statistics] : planes) {
      const std::vector<int64_t>& shape = graph_.node(id).type.shape;
      const auto channels = static_cast<size_t>(shape.size() == 1 ? shape[0] : shape[1]);
      const auto users = layers_of_.find(id);
      if (users != layers_of_.end()) {
        for (NodeId layer : users->second) add(statistics, channels, statistics_.inputs[layer]);
      }
      const auto layer = result_of_.find(id);
      if (layer != result_of_.end()) add(statistics, channels, statistics_.outputs[layer->second]);
    }
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
      result_of_[regions_.result_of(node.id)] = node.id;
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

  void count(const Node& node, const Tensor& value, Histograms& histograms) const {
    if (value.dtype() != DType::kFloat32) return;
    if (!histograms[regions_.scale_of.at(node.id)].add(value.data<float>())) {
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

// Runs the graph on inputs, each on one of a few threads, and adds what they give in their order.
class Collection {
 public:
  Collection(const Graph& graph, const std::vector<std::vector<Tensor>>& calibration,
             Collector& collector, const std::function<void(double)>& on_progress)
      : graph_(graph),
        calibration_(calibration),
        collector_(collector),
        on_progress_(on_progress) {}

  void run() {
    const auto workers = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMaxWorkers);
    in_parallel(workers, workers, [&](size_t worker, size_t) {
      try {
        observe_inputs(worker);
      } catch (...) {
        next_ = calibration_.size();
        throw;
      }
    });
  }

 private:
  static constexpr size_t kMaxWorkers = 4;  // each has a copy of the weights

  // Inputs that no other thread has taken. oneDNN's memory belongs to one thread, hence the runner.
  void observe_inputs(size_t worker) {
    std::optional<GraphRunner> runner;
    Histograms histograms;
    for (size_t input = next_++; input < calibration_.size(); input = next_++) {
      if (!runner) runner.emplace(graph_, GraphRunner::Results::kAll);
      PlaneStatistics planes;
      runner->run(calibration_[input], [&](const Node& node, const Tensor& value) {
        collector_.observe(node, value, histograms, planes);
      });
      const double fraction = finish(input, std::move(planes));
      if (worker == 0 && on_progress_) on_progress_(fraction);  // in the caller's thread
    }
    const std::lock_guard lock(mutex_);
    collector_.add_counts(histograms);
  }

  double finish(size_t input, PlaneStatistics planes) {
    const std::lock_guard lock(mutex_);
    early_[input] = std::move(planes);
    for (auto next = early_.find(num_added_); next != early_.end();
         next = early_.find(num_added_)) {
      collector_.add_planes(next->second);
      early_.erase(next);
      ++num_added_;
    }
    return static_cast<double>(num_added_) / static_cast<double>(calibration_.size());
  }

  const Graph& graph_;
  const std::vector<std::vector<Tensor>>& calibration_;
  Collector& collector_;
  const std::function<void(double)>& on_progress_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  std::map<size_t, PlaneStatistics> early_;  // by input, before those of an earlier one
  size_t num_added_ = 0;
};

}  // namespace

Statistics collect_statistics(const Graph& graph, const Regions& regions,
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::function<void(double)>& on_progress) {
  Collector collector(graph, regions);
  Collection(graph, calibration, collector, on_progress).run();
  return collector.take(calibration.size());
}

}  // namespace vta::quantize
