// SPDX-License-Identifier: Apache-2.0
#include "tools/rpc_server/server_main.h"

#include <vector>

#include "base/command_line/command_line.h"
#include "base/errors/printable.h"
#include "configs/core_config.h"
#include "runtime/rpc/certificate.h"
#include "runtime/rpc/server.h"
#include "runtime/rpc/token.h"
#include "tools/rpc_server/service_log.h"

namespace vta::rpc {
namespace {

const ServerLimits kDefaults;
constexpr uint64_t kMaxClients = 4096;
constexpr uint64_t kMaxMemoryMib = uint64_t{1} << 30;
constexpr uint64_t kMaxSeconds = 1'000'000'000;  // longer than any use, far from overflow

constexpr uint64_t seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

struct Options {
  ServerOptions server;
  std::string device = "functional";
  std::string core = "vta_1x16";
  std::string token_file, flash_token_file, certificate, key, client_ca;
  bool allow_readable_secrets = false;
  std::string certificate_folder;
  std::vector<std::string> names;
  uint64_t max_clients = kDefaults.clients;
  uint64_t memory_mib = kDefaults.memory_bytes >> 20;
  uint64_t total_memory_mib = kDefaults.total_memory_bytes >> 20;
  uint64_t max_run_seconds = seconds_of(kDefaults.run);
  uint64_t idle_seconds = seconds_of(kDefaults.idle);
};

void take_limits(Options& options) {
  ServerLimits& limits = options.server.limits;
  limits.clients = static_cast<uint32_t>(options.max_clients);
  limits.memory_bytes = options.memory_mib << 20;
  limits.total_memory_bytes = options.total_memory_mib << 20;
  limits.run = std::chrono::seconds(options.max_run_seconds);
  limits.idle = std::chrono::seconds(options.idle_seconds);
}

void read_secrets(Options& options) {
  for (const std::string* file : {&options.token_file, &options.flash_token_file, &options.key}) {
    if (!file->empty() && !options.allow_readable_secrets) require_private(*file);
  }
  if (!options.token_file.empty()) options.server.token = read_token(options.token_file);
  if (!options.flash_token_file.empty())
    options.server.flash_token = read_token(options.flash_token_file);
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
  read_secrets(options);
  ServiceLog log;
  std::vector<std::string> notes;
  const CoreConfig core = load_core_config(options.core, &notes);
  for (const std::string& note : notes) print_note(note);
  options.server.open_device = [&log, uri = options.device, core] {
    std::unique_ptr<driver::Device> device = driver::open(uri, core);
    const std::string taken = device->describe().uri;
    if (taken != uri) log.print(fmt::format("{} is {}", uri, taken));
    return device;
  };
  options.server.log = [&log](const std::string& line) { log.print(line); };
  options.server.stop_on_signals = true;
  Server server(options.server);
  log.print(fmt::format("serving {} on port {}{}{}", options.device, server.port(),
                        options.certificate.empty() ? "" : ", TLS",
                        options.token_file.empty() ? "" : ", token"));
  server.run();
  log.print("stopped");
}

// Rejects server options together with --make-certificate, and --name without it.
void check(const Options& options, const std::vector<std::string>& given) {
  if (options.certificate_folder.empty()) {
    if (!options.names.empty()) throw UsageError("--name needs --make-certificate");
    return;
  }
  for (const std::string& option : given) {
    if (option == "--make-certificate" || option == "--name") continue;
    throw UsageError("--make-certificate only writes files; it does not go with " + option);
  }
}

void run(const Options& options, const std::vector<std::string>& given) {
  check(options, given);
  if (options.certificate_folder.empty()) return serve(options);
  make_certificate(options.certificate_folder, options.names);
  print_out(
      "wrote certificate.pem (copy it to clients), key.pem, token (a secret shared with clients) "
      "and flash-token (for clients that may also program the FPGA) into {}\n",
      options.certificate_folder);
}

void add_options(Command& command, Options& options) {
  command.option("--listen", options.server.listen, "ADDRESS:PORT",
                 "Address to listen on; port 0 picks a free port");
  command.option("--device", options.device, "URI", "Device to serve");
  command.option("--core", options.core, "NAME",
                 "Core of a device without a fixed one (simulators)");
  command.option("--token-file", options.token_file, "FILE", "Secret that clients must present");
  command.option("--flash-token-file", options.flash_token_file, "FILE",
                 "Secret of clients that may also program the FPGA; without it no client may");
  command.flag("--allow-readable-secrets", options.allow_readable_secrets,
               "Accept token and key files that other users can read");
  command.option("--certificate", options.certificate, "FILE",
                 "Use TLS with this certificate (PEM)");
  command.option("--key", options.key, "FILE", "Private key of the certificate (PEM)");
  command.option("--client-ca", options.client_ca, "FILE",
                 "Require client certificates signed by this CA (PEM)");
  command.flag("--insecure", options.server.insecure,
               "Allow non-loopback addresses without certificate and token");
  command.option("--max-clients", options.max_clients, "N", "Maximum number of connected clients")
      .at_least(1)
      .at_most(kMaxClients);
  command.option("--memory-per-client", options.memory_mib, "MIB", "Device memory per client")
      .at_least(1)
      .at_most(kMaxMemoryMib);
  command.option("--memory-total", options.total_memory_mib, "MIB", "Device memory of all clients")
      .at_least(1)
      .at_most(kMaxMemoryMib);
  command.option("--max-run-seconds", options.max_run_seconds, "N", "Time limit of one run")
      .at_least(1)
      .at_most(kMaxSeconds);
  command
      .option("--idle-seconds", options.idle_seconds, "N",
              "Disconnect a client after N seconds without a call")
      .at_least(1)
      .at_most(kMaxSeconds);
  command.option("--make-certificate", options.certificate_folder, "DIR",
                 "Write a self-signed certificate, its key and a token into DIR, and exit");
  command.option("--name", options.names, "HOST",
                 "Additional host name or address in that certificate");
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
  command.action([&options, command] { run(options, command.given()); });
  return tool.run(argc, argv);
}

}  // namespace vta::rpc
