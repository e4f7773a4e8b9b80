// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "compiler/quantize/quantize.h"
#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Results that are still needed. A result goes with its last use, so that memory stays at the few
// tensors that are alive at once.
class LiveValues {
 public:
  explicit LiveValues(const Graph& graph) {
    for (NodeId id : graph.order()) {
      for (NodeId input : graph.node(id).inputs) ++uses_[input];
    }
    for (NodeId id : graph.outputs()) ++uses_[id];
  }

  void put(NodeId id, Tensor value) {
    if (uses_[id] > 0) values_[id] = std::move(value);
  }

  Tensor take(NodeId id) {
    const auto found = values_.find(id);
    VTA_ASSERT(found != values_.end(), "inputs come before their users");
    Tensor value = found->second;
    if (--uses_[id] == 0) values_.erase(found);
    return value;
  }

 private:
  std::map<NodeId, int> uses_;
  std::map<NodeId, Tensor> values_;
};

Tensor input_value(const Node& node, const std::vector<Tensor>& inputs) {
  const auto index = static_cast<size_t>(node.attrs.index);
  if (index >= inputs.size()) {
    fail(ErrorCode::kInvalidArgument, "{}: input {} is missing, {} were given", node.name, index,
         inputs.size());
  }
  if (inputs[index].type() != node.type) {
    fail(ErrorCode::kInvalidArgument, "{}: the input is {}, expected {}", node.name,
         to_string(inputs[index].type()), to_string(node.type));
  }
  return inputs[index];
}

}  // namespace

std::vector<Tensor> run_graph(const Graph& graph, const std::vector<Tensor>& inputs,
                              const std::function<void(const Node&, const Tensor&)>& on_value) {
  LiveValues live(graph);
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    Tensor value;
    if (node.kind == OpKind::kConstant) {
      value = node.value;
    } else if (node.kind == OpKind::kInput) {
      value = input_value(node, inputs);
    } else {
      std::vector<Tensor> operands;
      for (NodeId input : node.inputs) operands.push_back(live.take(input));
      value =
          with_context(node.name, [&] { return host::execute(node.kind, node.attrs, operands); });
    }
    if (on_value && node.kind != OpKind::kConstant) on_value(node, value);
    live.put(id, std::move(value));
  }
  std::vector<Tensor> outputs;
  for (NodeId id : graph.outputs()) outputs.push_back(live.take(id));
  return outputs;
}

}  // namespace vta::quantize
