// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/tool/server_main.h"

#include <cstdio>
#include <vector>

#include "configs/core_config.h"
#include "runtime/base/command_line.h"
#include "runtime/rpc/certificate.h"
#include "runtime/rpc/server.h"
#include "runtime/rpc/token.h"

namespace vta::rpc {
namespace {

struct Options {
  ServerOptions server;
  std::string device = "functional";
  std::string core = "vta_1x16";
  std::string token_file, certificate, key, client_ca;
  std::string certificate_folder;
  std::vector<std::string> names;
  uint64_t max_clients = 32, memory_mib = 512, max_run_seconds = 60, idle_seconds = 600;
};

std::chrono::milliseconds milliseconds_of(uint64_t seconds) {
  constexpr uint64_t kMost = 1'000'000'000;  // beyond any use, far from overflow
  return std::chrono::seconds(std::min(seconds, kMost));
}

void take_limits(Options& options) {
  ServerLimits& limits = options.server.limits;
  limits.clients = static_cast<uint32_t>(std::min<uint64_t>(options.max_clients, 4096));
  limits.memory_bytes = std::min(options.memory_mib, uint64_t{1} << 30) << 20;
  limits.run = milliseconds_of(options.max_run_seconds);
  limits.idle = milliseconds_of(options.idle_seconds);
}

// One line, at once: a service's log is read while it runs.
void print_line(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void serve(Options options) {
  take_limits(options);
  if (options.certificate.empty() != options.key.empty()) {
    throw UsageError("--certificate and --key go together");
  }
  if (!options.client_ca.empty() && options.certificate.empty()) {
    throw UsageError("--client-ca needs --certificate");
  }
  options.server.certificate = options.certificate;
  options.server.key = options.key;
  options.server.client_ca = options.client_ca;
  if (!options.token_file.empty()) options.server.token = read_token(options.token_file);
  options.server.open_device = [uri = options.device, core = load_core_config(options.core)] {
    return driver::open(uri, core);
  };
  options.server.log = print_line;
  options.server.stop_on_signals = true;
  Server server(options.server);
  print_line(fmt::format("serving {} on port {}{}{}", options.device, server.port(),
                         options.certificate.empty() ? "" : ", TLS",
                         options.token_file.empty() ? "" : ", token"));
  server.run();
  print_line("stopped");
}

void run(const Options& options) {
  if (options.certificate_folder.empty()) return serve(options);
  make_certificate(options.certificate_folder, options.names);
  fmt::print(
      "wrote certificate.pem (for clients, too), key.pem and token (a secret for clients) "
      "into {}\n",
      options.certificate_folder);
}

void add_options(Command& command, Options& options) {
  command.option("--listen", options.server.listen, "ADDRESS:PORT",
                 "Where to listen; port 0 takes a free one");
  command.option("--device", options.device, "URI", "What to serve");
  command.option("--core", options.core, "NAME", "Core of a device that has none of its own");
  command.option("--token-file", options.token_file, "FILE", "What clients must know");
  command.option("--certificate", options.certificate, "FILE", "TLS with this PEM certificate");
  command.option("--key", options.key, "FILE", "Its private key, PEM");
  command.option("--client-ca", options.client_ca, "FILE",
                 "Clients must show a certificate of this one (PEM)");
  command.flag("--insecure", options.server.insecure,
               "Listen beyond loopback without certificate and token");
  command.option("--max-clients", options.max_clients, "N", "Clients at a time").at_least(1);
  command.option("--memory-per-client", options.memory_mib, "MIB", "Device memory of a client")
      .at_least(1);
  command.option("--max-run-seconds", options.max_run_seconds, "N", "Limit of one run").at_least(1);
  command.option("--idle-seconds", options.idle_seconds, "N", "Then a client without calls goes")
      .at_least(1);
  command.option("--make-certificate", options.certificate_folder, "DIR",
                 "Only write a self-signed certificate, its key and a token into DIR");
  command.option("--name", options.names, "HOST",
                 "Further names in that certificate: host names or addresses");
  command.example(
      "vta-rpc-server --make-certificate /etc/vta --name pynq\n  vta-rpc-server "
      "--listen 0.0.0.0:9091 --certificate /etc/vta/certificate.pem --key "
      "/etc/vta/key.pem --token-file /etc/vta/token");
}

}  // namespace

int server_main(int argc, char** argv, Flash flash) {
  Tool tool("vta-rpc-server", "Serves a VTA device to clients on other machines.", VTA_VERSION);
  Options options;
  options.server.flash = std::move(flash);
  Command command = tool.command();
  add_options(command, options);
  command.action([&options] { run(options); });
  return tool.run(argc, argv);
}

}  // namespace vta::rpc
