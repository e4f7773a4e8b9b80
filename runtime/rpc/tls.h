// SPDX-License-Identifier: Apache-2.0
//
// TLS contexts for both sides. TLS 1.3 only: both ends belong to this project.
#ifndef VTA_RUNTIME_RPC_TLS_H_
#define VTA_RUNTIME_RPC_TLS_H_

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace vta::rpc {

// PEM files; "" for none.
struct ServerTls {
  std::filesystem::path certificate, key;
  std::filesystem::path client_ca;  // require client certificates signed by it
};
struct ClientTls {
  std::filesystem::path ca;  // the server's certificate or its signer's
  std::filesystem::path certificate, key;
};

// Errors of both: kNotFound; kCorrupt for files that are not certificates or keys, or do not match.
std::shared_ptr<boost::asio::ssl::context> server_context(const ServerTls& files);

// Trusts a server whose certificate is in `ca` itself, under any name, and a server with a
// certificate signed by `ca` for `host`. `on_refusal` gets why another one is refused, with the
// cure: what the handshake's error does not say. It must outlive the connections.
std::shared_ptr<boost::asio::ssl::context> client_context(
    const ClientTls& files, const std::string& host,
    std::function<void(const std::string& why)> on_refusal);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TLS_H_
