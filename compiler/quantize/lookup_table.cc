// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/lookup_table.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantize/forms.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

constexpr float kHardly = 1.0f / 256;
constexpr int64_t kLargest = 128, kSteps = 16;  // sampled range of a function, and samples per unit

// The range of one function; infinite on a side on which it does not saturate.
Range range_of(const Graph& graph, const Node& node) {
  Tensor x(TensorType{DType::kFloat32, {2 * kLargest * kSteps + 1}});
  const auto numbers = x.mutable_data<float>();
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i) / kSteps - kLargest;
  const Tensor result = evaluate_lookup(graph, node, x);
  const auto y = result.data<float>();
  const size_t last = y.size() - 1;
  size_t low = 0, high = last;
  while (low < last && std::abs(y[low + 1] - y[0]) <= kHardly) ++low;
  while (high > 0 && std::abs(y[high - 1] - y[last]) <= kHardly) --high;
  if (low >= high) return kAllNumbers;  // a constant
  return {low == 0 ? -kInfinity : numbers[low], high == last ? kInfinity : numbers[high]};
}

}  // namespace

Tensor evaluate_lookup(const Graph& graph, const Node& node, const Tensor& x) {
  const size_t operand = lookup_operand(graph, node);
  std::vector<Tensor> inputs;
  for (NodeId id : node.inputs) inputs.push_back(graph.node(id).value);
  // As an image: a vector would broadcast against further axes of the other operand.
  inputs[operand] = x.reshaped({1, 1, 1, x.num_elems()});
  for (Tensor& other : inputs) {
    if (other.num_elems() == 1) other = other.reshaped({1});
  }
  return host::execute(node.kind, node.attrs, inputs).reshaped({x.num_elems()});
}

std::optional<Range> useful_range(const Graph& graph, const Node& node) {
  const std::vector<NodeId> users = graph.users(node.id);
  if (users.empty() || graph.is_output(node.id)) return std::nullopt;
  Range all = {kInfinity, -kInfinity};
  for (NodeId user : users) {
    if (form_of(graph, graph.node(user)) != Form::kLookup) return std::nullopt;
    all = all.with(range_of(graph, graph.node(user)));
  }
  return all;
}

}  // namespace vta::quantize
