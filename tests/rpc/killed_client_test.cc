// SPDX-License-Identifier: Apache-2.0
//
// Clients that are killed in mid-run: the runs of the others are right, none is lost, and the
// server takes new clients. VTA_TEST_COUNT clients are killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/numbers/random.h"
#include "tests/rpc/server_process.h"
#include "tests/rpc/tiny_client.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using support::ServerProcess;
using support::TinyClient;

constexpr uint64_t kSeed = 9, kKilledClients = 5;
constexpr int kHonestClients = 2;
constexpr int64_t kLongestLifeMicroseconds = 60'000;

pid_t start_victim(const std::string& uri) {
  std::string program = VTA_VICTIM, argument = uri;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t process = -1;
  const int error = ::posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environ);
  VTA_ASSERT(error == 0, "the client does not start");
  return process;
}

TEST(KilledClients, LeaveTheOthersTheirResults) {
  const uint64_t seed = support::test_seed(kSeed), count = support::test_count(kKilledClients);
  std::printf("seed %llu, %llu clients killed\n", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(count));
  ServerProcess server(0, {"--core", "tiny_1x8"});
  const std::string uri = fmt::format("rpc://127.0.0.1:{}", server.port());
  std::atomic<int> right = 0, wrong = 0, lost = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> honest;
  for (int client = 0; client < kHonestClients; ++client) {
    honest.emplace_back([&, client] {
      try {
        TinyClient tiny(uri, seed + static_cast<uint64_t>(client));
        while (!stop) ++(tiny.run() ? right : wrong);
      } catch (const Error&) {
        ++lost;
      }
    });
  }
  Random random(seed);
  for (uint64_t i = 0; i < count; ++i) {
    const pid_t victim = start_victim(uri);
    ::usleep(static_cast<useconds_t>(random.between(0, kLongestLifeMicroseconds)));
    EXPECT_EQ(::kill(victim, SIGKILL), 0);
    int status = 0;
    ::waitpid(victim, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "a client has ended by itself";
  }
  stop = true;
  for (std::thread& client : honest) client.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(right, 0);
  EXPECT_TRUE(TinyClient(uri, seed).run()) << "a new client";
  std::printf("%d right runs\n", right.load());
}

}  // namespace
}  // namespace vta
