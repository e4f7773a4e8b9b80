// SPDX-License-Identifier: Apache-2.0
//
// A network on the host, prepared once and run many times. What oneDNN can do in fp32 keeps
// oneDNN's layouts from operator to operator, with weights in the layout that its primitives want,
// with buffers that are taken over from dead results, and with activations and residual adds inside
// the convolutions before them. Everything else is host::execute() on plain tensors.
#ifndef VTA_RUNTIME_HOST_EXECUTOR_H_
#define VTA_RUNTIME_HOST_EXECUTOR_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// One line of a network: an operator on results of operations before it.
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
    int num_threads = 1;  // of oneDNN
    bool fuse = true;     // false: every operation has a result to observe
  };
  // Errors: those of oneDNN, with the operation's name in front.
  Executor(std::vector<Operation> operations, std::vector<size_t> outputs, const Options& options);
  ~Executor();

  // `inputs` by attrs.index, the results in the order of the constructor's `outputs`. `on_value`
  // sees every result but those of constants and of operations that are fused into another one.
  // For the thread that made the executor alone: oneDNN's scratch memory is that thread's.
  // Errors: kInvalidArgument for inputs that are missing or of another type; those of
  // host::execute(), with the operation's name in front.
  using Observer = std::function<void(size_t operation, const Tensor& value)>;
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const Observer& on_value = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_EXECUTOR_H_
