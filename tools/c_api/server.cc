// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/server.h"

#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "configs/core_config.h"
#include "runtime/rpc/token.h"
#include "tools/c_api/status.h"
#include "tools/c_api/vta.h"

using vta::c_api::guarded;
using vta::c_api::required;

struct vta_server {
  explicit vta_server(vta::rpc::ServerOptions options)
      : server(std::move(options)), thread([this] { serve(); }) {}
  ~vta_server() {
    server.stop();
    thread.join();
  }

  // A server that fails drops its connections, which its clients report.
  void serve() {
    try {
      server.run();
    } catch (const std::exception&) {
      return;
    }
  }

  vta::rpc::Server server;
  std::thread thread;
};

namespace {

constexpr const char* kDefaultCore = "vta_1x16";

vta::rpc::ServerOptions server_options(const char* uri, const char* core,
                                       const vta_server_options& given) {
  const auto text = [](const char* value, const char* otherwise) {
    return value == nullptr ? otherwise : value;
  };
  vta::rpc::ServerOptions options;
  options.listen = text(given.listen, "127.0.0.1:0");
  if (given.token != nullptr) {
    options.token = given.token;
    vta::rpc::check_token(options.token, "token");  // an empty one must not open the server to all
  }
  options.certificate = text(given.certificate, "");
  options.key = text(given.key, "");
  const std::string device = uri;
  const vta::CoreConfig config = vta::load_core_config(text(core, kDefaultCore));
  options.open_device = [device, config] { return vta::driver::open(device, config); };
  return options;
}

}  // namespace

extern "C" {

vta_status vta_server_start(const char* uri, const char* core, const vta_server_options* options,
                            vta_server** server) {
  return guarded([&] {
    vta_server*& started = required(server, "server");
    started = new vta_server(
        server_options(&required(uri, "uri"), core, vta::c_api::options_of(options)));
  });
}

uint16_t vta_server_port(const vta_server* server) {
  return server == nullptr ? 0 : server->server.port();
}

void vta_server_free(vta_server* server) { delete server; }

}  // extern "C"
