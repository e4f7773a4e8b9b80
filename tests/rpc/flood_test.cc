// SPDX-License-Identifier: Apache-2.0
//
// Honest clients of a server that gets many connections a second without a token. There are silent
// ones, frames that stop half-way, greetings without a token and with a wrong one, TLS handshakes
// that are not continued.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>
#include <vector>

#include "base/errors/error.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/statistics.h"
#include "runtime/rpc/certificate.h"
#include "runtime/rpc/client.h"
#include "runtime/rpc/messages.h"
#include "tests/rpc/server_process.h"

namespace vta {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int kConnectionsPerSecond = 1100;
constexpr milliseconds kHonestInterval{50}, kHonestLimit{2000};
constexpr size_t kMaxOpen = 4000;   // connections that the flood keeps
constexpr uint32_t kSources = 200;  // its addresses: 127.0.1.0 and the following ones

bool is_nightly() { return std::getenv("VTA_NIGHTLY") != nullptr; }
milliseconds duration() { return milliseconds(is_nightly() ? 20'000 : 500); }

void allow_many_files() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// The first flight of a TLS client.
std::vector<uint8_t> client_hello() {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL* const ssl = SSL_new(context);
  BIO* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), out);
  SSL_set_connect_state(ssl);
  SSL_do_handshake(ssl);  // waits for the server's answer
  char* data = nullptr;
  const long size = BIO_get_mem_data(out, &data);
  std::vector<uint8_t> bytes(data, data + size);
  SSL_free(ssl);
  SSL_CTX_free(context);
  return bytes;
}

std::vector<std::vector<uint8_t>> first_bytes(bool tls) {
  if (tls) return {{}, client_hello(), {22, 3, 1}, {'G', 'E', 'T', ' '}};
  const std::vector<uint8_t> hello = rpc::encode(rpc::HelloCall{}, 1);
  const std::vector<uint8_t> wrong = rpc::encode(
      rpc::HelloCall{rpc::kMagic, rpc::kProtocolVersion, "0123456789abcdef0123456789abcdef"}, 1);
  return {{}, hello, {hello.begin(), hello.begin() + 20}, wrong};
}

// Opens connections at a constant rate until `stop`.
class Flood {
 public:
  Flood(uint16_t port, bool tls) : port_(port), kinds_(first_bytes(tls)) {
    thread_ = std::thread([this] { work(); });
  }
  ~Flood() { stop(); }
  // Returns the number of connections.
  size_t stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    while (!open_.empty()) close_oldest();
    return num_connections_;
  }

 private:
  void work() {
    const Clock::time_point start = Clock::now();
    while (!stop_) {
      const auto due = static_cast<size_t>(
          std::chrono::duration<double>(Clock::now() - start).count() * kConnectionsPerSecond);
      while (num_connections_ < due && !stop_) connect_one();
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  void connect_one() {
    const size_t number = num_connections_++;
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    if (client < 0) return close_oldest();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(0x7f000100 + number % kSources);
    const bool is_bound =
        ::bind(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (is_bound &&
        ::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
      const std::vector<uint8_t>& bytes = kinds_[number % kinds_.size()];
      ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    open_.push_back(client);
    if (open_.size() > kMaxOpen) close_oldest();
  }
  void close_oldest() {
    if (open_.empty()) return;
    ::close(open_.front());
    open_.pop_front();
  }

  const uint16_t port_;
  const std::vector<std::vector<uint8_t>> kinds_;
  std::deque<int> open_;
  std::atomic<size_t> num_connections_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// The seconds until an honest client has been greeted and has its first answer; none if it failed.
std::optional<double> seconds_to_get_in(const rpc::ClientOptions& options) {
  const Clock::time_point start = Clock::now();
  try {
    rpc::Client client(options);
    client.describe();
  } catch (const Error& error) {
    std::printf("kept out: %s\n", error.what());
    return std::nullopt;
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void expect_honest_clients_get_in(const std::vector<std::string>& options, const std::string& query,
                                  bool tls) {
  allow_many_files();
  const support::ServerProcess server(0, options);
  const rpc::ClientOptions honest =
      rpc::parse_client_uri(fmt::format("rpc://127.0.0.1:{}{}", server.port(), query));
  Flood flood(server.port(), tls);
  std::vector<double> seconds;
  size_t num_clients = 0, in_time = 0;
  const Clock::time_point start = Clock::now();
  for (; Clock::now() - start < duration(); ++num_clients) {
    if (const auto took = seconds_to_get_in(honest)) {
      seconds.push_back(*took);
      in_time += *took <= std::chrono::duration<double>(kHonestLimit).count() ? 1 : 0;
    }
    std::this_thread::sleep_for(kHonestInterval);
  }
  const double rate = static_cast<double>(flood.stop()) /
                      std::chrono::duration<double>(Clock::now() - start).count();
  std::printf(
      "%s: %zu of %zu honest clients within 2 s at %.0f connections a second; median %.1f ms, "
      "longest %.1f ms\n",
      tls ? "TLS" : "plain", in_time, num_clients, rate,
      seconds.empty() ? 0 : 1e3 * median(seconds),
      seconds.empty() ? 0 : 1e3 * percentile(seconds, 100));
  EXPECT_GT(num_clients, 0u);
  if (is_nightly()) {
    EXPECT_GE(in_time * 100, num_clients * 99);
  } else {
    EXPECT_EQ(seconds.size(), num_clients);
  }
}

TEST(RpcFlood, DoesNotKeepHonestClientsOut) {
  const ScratchFolder folder;
  rpc::make_certificate(folder / "tls", {});
  expect_honest_clients_get_in({"--token-file", folder / "tls/token"},
                               "?token-file=" + (folder / "tls/token"), false);
}

TEST(RpcFlood, DoesNotKeepHonestClientsOutOfTls) {
  const ScratchFolder folder;
  rpc::make_certificate(folder / "tls", {});
  const std::string certificate = folder / "tls/certificate.pem", token = folder / "tls/token";
  expect_honest_clients_get_in(
      {"--token-file", token, "--certificate", certificate, "--key", folder / "tls/key.pem"},
      "?token-file=" + token + "&ca=" + certificate, true);
}

}  // namespace
}  // namespace vta
