// SPDX-License-Identifier: Apache-2.0
//
// libvta's handles as objects.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_HANDLES_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_HANDLES_H_

#include <memory>

#include "tools/c_api/vta.h"

namespace vta::onnxruntime_ep {

struct Free {
  void operator()(vta_network* network) const { vta_network_free(network); }
  void operator()(vta_node_refusals* refusals) const { vta_node_refusals_free(refusals); }
  void operator()(vta_program* program) const { vta_program_free(program); }
  void operator()(vta_device* device) const { vta_device_free(device); }
  void operator()(vta_session* session) const { vta_session_free(session); }
  void operator()(vta_report* report) const { vta_report_free(report); }
};

using Network = std::unique_ptr<vta_network, Free>;
using NodeRefusals = std::unique_ptr<vta_node_refusals, Free>;
using Program = std::unique_ptr<vta_program, Free>;
using Device = std::unique_ptr<vta_device, Free>;
using Session = std::unique_ptr<vta_session, Free>;
using Report = std::unique_ptr<vta_report, Free>;

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_HANDLES_H_
