// SPDX-License-Identifier: Apache-2.0
//
// A network that delays, splits and cuts: every run ends soon, with the right result or with an
// error, and the server goes on. VTA_TEST_COUNT connections are cut.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "base/limits/stopwatch.h"
#include "tests/rpc/network_proxy.h"
#include "tests/rpc/server_process.h"
#include "tests/rpc/tiny_client.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using support::NetworkProxy;
using support::ServerProcess;
using support::TinyClient;

constexpr uint64_t kSeed = 11, kCuts = 20, kSeedStride = 1'000'000;
constexpr int kClients = 3;
constexpr double kMaxSeconds = 5;  // until a client gets a result or an error

struct Tally {
  std::atomic<int> right = 0, wrong = 0, broken = 0, unclear = 0, late = 0;
  std::atomic<bool> stop = false;
};

// Runs programs until stopped, with a new connection after each error.
void work(const std::string& uri, uint64_t seed, Tally& tally) {
  for (uint64_t connection = 0; !tally.stop; ++connection) {
    std::optional<Stopwatch> call(std::in_place);
    try {
      TinyClient client(uri, seed + connection);
      while (!tally.stop) {
        call.emplace();
        ++(client.run() ? tally.right : tally.wrong);
        if (call->seconds() > kMaxSeconds) ++tally.late;
      }
    } catch (const Error& error) {
      ++tally.broken;
      const bool clear = std::string(error.what()).starts_with(uri + ": ");
      if (!clear || error.code() != ErrorCode::kIo) ++tally.unclear;
      if (call->seconds() > kMaxSeconds) ++tally.late;
    }
  }
}

TEST(CutNetwork, LosesAndMixesNoResult) {
  const uint64_t seed = support::test_seed(kSeed), count = support::test_count(kCuts);
  std::printf("seed %llu, %llu connections cut\n", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(count));
  ServerProcess server(0, {"--core", "tiny_1x8"});
  Tally tally;
  {
    NetworkProxy proxy(server.port(), seed * kSeedStride);
    const std::string uri = fmt::format("rpc://127.0.0.1:{}", proxy.port());
    std::vector<std::thread> clients;
    for (uint64_t client = 0; client < kClients; ++client)
      clients.emplace_back([&, client] { work(uri, (seed + client) * kSeedStride, tally); });
    while (proxy.num_cuts() < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    tally.stop = true;
    for (std::thread& client : clients) client.join();
  }
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.unclear, 0);
  EXPECT_EQ(tally.late, 0);
  EXPECT_GT(tally.right, 0);
  EXPECT_GE(tally.broken, static_cast<int>(count) - kClients);
  EXPECT_TRUE(TinyClient(fmt::format("rpc://127.0.0.1:{}", server.port()), seed).run())
      << "a client without the proxy";
  std::printf("%d right runs, %d broken calls\n", tally.right.load(), tally.broken.load());
}

}  // namespace
}  // namespace vta
