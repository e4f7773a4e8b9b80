// SPDX-License-Identifier: Apache-2.0
//
// GraphRunner: runs a float or integer graph on the host.
#ifndef VTA_COMPILER_QUANTIZE_RUN_GRAPH_H_
#define VTA_COMPILER_QUANTIZE_RUN_GRAPH_H_

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "runtime/host/executor.h"

namespace vta::quantize {

using ValueObserver = std::function<void(const graph::Node&, const Tensor&)>;

// A graph on the host, prepared once for many inputs (runtime/host/executor.h).
class GraphRunner {
 public:
  enum class Results { kAll, kOutputs };  // kOutputs: folds and fuses operators
  GraphRunner(const graph::Graph& graph, Results results, int num_threads = 1);

  // Calls `on_value` with every result; with kOutputs, with the outputs only.
  // Errors: kInvalidArgument for a missing input or one of another type; errors of the operators.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const ValueObserver& on_value = {});

  // As Executor::layers() and Executor::run_metered().
  std::vector<host::ExecutedLayer> layers() const { return executor_.layers(); }
  std::vector<Tensor> run_metered(const std::vector<Tensor>& inputs, host::Executor::Meter& meter) {
    return executor_.run_metered(inputs, meter);
  }

 private:
  graph::Graph graph_;
  std::vector<graph::NodeId> ids_;  // of the executor's operations
  host::Executor executor_;
};

// Runs a graph once; calls `on_value` with every result.
std::vector<Tensor> run_graph(const graph::Graph& graph, const std::vector<Tensor>& inputs,
                              const ValueObserver& on_value = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_RUN_GRAPH_H_
