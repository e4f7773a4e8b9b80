// SPDX-License-Identifier: Apache-2.0
//
// Server: one device for many clients (README.md).
#ifndef VTA_RUNTIME_RPC_SERVER_H_
#define VTA_RUNTIME_RPC_SERVER_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

struct ServerLimits {
  uint32_t clients = 32;                        // connected at a time
  uint64_t memory_bytes = uint64_t{512} << 20;  // of device memory, per client
  std::chrono::milliseconds run{60'000};        // of one run
  std::chrono::milliseconds idle{600'000};      // without a call
  std::chrono::milliseconds greeting{10'000};   // until a client has proven itself
  std::chrono::milliseconds heartbeat{1'000};   // between signs of life while calls wait
  std::chrono::milliseconds drain{5'000};       // for replies to a client that is left
};

struct ServerOptions {
  std::string listen = "127.0.0.1:9091";   // address:port, [address]:port; port 0 takes a free one
  std::string token;                       // what clients must know; "" for nothing
  std::filesystem::path certificate, key;  // TLS, if there is a certificate
  std::filesystem::path client_ca;         // and clients must show certificates of it
  bool insecure = false;                   // beyond loopback without TLS or token
  ServerLimits limits;
  DeviceSlot::Open open_device;
  Flash flash;                                       // may be empty
  std::function<void(const std::string& line)> log;  // may be empty; called by run()'s thread
  bool stop_on_signals = false;  // SIGTERM and SIGINT stop() it; the second kills
};

class Server {
 public:
  // Opens the device and listens. A device without a core (kDevice) is an error unless there is
  // `flash` to mend it.
  // Errors: kInvalidArgument for an address beyond loopback without certificate and token, unless
  // `insecure`, and for what is no address; kIo where it cannot listen; those of the device and of
  // the files.
  explicit Server(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;

  // Serves until stop(). Clients are told; a run that is under way is waited for.
  void run();
  // From any thread.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_SERVER_H_
