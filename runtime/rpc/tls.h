// SPDX-License-Identifier: Apache-2.0
//
// TLS: contexts for both sides. TLS 1.3 only: both ends are ours.
#ifndef VTA_RUNTIME_RPC_TLS_H_
#define VTA_RUNTIME_RPC_TLS_H_

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <string>

namespace vta::rpc {

// PEM files; "" where there is none.
struct ServerTls {
  std::filesystem::path certificate, key;
  std::filesystem::path client_ca;  // clients must show a certificate of it
};
struct ClientTls {
  std::filesystem::path ca;  // the server's own certificate, or that of whoever signed it
  std::filesystem::path certificate, key;
};

// Errors of both: kNotFound; kCorrupt for files that are no certificates or keys, or do not belong
// together.
std::shared_ptr<boost::asio::ssl::context> server_context(const ServerTls& files);

// Trusts a server whose certificate is in `ca`, under any name; and one that shows a certificate
// of `ca` for `host`.
std::shared_ptr<boost::asio::ssl::context> client_context(const ClientTls& files,
                                                          const std::string& host);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TLS_H_
