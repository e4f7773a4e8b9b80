// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/measure_batch_norms.h"

#include <algorithm>
#include <map>

#include "compiler/import/exact_conv2d.h"
#include "runtime/host/host_operators.h"

namespace vta::import {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// A lower limit: a channel that is constant on the sample would be amplified to noise.
constexpr double kMinVariance = 1e-3;

struct Statistics {
  std::vector<float> mean, variance;
};

Statistics channel_statistics(const Tensor& x) {
  const auto channels = static_cast<size_t>(x.dim(1));
  const size_t plane = static_cast<size_t>(x.num_elems()) / channels;
  const std::span<const float> values = x.data<float>();
  Statistics result;
  for (size_t c = 0; c < channels; ++c) {
    const std::span<const float> channel = values.subspan(c * plane, plane);
    double sum = 0, squares = 0;
    for (float value : channel) sum += value;
    const double mean = sum / static_cast<double>(plane);
    for (float value : channel) squares += (value - mean) * (value - mean);
    result.mean.push_back(static_cast<float>(mean));
    result.variance.push_back(
        static_cast<float>(std::max(squares / static_cast<double>(plane), kMinVariance)));
  }
  return result;
}

class Measurement {
 public:
  Measurement(Graph& graph, const Tensor& input) : graph_(graph), input_(input) {}

  void run() {
    NodeId last = -1;
    for (NodeId id : graph_.order()) {
      if (graph_.node(id).kind == OpKind::kBatchNorm) last = id;
      for (NodeId used : graph_.node(id).inputs) last_use_[used] = id;
    }
    if (last < 0) return;
    for (NodeId id : graph_.order()) {
      compute(graph_.node(id));
      if (id == last) return;
      for (NodeId used : graph_.node(id).inputs) {
        if (last_use_.at(used) == id) values_.erase(used);
      }
    }
  }

 private:
  void compute(const Node& node) {
    if (node.kind == OpKind::kInput) {
      values_[node.id] = input_;
    } else if (node.kind != OpKind::kConstant) {
      if (node.kind == OpKind::kBatchNorm) measure(node);
      values_[node.id] = result(node);
    }
  }

  void measure(const Node& node) {
    const Statistics found = channel_statistics(value(node.inputs[0]));
    const auto channels = static_cast<int64_t>(found.mean.size());
    // The last of the layers that share parameters sets them.
    graph_.node(node.inputs[3]).value = Tensor({channels}, found.mean);
    graph_.node(node.inputs[4]).value = Tensor({channels}, found.variance);
  }

  Tensor result(const Node& node) const {
    std::vector<Tensor> operands;
    for (NodeId input : node.inputs) operands.push_back(value(input));
    Tensor y;
    if (node.kind == OpKind::kConv2d) {
      y = exact_conv2d(node.attrs, operands[0], operands[1]);
    } else if (node.kind == OpKind::kDense) {
      y = exact_dense(operands[0], operands[1]);
    } else if (node.kind == OpKind::kConv2dTranspose && pads_little(node.attrs)) {
      y = exact_conv2d_transpose(node.attrs, operands[0], operands[1]);
    } else {
      return host::execute(node.kind, node.attrs, operands);
    }
    if (operands.size() == 3) add_bias(operands[2], y);
    return y;
  }

  // A condition of exact_conv2d_transpose().
  static bool pads_little(const WindowAttrs& attrs) {
    for (size_t side = 0; side < 4; ++side) {
      if (attrs.pad[side] > attrs.dilation[side % 2] * (attrs.kernel[side % 2] - 1)) return false;
    }
    return true;
  }

  // Computed as a convolution of one pixel.
  static Tensor exact_dense(const Tensor& x, const Tensor& w) {
    const Tensor y =
        exact_conv2d({}, x.reshaped({1, x.dim(1), 1, 1}), w.reshaped({w.dim(0), w.dim(1), 1, 1}));
    return y.reshaped({1, w.dim(0)});
  }

  static void add_bias(const Tensor& bias, Tensor& y) {
    const std::span<float> values = y.mutable_data<float>();
    const size_t plane = values.size() / bias.data<float>().size();
    for (size_t i = 0; i < values.size(); ++i) values[i] += bias.data<float>()[i / plane];
  }

  const Tensor& value(NodeId id) const {
    const Node& node = graph_.node(id);
    return node.kind == OpKind::kConstant ? node.value : values_.at(id);
  }

  Graph& graph_;
  const Tensor& input_;
  std::map<NodeId, Tensor> values_;
  std::map<NodeId, NodeId> last_use_;
};

}  // namespace

void measure_batch_norms(Graph& graph, const Tensor& input) { Measurement(graph, input).run(); }

}  // namespace vta::import
