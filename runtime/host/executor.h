// SPDX-License-Identifier: Apache-2.0
//
// A network on the host, built once and run many times. Operators that oneDNN implements in fp32
// keep its layouts from one to the next, and have their weights reordered in advance. They reuse
// the buffers of dead results, and have activations and residual adds fused into the convolution
// before them. All others run by host::execute() on plain tensors.
#ifndef VTA_RUNTIME_HOST_EXECUTOR_H_
#define VTA_RUNTIME_HOST_EXECUTOR_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// An operator applied to the results of previous operations.
struct Operation {
  std::string name;  // for errors
  OpKind kind = OpKind::kInput;
  OpAttrs attrs;
  std::vector<size_t> inputs;  // indices of operations
  TensorType type;             // of the result
  Tensor value;                // of a constant
};

// Layouts of a layer: "nchw", "nChw16c", "OIhw16i16o", or "plain" if it does not run in oneDNN.
struct LayerLayouts {
  std::string source;  // of the first operand where the layer before wrote it
  std::string data;    // of the first operand as the layer reads it; if unlike `source`, a reorder
  std::string kernel;  // of the weights; "" without weights
  std::string result;
};

// One layer of an executor: an operation and the operations fused into it.
struct ExecutedLayer {
  std::vector<const Operation*> operations;  // empty: the results' conversion to plain layouts
  std::vector<TensorType> types;             // of the operands, then of the result
  LayerLayouts layouts;
};

class Executor {
 public:
  struct Options {
    int num_threads = 1;  // for oneDNN
    bool fuse = true;     // false: the result of every operation can be observed
  };
  // Errors: kOutOfMemory or kUnsupported from oneDNN, naming the operation.
  Executor(std::vector<Operation> operations, std::vector<size_t> outputs, const Options& options);
  ~Executor();

  // `inputs` are indexed by attrs.index; the results are in the order of the constructor's
  // `outputs`. `on_value` gets every result except constants and results that fusion removes.
  // Call it from the thread that made the executor: oneDNN's scratch memory belongs to that thread.
  // Errors: kInvalidArgument for a missing input or one of another type; any error of
  // host::execute(), naming the operation.
  using Observer = std::function<void(size_t operation, const Tensor& value)>;
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const Observer& on_value = {});

  // The layers in execution order; valid as long as the executor.
  std::vector<ExecutedLayer> layers() const;

  // Called when the first layer begins and when each layer ends. A layer begins when the previous
  // one ends, so a layer costs one call.
  class Meter {
   public:
    virtual ~Meter() = default;
    virtual void begin() = 0;
    virtual void end(size_t layer) = 0;  // index in layers()
  };
  // As run() without an observer.
  std::vector<Tensor> run_metered(const std::vector<Tensor>& inputs, Meter& meter);

 private:
  struct Impl;
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const Observer& on_value,
                          Meter* meter);

  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_EXECUTOR_H_
