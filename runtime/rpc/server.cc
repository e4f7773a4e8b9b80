// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <map>
#include <new>

#include "runtime/rpc/connection.h"
#include "runtime/rpc/device_queue.h"
#include "runtime/rpc/host_port.h"
#include "runtime/rpc/socket_channel.h"
#include "runtime/rpc/tls.h"

namespace vta::rpc {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// Strangers that are still greeting, on top of the clients.
constexpr size_t kMaxStrangers = 32;
constexpr std::chrono::milliseconds kAcceptPause{100};

tcp::endpoint endpoint_of(const ServerOptions& options) {
  const HostPort where = parse_host_port(options.listen);
  error_code error;
  const auto address = asio::ip::make_address(where.host, error);
  if (error) {
    fail(ErrorCode::kInvalidArgument, "listen {}: '{}' is no IP address", options.listen,
         where.host);
  }
  const bool safe = !options.certificate.empty() && !options.token.empty();
  if (!address.is_loopback() && !safe && !options.insecure) {
    fail(ErrorCode::kInvalidArgument,
         "listen {}: an address beyond loopback needs a certificate and a token; whoever can "
         "reach it could use the device otherwise",
         options.listen);
  }
  return {address, where.port};
}

tcp::acceptor listen(asio::io_context& io, const ServerOptions& options) {
  const tcp::endpoint endpoint = endpoint_of(options);
  tcp::acceptor acceptor(io);
  error_code error;
  const auto require = [&] {
    if (error) fail(ErrorCode::kIo, "listen {}: {}", options.listen, error.message());
  };
  acceptor.open(endpoint.protocol(), error);
  require();
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  require();
  acceptor.bind(endpoint, error);
  require();
  acceptor.listen(tcp::acceptor::max_listen_connections, error);
  require();
  return acceptor;
}

std::string peer_name(const Socket& socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return "unknown";
  return fmt::format("{}:{}", peer.address().to_string(), peer.port());
}

std::shared_ptr<asio::ssl::context> tls_of(const ServerOptions& options) {
  if (options.certificate.empty()) return nullptr;
  return server_context({options.certificate, options.key, options.client_ca});
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(ServerOptions options)
      : options_(std::move(options)),
        tls_(tls_of(options_)),
        acceptor_(listen(io_, options_)),
        signals_(io_),
        accept_again_(io_),
        host_{io_,
              queue_,
              options_,
              [this](const std::string& line) { log(line); },
              [this] { return num_clients() < options_.limits.clients; },
              [this](DeviceQueue::ClientId id) { connections_.erase(id); }},
        queue_(open_slot()) {
    if (options_.stop_on_signals) wait_for_signals();
    accept();
  }

  uint16_t port() const { return acceptor_.local_endpoint().port(); }
  void run() {
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::bad_alloc&) {
        log("out of memory");  // for one client; the others go on
      }
    }
  }
  void stop() {
    asio::post(io_, [this] { finish(); });
  }

 private:
  DeviceSlot open_slot() {
    DeviceSlot slot(options_.open_device, options_.flash);
    try {
      slot.device();
    } catch (const Error& error) {
      // A core that is not there can be flashed; anything else is a wrong command line.
      if (!slot.can_flash() || error.code() != ErrorCode::kDevice) throw;
      log(fmt::format("no device yet: {}", error.what()));
    }
    return slot;
  }

  void log(const std::string& line) const {
    if (options_.log) options_.log(line);
  }

  uint32_t num_clients() const {
    uint32_t count = 0;
    for (const auto& entry : connections_) count += entry.second->is_client() ? 1 : 0;
    return count;
  }

  void wait_for_signals() {
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.async_wait([this](const error_code& error, int) {
      if (!error) finish();
    });
  }

  void accept() {
    acceptor_.async_accept([this](const error_code& error, Socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) return accept_later();
      welcome(std::move(socket));
      accept();
    });
  }

  // Out of file descriptors, most likely: asking at once would ask all the time.
  void accept_later() {
    accept_again_.expires_after(kAcceptPause);
    accept_again_.async_wait([this](const error_code& error) {
      if (!error && acceptor_.is_open()) accept();
    });
  }

  void welcome(Socket socket) {
    if (connections_.size() >= options_.limits.clients + kMaxStrangers) return;
    const std::string peer = peer_name(socket);
    std::unique_ptr<Channel> channel =
        tls_ ? tls_channel(std::move(socket), *tls_, TlsSide::kServer, "")
             : plain_channel(std::move(socket));
    const DeviceQueue::ClientId id = ++last_id_;
    const auto connection = std::make_shared<Connection>(host_, id, peer, std::move(channel));
    connections_.emplace(id, connection);
    connection->start();
  }

  void finish() {
    if (!acceptor_.is_open()) return;
    log("stopping");
    error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);
    accept_again_.cancel();
    const auto connections = connections_;  // which leave the map meanwhile
    for (const auto& entry : connections) entry.second->finish("the server is being stopped");
  }

  const ServerOptions options_;
  asio::io_context io_;
  const std::shared_ptr<asio::ssl::context> tls_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer accept_again_;
  const ConnectionHost host_;
  DeviceQueue queue_;  // its thread uses host_
  std::map<DeviceQueue::ClientId, std::shared_ptr<Connection>> connections_;
  DeviceQueue::ClientId last_id_ = 0;
};

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Server::~Server() = default;
uint16_t Server::port() const { return impl_->port(); }
void Server::run() { impl_->run(); }
void Server::stop() { impl_->stop(); }

}  // namespace vta::rpc
