// SPDX-License-Identifier: Apache-2.0
//
// NetworkProxy: a bad network between clients and a server. It delays and splits what it forwards,
// cuts each connection after a random number of bytes, and reorders nothing.
#ifndef VTA_TESTS_RPC_NETWORK_PROXY_H_
#define VTA_TESTS_RPC_NETWORK_PROXY_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace vta::support {

class NetworkProxy {
 public:
  // Accepts connections on any free port of the loopback interface, and forwards each to
  // `server_port`. The same seed gives the nth connection the same fate.
  NetworkProxy(uint16_t server_port, uint64_t seed);
  ~NetworkProxy();  // cuts all connections
  NetworkProxy(const NetworkProxy&) = delete;
  NetworkProxy& operator=(const NetworkProxy&) = delete;

  uint16_t port() const { return port_; }
  // The connections that were cut while both ends were still using them.
  uint64_t num_cuts() const { return num_cuts_; }

 private:
  void accept_all();
  void forward(int client, uint64_t number);

  const uint16_t server_port_;
  const uint64_t seed_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<uint64_t> num_cuts_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> connections_;
  std::thread acceptor_;  // the only one that changes connections_
};

}  // namespace vta::support

#endif  // VTA_TESTS_RPC_NETWORK_PROXY_H_
