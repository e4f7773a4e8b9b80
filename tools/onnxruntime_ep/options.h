// SPDX-License-Identifier: Apache-2.0
//
// The options of the provider in a session.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_

#include <string>

#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

inline constexpr const char* kProvider = "VTAExecutionProvider";

struct Options {
  std::string device = "functional";  // a URI of vta_device_open(), with the memory
  std::string core;                   // "": libvta's default
  // A data set of `vta-compile --calibrate`, a quantized network (.vtaq), or "noise". "": networks
  // without scales of their own stay with the other providers.
  std::string calibration;
  bool allows_other_providers = true;  // false: session.disable_cpu_ep_fallback
  // Options of ONNX Runtime, ep.context_*: whether to write nodes with programs, whether the
  // programs are in the nodes, and the model's file ("": by the file of the session's model).
  bool writes_context = false, embeds_context = false;
  std::string context_file;
};

// Reads the options "ep.<provider>.<name>" of a session, and ONNX Runtime's own. Errors:
// kInvalidArgument for an unknown name and for values that exclude each other; as
// vta_device_require_reachable().
Options read_options(const OrtSessionOptions& session);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_
