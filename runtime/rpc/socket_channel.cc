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

// Reads all of `bytes` and adds them to `total_bytes` as they arrive.
void read_counting(auto& stream, std::span<uint8_t> bytes, uint64_t& total_bytes,
                   Channel::Done done) {
  const auto count = [&total_bytes, before_bytes = total_bytes](size_t read_bytes) {
    total_bytes = before_bytes + read_bytes;
  };
  // The condition is not asked after the last byte.
  asio::async_read(
      stream, asio::buffer(bytes.data(), bytes.size()),
      [count](const error_code& error, size_t read_bytes) {
        count(read_bytes);
        return asio::transfer_all()(error, read_bytes);
      },
      [count, done = std::move(done)](const error_code& error, size_t read_bytes) {
        if (!error) count(read_bytes);
        done(error);
      });
}

class PlainChannel : public Channel {
 public:
  explicit PlainChannel(Socket socket) : socket_(std::move(socket)) { send_at_once(socket_); }

  void handshake(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done(error_code()); });
  }
  void read(std::span<uint8_t> bytes, Done done) override {
    read_counting(socket_, bytes, num_read_bytes_, std::move(done));
  }
  uint64_t num_read_bytes() const override { return num_read_bytes_; }
  void write(std::span<const uint8_t> bytes, Done done) override {
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                      without_size(std::move(done)));
  }
  void finish_writing() override { finish_writing_to(socket_); }
  void close() override { close_socket(socket_); }

 private:
  Socket socket_;
  uint64_t num_read_bytes_ = 0;
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
    read_counting(stream_, bytes, num_read_bytes_, std::move(done));
  }
  uint64_t num_read_bytes() const override { return num_read_bytes_; }
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
  uint64_t num_read_bytes_ = 0;
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
