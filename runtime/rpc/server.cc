// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <csignal>
#include <exception>
#include <map>

#include "runtime/rpc/admission.h"
#include "runtime/rpc/connection.h"
#include "runtime/rpc/device_queue.h"
#include "runtime/rpc/host_port.h"
#include "runtime/rpc/listener.h"
#include "runtime/rpc/refusal_log.h"
#include "runtime/rpc/socket_channel.h"
#include "runtime/rpc/tls.h"
#include "runtime/rpc/token.h"

namespace vta::rpc {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

tcp::endpoint endpoint_of(const ServerOptions& options) {
  const HostPort where = parse_host_port(options.listen);
  error_code error;
  const auto address = asio::ip::make_address(where.host, error);
  if (error) {
    fail(ErrorCode::kInvalidArgument, "listen {}: '{}' is not an IP address", options.listen,
         where.host);
  }
  const bool safe = !options.certificate.empty() && !options.token.empty();
  if (!address.is_loopback() && !safe && !options.insecure) {
    fail(ErrorCode::kInvalidArgument,
         "listen {}: an address beyond loopback needs a certificate and a token; otherwise any "
         "machine that reaches it could use the device",
         options.listen);
  }
  return {address, where.port};
}

struct Peer {
  std::string address;
  uint16_t port = 0;
};

// The address is "unknown" if the peer has gone already.
Peer peer_of(const Socket& socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return {"unknown"};
  return {peer.address().to_string(), peer.port()};
}

void check_tokens(const ServerOptions& options) {
  if (!options.token.empty()) check_token(options.token, "the clients' token");
  if (!options.flash_token.empty()) check_token(options.flash_token, "the flash token");
  if (options.flash_token.empty() || options.flash_token != options.token) return;
  fail(ErrorCode::kInvalidArgument,
       "the flash token is also the token of clients that may only run programs");
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
        listener_(io_, endpoint_of(options_), options_.listen),
        signals_(io_),
        host_{io_,
              queue_,
              options_,
              [this](const std::string& line) { log(line); },
              [this](const std::string& line) { refusals_.add(line); },
              [this](DeviceQueue::ClientId id) { return admit(id); },
              [this](DeviceQueue::ClientId id) { admission_.mark_refused(id); },
              [this](DeviceQueue::ClientId id) { forget(id); }},
        queue_(open_slot()) {
    check_tokens(options_);
    if (options_.stop_on_signals) wait_for_signals();
    listener_.start([this](Socket socket) { welcome(std::move(socket)); },
                    [this](const std::string& what) { log("connection error: " + what); });
  }

  uint16_t port() const { return listener_.port(); }
  void run() {
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::exception& error) {
        report(error);  // affects one client only
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
      // A client may flash a missing core; any other error is a wrong command line.
      const bool may_flash = slot.can_flash() && !options_.flash_token.empty();
      if (!may_flash || error.code() != ErrorCode::kDevice) throw;
      log(fmt::format("no device yet: {}", error.what()));
    }
    return slot;
  }

  void log(const std::string& line) const {
    if (options_.log) options_.log(line);
  }

  void report(const std::exception& error) const {
    try {
      log(fmt::format("connection error: {}", error.what()));
    } catch (const std::exception&) {  // out of memory, or the log failed: keep serving
    }
  }

  uint32_t num_clients() const {
    uint32_t count = 0;
    for (const auto& entry : connections_) count += entry.second->is_client() ? 1 : 0;
    return count;
  }

  bool admit(DeviceQueue::ClientId id) {
    if (num_clients() >= options_.limits.clients) return false;
    admission_.remove(id);
    return true;
  }

  void forget(DeviceQueue::ClientId id) {
    connections_.erase(id);
    admission_.remove(id);
  }

  void wait_for_signals() {
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.async_wait([this](const error_code& error, int) {
      if (!error) finish();
    });
  }

  void make_space_for(DeviceQueue::ClientId id, const std::string& address) {
    const std::optional<Admission::Id> gives_way = admission_.add(id, address);
    if (!gives_way) return;
    const auto found = connections_.find(*gives_way);
    if (found == connections_.end()) return;  // its welcome failed
    const std::shared_ptr<Connection> connection = found->second;
    connection->give_way();
  }

  void welcome(Socket socket) {
    const Peer peer = peer_of(socket);
    const DeviceQueue::ClientId id = ++last_id_;
    make_space_for(id, address_group(peer.address));
    std::unique_ptr<Channel> channel =
        tls_ ? tls_channel(std::move(socket), *tls_, TlsSide::kServer, "")
             : plain_channel(std::move(socket));
    const auto connection = std::make_shared<Connection>(
        host_, id, fmt::format("{}:{}", peer.address, peer.port), std::move(channel));
    connections_.emplace(id, connection);
    connection->start();
  }

  void finish() {
    if (!listener_.is_open()) return;
    // From now on signals have their default action: a second signal does not wait for a run.
    error_code ignored;
    signals_.clear(ignored);
    signals_.cancel(ignored);
    listener_.close();
    log("stopping");
    const auto connections = connections_;  // a copy, because they leave the map
    for (const auto& entry : connections) {
      try {
        entry.second->finish("the server is stopping");
      } catch (const std::exception& error) {
        report(error);
      }
    }
  }

  const ServerOptions options_;
  asio::io_context io_;
  const std::shared_ptr<asio::ssl::context> tls_;
  Listener listener_;
  asio::signal_set signals_;
  const ConnectionHost host_;
  DeviceQueue queue_;  // its thread uses host_
  std::map<DeviceQueue::ClientId, std::shared_ptr<Connection>> connections_;
  Admission admission_{{}};  // of the connections that are not clients
  RefusalLog refusals_{[this](const std::string& line) { log(line); }};
  DeviceQueue::ClientId last_id_ = 0;
};

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Server::~Server() = default;
uint16_t Server::port() const { return impl_->port(); }
void Server::run() { impl_->run(); }
void Server::stop() { impl_->stop(); }

}  // namespace vta::rpc
