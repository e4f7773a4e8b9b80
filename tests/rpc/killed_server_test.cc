// SPDX-License-Identifier: Apache-2.0
//
// A server that is killed at any time: its clients get an error soon, and work with the next
// server. VTA_TEST_COUNT servers are killed.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/limits/stopwatch.h"
#include "base/numbers/random.h"
#include "hw/isa/program_bytes.h"
#include "runtime/rpc/rpc_device.h"
#include "tests/rpc/server_process.h"
#include "tests/rpc/tiny_client.h"
#include "tests/support/test_count.h"
#include "tests/support/tiny_program.h"

namespace vta {
namespace {

using support::ServerProcess;
using support::TinyProgram;

constexpr uint64_t kSeed = 6;
constexpr int kClients = 3;
constexpr double kMaxSeconds = 5;  // until a client gets an error

const std::vector<std::string> kTinyCore = {"--core", "tiny_1x8"};

int times_killed() {
  return static_cast<int>(support::test_count(std::getenv("VTA_NIGHTLY") != nullptr ? 50 : 3));
}

// The results of all clients.
struct Tally {
  std::atomic<int> right = 0, wrong = 0, lost = 0, unclear = 0;
  std::atomic<double> longest_call_seconds = 0;
  std::atomic<bool> stop = false;
};

// Works with the current server until stopped; without a server it retries.
void work(const std::string& uri, uint64_t seed, Tally& tally) {
  Random random(seed);
  while (!tally.stop) {
    std::optional<Stopwatch> call;
    try {
      call.emplace();
      const auto device = rpc::open_rpc_device(uri, {});
      TinyProgram program(*device);
      while (!tally.stop) {
        const auto x = static_cast<int8_t>(random.between(-128, 127));
        const auto w = static_cast<int8_t>(random.between(-128, 127));
        call.emplace();
        program.set_operands(x, w);
        device->run(program.request());
        ++(program.result() == TinyProgram::expected(x, w) ? tally.right : tally.wrong);
      }
    } catch (const Error& error) {
      ++tally.lost;
      const bool clear = std::string(error.what()).starts_with(uri + ": ");
      if (!clear || error.code() != ErrorCode::kIo) ++tally.unclear;
      if (call->seconds() > tally.longest_call_seconds)
        tally.longest_call_seconds = call->seconds();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

TEST(KilledServer, ItsClientsHearOfItSoonAndWorkWithTheNextOne) {
  const uint64_t seed = support::test_seed(kSeed);
  std::printf("seed %llu, killed %d times\n", static_cast<unsigned long long>(seed),
              times_killed());
  Random random(seed);
  std::optional<ServerProcess> server(std::in_place, 0, kTinyCore);
  const uint16_t port = server->port();
  const std::string uri = fmt::format("rpc://127.0.0.1:{}", port);
  Tally tally;
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] { work(uri, client, tally); });
  }
  for (int time = 0; time < times_killed(); ++time) {
    const int right_before = tally.right;
    // Every server does some work before it is killed at an arbitrary time.
    while (tally.right < right_before + kClients) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.between(0, 20'000)));
    server->kill();
    server.emplace(port, kTinyCore);
  }
  const int right_before = tally.right;
  while (tally.right < right_before + kClients) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  tally.stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.unclear, 0);
  EXPECT_GE(tally.lost, times_killed());
  EXPECT_LT(tally.longest_call_seconds, kMaxSeconds);
  std::printf("%d right runs, %d broken calls, longest %.3f s\n", tally.right.load(),
              tally.lost.load(), tally.longest_call_seconds.load());
}

TEST(KilledServer, OneThatIsAskedToStopEndsWithStatus0) {
  ServerProcess server(0, kTinyCore);
  const auto device = rpc::open_rpc_device(fmt::format("rpc://127.0.0.1:{}", server.port()), {});
  device->allocate(1);
  EXPECT_EQ(server.terminate(), 0);
  EXPECT_THROW(device->allocate(1), Error);
}

// A run that takes much longer than the test waits.
void run_for_minutes(driver::Device& device) {
  const CoreConfig core = TinyProgram::core();
  const std::string line =
      "gemm.reset uop=[0,1) iter=[16383,16383] dst=[0,0] src=[0,0] wgt=[0,0]\n";
  std::string text;
  for (int i = 0; i < 1000; ++i) text += line;
  const auto stream = isa::assemble(text + "finish\n", "minutes", core);
  const std::span<const uint8_t> bytes = isa::bytes_of(stream);
  driver::RunRequest request;
  request.arena = device.allocate(bytes.size());
  request.arena_bytes = bytes.size();
  request.num_instructions = static_cast<uint32_t>(stream.size());
  device.copy_in(request.arena, bytes);
  device.run(request);
}

// The log of that many clients is longer than the pipe, which the test does not read. The server
// goes on, and says how many lines it has dropped.
TEST(ServerLog, IsDroppedIfNothingReadsIt) {
  ServerProcess server(0, kTinyCore);
  server.shrink_output();
  const std::string uri = fmt::format("rpc://127.0.0.1:{}", server.port());
  for (int client = 0; client < 300; ++client) rpc::open_rpc_device(uri, {});
  EXPECT_TRUE(support::TinyClient(uri, 1).run());
  server.read_line();  // there is space again after a page
  bool told = false;
  while (!told) {
    rpc::open_rpc_device(uri, {});
    const std::string line = server.read_line();
    ASSERT_NE(line, "stopped");
    told = line.find("nothing read the log: ") != std::string::npos;
  }
}

TEST(KilledServer, ASecondSignalWaitsForNoRun) {
  ServerProcess server(0, kTinyCore);
  const auto device = rpc::open_rpc_device(fmt::format("rpc://127.0.0.1:{}", server.port()), {});
  EXPECT_NE(server.read_line(), "") << "the client is connected";
  std::thread client([&] { EXPECT_THROW(run_for_minutes(*device), Error); });
  server.send_terminate();
  EXPECT_EQ(server.read_line(), "stopping");
  server.send_terminate();
  EXPECT_EQ(server.wait(), 128 + SIGTERM);
  client.join();
}

}  // namespace
}  // namespace vta
