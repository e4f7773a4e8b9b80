// SPDX-License-Identifier: Apache-2.0
//
// Listener: accepts connections at an address until it is closed. An error of one connection does
// not affect the others.
#ifndef VTA_RUNTIME_RPC_LISTENER_H_
#define VTA_RUNTIME_RPC_LISTENER_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "runtime/rpc/socket_channel.h"

namespace vta::rpc {

class Listener {
 public:
  using OnSocket = std::function<void(Socket socket)>;
  using OnError = std::function<void(const std::string& what)>;

  // Starts listening. `name`: the address, for messages. Errors: kIo.
  Listener(boost::asio::io_context& io, const boost::asio::ip::tcp::endpoint& endpoint,
           const std::string& name);

  uint16_t port() const { return acceptor_.local_endpoint().port(); }

  // Passes each connection to `on_socket`, and its exceptions to `on_error`.
  void start(OnSocket on_socket, OnError on_error);
  bool is_open() const { return acceptor_.is_open(); }
  void close();

 private:
  void accept();
  void accept_later();
  void take(Socket socket);

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_again_;
  OnSocket on_socket_;
  OnError on_error_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_LISTENER_H_
