// SPDX-License-Identifier: Apache-2.0
//
// The options of a client, from a URI and the environment. Secrets are given by file name only.
#ifndef VTA_RUNTIME_RPC_CLIENT_OPTIONS_H_
#define VTA_RUNTIME_RPC_CLIENT_OPTIONS_H_

#include <chrono>
#include <string>

#include "runtime/rpc/host_port.h"

namespace vta::rpc {

struct ClientOptions {
  std::string uri;  // as given, for messages
  HostPort server;
  std::string token;             // "" for none
  std::string ca;                // PEM file; TLS if there is one
  std::string certificate, key;  // PEM files, for servers that require client certificates
  bool insecure = false;         // allow another machine without TLS
  std::chrono::milliseconds patience{5'000};  // limit for silence of the server
};

// Parses "rpc://HOST[:PORT][?KEY=VALUE[&KEY=VALUE]...]". Variables of the environment are the
// defaults:
//   key         variable              value
//   token-file  VTA_RPC_TOKEN_FILE    file with the token in its first line
//   ca          VTA_RPC_CA            PEM file with the server's certificate, or its signer's
//   cert, key   VTA_RPC_CERT, _KEY    PEM files of the client's own certificate
//   insecure    -                     1: to another machine without TLS; 0
// Errors: kInvalidArgument for other forms and keys; any error of reading the token.
ClientOptions parse_client_uri(const std::string& uri);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CLIENT_OPTIONS_H_
