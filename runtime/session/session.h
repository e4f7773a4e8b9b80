// SPDX-License-Identifier: Apache-2.0
//
// Session: runs a program on a device. Owns the arena and reports counters and times.
#ifndef VTA_RUNTIME_SESSION_SESSION_H_
#define VTA_RUNTIME_SESSION_SESSION_H_

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"
#include "runtime/session/inference_report.h"

namespace vta {

// Executes a host operator. The caller supplies it, so that board binaries link without oneDNN.
using HostExecutor =
    std::function<Tensor(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs)>;

class Session {
 public:
  // Allocates the arena on `device` and copies the program's image into it. `device` outlives the
  // session. Sessions that run in several threads on one device share `device_turn`, which each
  // holds while it uses the device. That is from the copy of its inputs to that of its results, and
  // not during host operators. Errors: kInvalidArgument if the cores of device and program differ,
  // naming the field; kOutOfMemory.
  Session(const Program& program, driver::Device& device, HostExecutor host,
          std::mutex* device_turn = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Runs one inference. `inputs` have the order and types of program.inputs.
  // Errors: as Device::run(), prefixed with the layer's name; kInvalidArgument for a wrong
  // number or type of inputs.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, InferenceReport* report = nullptr);

  // The same with inputs and outputs in the caller's memory: dense, row-major arrays in the order
  // of the program, of exactly the size of its types. Inputs are packed from there, outputs
  // unpacked or dequantized to there; the operands and results of other host operators are copied
  // (InferenceReport::copied_bytes). Returns the types of the outputs, whose elements are the first
  // of the arrays.
  std::vector<TensorType> run(std::span<const std::span<const uint8_t>> inputs,
                              std::span<const std::span<uint8_t>> outputs,
                              InferenceReport* report = nullptr);

  // For tests and debugging: called with every result of a step, but in a stream of several layers
  // with the last result only; device values are read back and unpacked.
  std::function<void(const ProgramValue& value, const Tensor& tensor)> on_value;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_SESSION_H_
