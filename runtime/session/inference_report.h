// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_SESSION_INFERENCE_REPORT_H_
#define VTA_RUNTIME_SESSION_INFERENCE_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hw/registers/counters.h"
#include "runtime/tensor/place.h"

namespace vta {

// One layer of one inference.
struct LayerReport {
  std::string name;
  std::string op;  // "qconv2d", "max_pool2d", "pack", ...
  Place where = Place::kHost;
  hw::Counters counters;  // zeros on the host; cycles: from the end of the layer before
  double seconds = 0;     // on the host, with the making of this report
  uint64_t macs = 0;      // of one image (macs_of())
  bool ends_run = false;  // whether a run of the device ends with the layer
};

struct InferenceReport {
  hw::Counters counters;  // sum over the layers
  std::vector<LayerReport> layers;
  // In Device::run; of a device on another machine by the clock of that machine.
  double device_seconds = 0;
  double host_seconds = 0;  // host operators, packing, copies, the connection to that machine
  double wait_seconds = 0;  // until the device was free; 0 unless sessions share it
  // Bytes of inputs and outputs that were copied from or to the caller's memory. Packing, unpacking
  // and dequantizing do not count: they read and write that memory directly.
  uint64_t copied_bytes = 0;
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_INFERENCE_REPORT_H_
