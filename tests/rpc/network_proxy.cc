// SPDX-License-Identifier: Apache-2.0
#include "tests/rpc/network_proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/errors/error.h"
#include "base/numbers/random.h"

namespace vta::support {
namespace {

constexpr int kPollMilliseconds = 20;
constexpr int64_t kMaxDelayMicroseconds = 3'000, kMaxSilenceMicroseconds = 100'000;
constexpr int64_t kMaxPieceBytes = 400;
// Cuts in the greeting, in the first calls, and later.
constexpr std::array<int64_t, 3> kMaxLifeBytes = {100, 2'000, 20'000};

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int connect_to(uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return socket;
  ::close(socket);
  return -1;
}

// close() sends RST instead of FIN then.
void reset_at_close(int socket) {
  const linger none = {1, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void sleep_for_microseconds(int64_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

// One connection: the two sockets, and how many bytes pass before the cut.
class Connection {
 public:
  Connection(int client, int server, uint64_t seed)
      : sockets_{client, server}, random_(seed), left_bytes_(draw_life()) {}
  ~Connection() {
    for (const int socket : sockets_) ::close(socket);
  }

  // Forwards until one end closes, `stop`, or the cut; returns whether it was the cut.
  bool forward(const std::atomic<bool>& stop) {
    while (!stop) {
      std::array<pollfd, 2> ends = {pollfd{sockets_[0], POLLIN, 0}, pollfd{sockets_[1], POLLIN, 0}};
      if (::poll(ends.data(), ends.size(), kPollMilliseconds) < 0) return false;
      for (size_t from = 0; from < ends.size(); ++from) {
        if (ends[from].revents == 0) continue;
        if (!forward_piece(from)) return false;
        if (left_bytes_ > 0) continue;
        cut();
        return true;
      }
    }
    return false;
  }

 private:
  int64_t draw_life() {
    return random_.between(1, kMaxLifeBytes[static_cast<size_t>(random_.between(0, 2))]);
  }

  // False if an end has closed.
  bool forward_piece(size_t from) {
    std::array<uint8_t, kMaxPieceBytes> piece;
    const int64_t size_bytes = std::min(random_.between(1, kMaxPieceBytes), left_bytes_);
    const ssize_t got = ::recv(sockets_[from], piece.data(), static_cast<size_t>(size_bytes), 0);
    if (got <= 0) return false;
    if (random_.chance(5)) sleep_for_microseconds(random_.between(0, kMaxDelayMicroseconds));
    left_bytes_ -= got;
    const auto size = static_cast<size_t>(got);
    return ::send(sockets_[1 - from], piece.data(), size, MSG_NOSIGNAL) == got;
  }

  // With a FIN or an RST, at once or after a time in which everything is dropped.
  void cut() {
    if (random_.chance(30)) sleep_for_microseconds(random_.between(0, kMaxSilenceMicroseconds));
    if (!random_.chance(50)) return;
    for (const int socket : sockets_) reset_at_close(socket);
  }

  std::array<int, 2> sockets_;
  Random random_;
  int64_t left_bytes_;
};

}  // namespace

NetworkProxy::NetworkProxy(uint16_t server_port, uint64_t seed)
    : server_port_(server_port), seed_(seed) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  VTA_ASSERT(::bind(listener_, generic, size) == 0 && ::listen(listener_, SOMAXCONN) == 0 &&
                 ::getsockname(listener_, generic, &size) == 0,
             "a port of the loopback interface");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

NetworkProxy::~NetworkProxy() {
  stop_ = true;
  acceptor_.join();
  for (std::thread& connection : connections_) connection.join();
  ::close(listener_);
}

void NetworkProxy::accept_all() {
  while (!stop_) {
    pollfd ready{listener_, POLLIN, 0};
    if (::poll(&ready, 1, kPollMilliseconds) <= 0) continue;
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) continue;
    const uint64_t number = connections_.size();
    connections_.emplace_back([this, client, number] { forward(client, number); });
  }
}

void NetworkProxy::forward(int client, uint64_t number) {
  const int server = connect_to(server_port_);
  if (server < 0) {
    ::close(client);
    return;
  }
  Connection connection(client, server, seed_ + number);
  if (connection.forward(stop_)) ++num_cuts_;
}

}  // namespace vta::support
