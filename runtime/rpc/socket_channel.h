// SPDX-License-Identifier: Apache-2.0
//
// The two channels: a plain TCP socket, and TLS.
#ifndef VTA_RUNTIME_RPC_SOCKET_CHANNEL_H_
#define VTA_RUNTIME_RPC_SOCKET_CHANNEL_H_

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "runtime/rpc/channel.h"

namespace boost::asio::ssl {
class context;
}

namespace vta::rpc {

using Socket = boost::asio::ip::tcp::socket;

std::unique_ptr<Channel> plain_channel(Socket socket);

enum class TlsSide { kClient, kServer };
// `host`: the server name that a client expects. `context` must outlive the channel.
std::unique_ptr<Channel> tls_channel(Socket socket, boost::asio::ssl::context& context,
                                     TlsSide side, const std::string& host);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_SOCKET_CHANNEL_H_
