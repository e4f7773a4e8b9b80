// SPDX-License-Identifier: Apache-2.0
//
// libvta for C++ that calls it: handles as objects, statuses as exceptions.
#ifndef VTA_TOOLS_C_API_CLIENT_H_
#define VTA_TOOLS_C_API_CLIENT_H_

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "base/errors/error.h"
#include "tools/c_api/vta.h"

namespace vta::client {

struct Free {
  void operator()(vta_network* network) const { vta_network_free(network); }
  void operator()(vta_node_refusals* refusals) const { vta_node_refusals_free(refusals); }
  void operator()(vta_program* program) const { vta_program_free(program); }
  void operator()(vta_device* device) const { vta_device_free(device); }
  void operator()(vta_session* session) const { vta_session_free(session); }
  void operator()(vta_report* report) const { vta_report_free(report); }
  void operator()(vta_server* server) const { vta_server_free(server); }
};

using Network = std::unique_ptr<vta_network, Free>;
using NodeRefusals = std::unique_ptr<vta_node_refusals, Free>;
using Program = std::unique_ptr<vta_program, Free>;
using Device = std::unique_ptr<vta_device, Free>;
using Session = std::unique_ptr<vta_session, Free>;
using Report = std::unique_ptr<vta_report, Free>;
using Server = std::unique_ptr<vta_server, Free>;

struct Status {
  ErrorCode code;
  vta_status status;
};

// In the order of ErrorCode.
inline constexpr Status kStatuses[] = {
    {ErrorCode::kInvalidArgument, VTA_INVALID_ARGUMENT},
    {ErrorCode::kUnsupported, VTA_UNSUPPORTED},
    {ErrorCode::kNotFound, VTA_NOT_FOUND},
    {ErrorCode::kCorrupt, VTA_CORRUPT},
    {ErrorCode::kOutOfMemory, VTA_OUT_OF_MEMORY},
    {ErrorCode::kTimeout, VTA_TIMEOUT},
    {ErrorCode::kDevice, VTA_DEVICE},
    {ErrorCode::kIo, VTA_IO},
};
static_assert(std::size(kStatuses) == static_cast<size_t>(ErrorCode::kIo) + 1, "one for each code");

// Throws the error of a call that failed: vta::Error with libvta's message, or std::logic_error for
// a bug in libvta.
inline void check(vta_status status) {
  if (status == VTA_OK) return;
  if (status == VTA_INTERNAL) throw std::logic_error(vta_last_error());
  const Status* const found = std::ranges::find(kStatuses, status, &Status::status);
  const bool is_known = found != std::end(kStatuses);  // VTA_CANCELLED has no code
  throw Error(is_known ? found->code : ErrorCode::kInvalidArgument, vta_last_error());
}

}  // namespace vta::client

#endif  // VTA_TOOLS_C_API_CLIENT_H_
