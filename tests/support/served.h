// SPDX-License-Identifier: Apache-2.0
//
// An RPC server in a thread of this process, on a free loopback port.
#ifndef VTA_TESTS_SUPPORT_SERVED_H_
#define VTA_TESTS_SUPPORT_SERVED_H_

#include <fmt/format.h>

#include <memory>
#include <string>
#include <thread>

#include "runtime/rpc/server.h"

namespace vta::support {

class Served {
 public:
  explicit Served(rpc::ServerOptions options) : server_(on_free_port(std::move(options))) {
    thread_ = std::thread([this] { server_.run(); });
  }
  ~Served() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }

  std::string uri() const { return fmt::format("rpc://127.0.0.1:{}", server_.port()); }
  uint16_t port() const { return server_.port(); }

 private:
  static rpc::ServerOptions on_free_port(rpc::ServerOptions options) {
    options.listen = "127.0.0.1:0";
    return options;
  }

  rpc::Server server_;
  std::thread thread_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_SERVED_H_
