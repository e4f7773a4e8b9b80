// SPDX-License-Identifier: Apache-2.0
//
// A network on the host, built once and run many times. Operators that oneDNN implements in fp32
// keep its layouts from one to the next, have their weights reordered in advance, reuse the buffers
// of dead results, and have activations and residual adds fused into the convolution before them.
// All others run by host::execute() on plain tensors.
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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_EXECUTOR_H_
