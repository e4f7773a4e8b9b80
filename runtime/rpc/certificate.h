// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_RPC_CERTIFICATE_H_
#define VTA_RUNTIME_RPC_CERTIFICATE_H_

#include <filesystem>
#include <string>
#include <vector>

namespace vta::rpc {

// Writes into `folder` (made if it is not there) what a server of one's own needs:
//   certificate.pem  self-signed, EC P-256, for `names` and localhost, without an end: boards have
//                    no clock that survives power; clients get it as their `ca`
//   key.pem, token   for their owner alone
// Errors, after which no file is there that was not before: kInvalidArgument if one of the files is
// there already; kIo.
void make_certificate(const std::filesystem::path& folder, const std::vector<std::string>& names);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CERTIFICATE_H_
