// SPDX-License-Identifier: Apache-2.0
//
// Server: serves one device to many clients (README.md).
#ifndef VTA_RUNTIME_RPC_SERVER_H_
#define VTA_RUNTIME_RPC_SERVER_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/limits/memory_limit.h"
#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

struct ServerLimits {
  uint32_t clients = 32;                               // maximum number of connected clients
  uint64_t memory_bytes = uint64_t{512} << 20;         // device memory per client
  uint64_t total_memory_bytes = memory_limit_bytes();  // device memory of all clients
  std::chrono::milliseconds run{60'000};               // time limit of one run
  std::chrono::milliseconds idle{600'000};             // limit without a call
  std::chrono::milliseconds greeting{2'000};           // limit for authentication
  std::chrono::milliseconds wrong_token{1'000};        // delay of the reply to a wrong token
  std::chrono::milliseconds frame{10'000};             // limit for receiving one frame
  std::chrono::milliseconds heartbeat{1'000};          // interval of waiting messages
  std::chrono::milliseconds drain{5'000};              // limit for sending replies before closing
};

struct ServerOptions {
  std::string listen = "127.0.0.1:9091";   // address:port, [address]:port; port 0 takes a free one
  std::string token;                       // required from clients; "" for none; check_token()
  std::string flash_token;                 // permits flashing, too; "": no client may flash
  std::filesystem::path certificate, key;  // TLS if set
  std::filesystem::path client_ca;         // require client certificates signed by it
  bool insecure = false;                   // allow non-loopback addresses without TLS or token
  ServerLimits limits;
  DeviceSlot::Open open_device;
  Flash flash;                                       // may be empty
  std::function<void(const std::string& line)> log;  // may be empty; called by run()'s thread
  bool stop_on_signals = false;  // SIGTERM and SIGINT call stop(); a second signal kills
};

class Server {
 public:
  // Opens the device and listens. A missing core (kDevice) is an error unless `flash` can program
  // it and `flash_token` lets a client do so.
  // Errors: kInvalidArgument for a non-loopback address without certificate and token, unless
  // `insecure`, for an invalid address, and if both tokens are the same. kIo if it cannot listen;
  // any error of the device and of reading the files.
  explicit Server(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;

  // Serves until stop(). Then notifies the clients and waits for a run in progress.
  void run();
  // Callable from any thread.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_SERVER_H_
