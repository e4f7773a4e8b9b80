// SPDX-License-Identifier: Apache-2.0
//
// The options of the provider in a session.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_

#include <string>

#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

struct Options {
  std::string device = "functional";  // a URI of vta_device_open(), with the memory
  std::string core;                   // "": libvta's default
  // A data set of `vta-compile --calibrate`, a quantized network (.vtaq), or "noise". "": networks
  // without scales of their own stay with the other providers.
  std::string calibration;
  bool allows_other_providers = true;  // false: session.disable_cpu_ep_fallback
};

// Reads the options "ep.<provider>.<name>" of a session. Errors: kInvalidArgument for an unknown
// name and for values that exclude each other; as vta_device_require_reachable().
Options read_options(const OrtSessionOptions& session, const std::string& provider);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_OPTIONS_H_
