// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/socket_channel.h"

#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

namespace vta::rpc {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

void finish_writing_to(Socket& socket) {
  error_code ignored;
  socket.shutdown(Socket::shutdown_send, ignored);
}

void close_socket(Socket& socket) {
  error_code ignored;
  socket.shutdown(Socket::shutdown_both, ignored);
  socket.close(ignored);
}

// Disables Nagle's algorithm: small frames are sent at once.
void send_at_once(Socket& socket) {
  error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
}

auto without_size(Channel::Done done) {
  return [done = std::move(done)](const error_code& error, size_t) { done(error); };
}

class PlainChannel : public Channel {
 public:
  explicit PlainChannel(Socket socket) : socket_(std::move(socket)) { send_at_once(socket_); }

  void handshake(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done(error_code()); });
  }
  void read(std::span<uint8_t> bytes, Done done) override {
    asio::async_read(socket_, asio::buffer(bytes.data(), bytes.size()),
                     without_size(std::move(done)));
  }
  void write(std::span<const uint8_t> bytes, Done done) override {
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                      without_size(std::move(done)));
  }
  void finish_writing() override { finish_writing_to(socket_); }
  void close() override { close_socket(socket_); }

 private:
  Socket socket_;
};

class TlsChannel : public Channel {
 public:
  TlsChannel(Socket socket, asio::ssl::context& context, TlsSide side, const std::string& host)
      : stream_(std::move(socket), context), side_(side) {
    send_at_once(stream_.next_layer());
    if (side == TlsSide::kClient) SSL_set_tlsext_host_name(stream_.native_handle(), host.c_str());
  }

  void handshake(Done done) override {
    const bool client = side_ == TlsSide::kClient;
    stream_.async_handshake(
        client ? asio::ssl::stream_base::client : asio::ssl::stream_base::server, std::move(done));
  }
  void read(std::span<uint8_t> bytes, Done done) override {
    asio::async_read(stream_, asio::buffer(bytes.data(), bytes.size()),
                     without_size(std::move(done)));
  }
  void write(std::span<const uint8_t> bytes, Done done) override {
    asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()),
                      without_size(std::move(done)));
  }
  // Both without TLS's close_notify alert: frames have lengths, so a truncated one is detected.
  void finish_writing() override { finish_writing_to(stream_.next_layer()); }
  void close() override { close_socket(stream_.next_layer()); }

 private:
  asio::ssl::stream<Socket> stream_;
  const TlsSide side_;
};

}  // namespace

std::unique_ptr<Channel> plain_channel(Socket socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

std::unique_ptr<Channel> tls_channel(Socket socket, asio::ssl::context& context, TlsSide side,
                                     const std::string& host) {
  return std::make_unique<TlsChannel>(std::move(socket), context, side, host);
}

}  // namespace vta::rpc
