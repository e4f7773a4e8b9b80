// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_RPC_CERTIFICATE_H_
#define VTA_RUNTIME_RPC_CERTIFICATE_H_

#include <filesystem>
#include <string>
#include <vector>

namespace vta::rpc {

// Writes the files of a server into `folder`, which is created if missing:
//   certificate.pem  self-signed, EC P-256, for `names` and localhost; the `ca` of clients. It has
//                    no expiry, because boards have no battery-backed clock.
//   key.pem, token   readable by the owner only
// Errors: kInvalidArgument if one of the files exists; kIo. No new file remains after an error.
void make_certificate(const std::filesystem::path& folder, const std::vector<std::string>& names);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CERTIFICATE_H_
