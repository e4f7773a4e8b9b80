// SPDX-License-Identifier: Apache-2.0
//
// Session: runs a program on a device. Owns the arena and reports counters and times.
#ifndef VTA_RUNTIME_SESSION_SESSION_H_
#define VTA_RUNTIME_SESSION_SESSION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"

namespace vta {

// One layer of one inference.
struct LayerReport {
  std::string name;
  std::string op;         // "qconv2d", "max_pool2d", "pack", ...
  std::string where;      // "core", "host"
  hw::Counters counters;  // zeros on the host
  double seconds = 0;
  uint64_t macs = 0;  // of one image (macs_of())
};

struct InferenceReport {
  hw::Counters counters;  // sum over the layers
  std::vector<LayerReport> layers;
  double device_seconds = 0;  // inside Device::run
  double host_seconds = 0;    // host operators, packing, copies
};

// Executes a host operator. The caller supplies it, so that board binaries link without oneDNN.
using HostExecutor =
    std::function<Tensor(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs)>;

class Session {
 public:
  // Allocates the arena on `device` and copies the program's image into it. `device` outlives the
  // session. Errors: kInvalidArgument if the cores of device and program differ, naming the field;
  // kOutOfMemory.
  Session(const Program& program, driver::Device& device, HostExecutor host);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Runs one inference. `inputs` have the order and types of program.inputs.
  // Errors: as Device::run(), prefixed with the layer's name; kInvalidArgument for a wrong
  // number or type of inputs.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, InferenceReport* report = nullptr);

  // For tests and debugging: called with every result of a step; device values are read back and
  // unpacked.
  std::function<void(const ProgramValue& value, const Tensor& tensor)> on_value;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_SESSION_H_
