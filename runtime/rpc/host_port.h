// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_RPC_HOST_PORT_H_
#define VTA_RUNTIME_RPC_HOST_PORT_H_

#include <cstdint>
#include <string>

namespace vta::rpc {

inline constexpr uint16_t kDefaultPort = 9091;

struct HostPort {
  std::string host;
  uint16_t port = kDefaultPort;
};

// Parses "pynq", "pynq:9091", "10.0.0.2:9091", "[::1]:9091"; the default is kDefaultPort.
// Errors: kInvalidArgument, quoting `text` without user info.
HostPort parse_host_port(const std::string& text);

// For messages: what stands before '@', which may be a secret, as "...".
std::string without_user_info(const std::string& text);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_HOST_PORT_H_
