// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/listener.h"

#include <chrono>
#include <exception>
#include <utility>

#include "base/errors/error.h"

namespace vta::rpc {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};

}  // namespace

Listener::Listener(boost::asio::io_context& io, const tcp::endpoint& endpoint,
                   const std::string& name)
    : acceptor_(io), accept_again_(io) {
  error_code error;
  const auto require = [&] {
    if (error) fail(ErrorCode::kIo, "listen {}: {}", name, error.message());
  };
  acceptor_.open(endpoint.protocol(), error);
  require();
  acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  require();
  acceptor_.bind(endpoint, error);
  require();
  acceptor_.listen(tcp::acceptor::max_listen_connections, error);
  require();
}

void Listener::start(OnSocket on_socket, OnError on_error) {
  on_socket_ = std::move(on_socket);
  on_error_ = std::move(on_error);
  accept();
}

void Listener::accept() {
  acceptor_.async_accept([this](const error_code& error, Socket socket) {
    if (!acceptor_.is_open()) return;
    if (error) return accept_later();
    accept();  // continue accepting before anything that may throw
    take(std::move(socket));
  });
}

// Probably out of file descriptors: retrying at once would be a busy loop.
void Listener::accept_later() {
  accept_again_.expires_after(kAcceptPause);
  accept_again_.async_wait([this](const error_code& error) {
    if (!error && acceptor_.is_open()) accept();
  });
}

void Listener::take(Socket socket) {
  try {
    on_socket_(std::move(socket));
  } catch (const std::exception& error) {
    on_error_(error.what());
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
  accept_again_.cancel();
}

}  // namespace vta::rpc
