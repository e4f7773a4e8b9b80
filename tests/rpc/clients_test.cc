// SPDX-License-Identifier: Apache-2.0
//
// Many concurrent clients: no run is lost, and no client gets results of another.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/numbers/random.h"
#include "runtime/rpc/client_memory.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/functional/functional_device.h"
#include "tests/support/served.h"
#include "tests/support/tiny_program.h"

namespace vta {
namespace {

using support::Served;
using support::TinyProgram;

constexpr int kClients = 8;

int runs_per_client() { return std::getenv("VTA_NIGHTLY") != nullptr ? 125 : 20; }

rpc::ServerOptions functional_options() {
  rpc::ServerOptions options;
  options.open_device = [] {
    return sim::open_functional_device("functional", TinyProgram::core());
  };
  return options;
}

// Runs the program with its own operands; returns the number of correct runs.
int right_runs(const std::string& uri, uint64_t seed) {
  Random random(seed);
  const auto device = rpc::open_rpc_device(uri, {});
  TinyProgram program(*device);
  hw::Counters expected;
  int right = 0;
  for (int run = 0; run < runs_per_client(); ++run) {
    const auto x = static_cast<int8_t>(random.between(-128, 127));
    const auto w = static_cast<int8_t>(random.between(-128, 127));
    program.set_operands(x, w);
    const hw::Counters counters = device->run(program.request());
    if (run == 0) expected = counters;
    right += counters == expected && program.result() == TinyProgram::expected(x, w) ? 1 : 0;
  }
  return right;
}

TEST(RpcClients, EightAtOnceGetTheirOwnResults) {
  const Served served(functional_options());
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] { right += right_runs(served.uri(), client); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, kClients * runs_per_client());
  std::printf("%d clients, %d runs\n", kClients, kClients * runs_per_client());
}

TEST(RpcClients, ThatComeAndGoLeaveTheDeviceAsItWas) {
  rpc::ServerOptions options = functional_options();
  options.limits.memory_bytes = 4 * rpc::ClientMemory::kGranuleBytes;
  const Served served(options);
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] {
      for (int session = 0; session < 5; ++session) {
        const auto device = rpc::open_rpc_device(served.uri(), {});
        TinyProgram program(*device);
        program.set_operands(static_cast<int8_t>(client), static_cast<int8_t>(session));
        device->run(program.request());
        right += program.result() == TinyProgram::expected(static_cast<int8_t>(client),
                                                           static_cast<int8_t>(session))
                     ? 1
                     : 0;
        device->allocate(TinyProgram::kArenaBytes);  // not freed
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, kClients * 5);
}

}  // namespace
}  // namespace vta
