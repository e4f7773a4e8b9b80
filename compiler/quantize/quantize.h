// SPDX-License-Identifier: Apache-2.0
//
// From a folded float graph to an int8 graph with power-of-two scales.
#ifndef VTA_COMPILER_QUANTIZE_QUANTIZE_H_
#define VTA_COMPILER_QUANTIZE_QUANTIZE_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/quantize/options.h"
#include "runtime/host/executor.h"

namespace vta::quantize {

using ValueObserver = std::function<void(const graph::Node&, const Tensor&)>;

// A graph on the host, prepared once for many inputs; see runtime/host/executor.h for what may be
// expected of it.
class GraphRunner {
 public:
  enum class Results { kAll, kOutputs };  // kOutputs folds and fuses what can be
  GraphRunner(const graph::Graph& graph, Results results, int num_threads = 1);

  // `on_value` sees every result; with kOutputs there are none but the outputs.
  // Errors: kInvalidArgument for inputs that are missing or of another type, those of an operator.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const ValueObserver& on_value = {});

 private:
  graph::Graph graph_;
  std::vector<graph::NodeId> ids_;  // of the executor's operations
  host::Executor executor_;
};

// Runs a graph once. `on_value` sees every result.
std::vector<Tensor> run_graph(const graph::Graph& graph, const std::vector<Tensor>& inputs,
                              const ValueObserver& on_value = {});

// The int8 graph of a float graph: the integer operators of runtime/tensor/ops.def where an
// operator has an integer form, quantize and dequantize around those that stay float32 (the last
// dense layer, softmax, `keep_float`). `calibration`: one set of inputs each; not used by kGlobal.
// Errors: kInvalidArgument if a method needs calibration and there is none, for a layer of
// `keep_float` that does not exist, naming it, and for options that the method does not have.
graph::Graph quantize(const graph::Graph& graph, const Options& options,
                      const std::vector<std::vector<Tensor>>& calibration,
                      const std::function<void(double fraction)>& on_progress = {});

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_QUANTIZE_H_
