// SPDX-License-Identifier: Apache-2.0
//
// Both borders of the provider: libvta's status codes become exceptions, exceptions become an
// OrtStatus.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_STATUS_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_STATUS_H_

#include <utility>

#include "tools/c_api/client.h"
#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

using client::check;
using client::Device;
using client::Network;
using client::NodeRefusals;
using client::Program;
using client::Report;
using client::Session;

// The status of the exception being handled.
OrtStatus* status_of_exception() noexcept;

// Calls `action` and converts its exceptions. The body of every function that ONNX Runtime calls.
template <typename Action>
OrtStatus* guarded(Action&& action) noexcept {
  try {
    std::forward<Action>(action)();
    return nullptr;
  } catch (...) {
    return status_of_exception();
  }
}

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_STATUS_H_
