// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/run_graph.h"

#include <map>

#include "compiler/graph/passes/fold_batch_norm.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

Graph folded(const Graph& graph, GraphRunner::Results results) {
  Graph copy = graph;
  if (results == GraphRunner::Results::kOutputs) graph::fold_batch_norm(copy);
  return copy;
}

host::Executor executor_of(const Graph& graph, const host::Executor::Options& options) {
  std::map<NodeId, size_t> index;
  std::vector<host::Operation> operations;
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    host::Operation operation{node.name, node.kind, node.attrs, {}, node.type, node.value};
    for (NodeId input : node.inputs) operation.inputs.push_back(index.at(input));
    index[id] = operations.size();
    operations.push_back(std::move(operation));
  }
  std::vector<size_t> outputs;
  for (NodeId id : graph.outputs()) outputs.push_back(index.at(id));
  return {std::move(operations), std::move(outputs), options};
}

}  // namespace

GraphRunner::GraphRunner(const Graph& graph, Results results, int num_threads)
    : graph_(folded(graph, results)),
      ids_(graph_.order()),
      executor_(executor_of(graph_, {num_threads, results == Results::kOutputs})) {}

std::vector<Tensor> GraphRunner::run(const std::vector<Tensor>& inputs,
                                     const ValueObserver& on_value) {
  if (!on_value) return executor_.run(inputs);
  return executor_.run(inputs, [&](size_t operation, const Tensor& value) {
    on_value(graph_.node(ids_[operation]), value);
  });
}

std::vector<Tensor> run_graph(const Graph& graph, const std::vector<Tensor>& inputs,
                              const ValueObserver& on_value) {
  const auto results = on_value ? GraphRunner::Results::kAll : GraphRunner::Results::kOutputs;
  return GraphRunner(graph, results).run(inputs, on_value);
}

}  // namespace vta::quantize
