// SPDX-License-Identifier: Apache-2.0
//
// Times a network in another runtime, for comparison: ONNX Runtime or PyTorch, in a Python process.
#ifndef VTA_TOOLS_SIM_BESIDE_H_
#define VTA_TOOLS_SIM_BESIDE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"
#include "tools/sim/bench_result.h"

namespace vta::sim {

// "onnxruntime", "torch"
std::vector<std::string> beside_names();

struct BesideOptions {
  std::string runtime;             // one of beside_names()
  std::string model;               // an ONNX model; for torch a TorchScript file
  std::vector<TensorType> inputs;  // in the model's order; their values are standard normals
  int64_t batch = 1;               // samples of an inference
  uint64_t threads = 1, number = 1, repeat = 10, warm_up = 1;
};

// Runs `python3`. Errors: kNotFound if there is no Python, or if it does not have the runtime;
// kUnsupported with the last line of Python's message if the runtime refuses the model.
BenchResult bench_beside(const BesideOptions& options);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_BESIDE_H_
