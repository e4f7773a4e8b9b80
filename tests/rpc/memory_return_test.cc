// SPDX-License-Identifier: Apache-2.0
//
// A server's memory after clients with many small blocks have gone.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "runtime/rpc/client.h"
#include "tests/rpc/server_process.h"

namespace vta {
namespace {

constexpr uint64_t kBlockBytes = 60'000;  // from the heap, not from a mapping of its own
constexpr int kBlocks = 1500;             // of each client
constexpr uint64_t kMaxLeftBytes = 24 << 20;

void take_block(rpc::Client& client, const std::vector<uint8_t>& content) {
  client.copy_in(client.allocate(kBlockBytes), content);
}

TEST(RpcServerMemory, ReturnsToTheSystemWhenClientsGo) {
  const support::ServerProcess server(0, {});
  const rpc::ClientOptions options =
      rpc::parse_client_uri(fmt::format("rpc://127.0.0.1:{}", server.port()));
  rpc::Client staying(options);
  const std::vector<uint8_t> content(kBlockBytes, 1);
  const uint64_t before = server.resident_bytes();
  {
    rpc::Client leaving(options);
    for (int i = 0; i < kBlocks; ++i) {
      take_block(leaving, content);
      if (i % 100 == 0) take_block(staying, content);  // between the others
    }
    EXPECT_GT(server.resident_bytes(), before + kBlocks * kBlockBytes);
  }
  uint64_t after = 0;
  for (int i = 0; i < 300; ++i) {
    after = server.resident_bytes();
    if (after < before + kMaxLeftBytes) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::printf("resident before %.1f MB, after %.1f MB\n", 1e-6 * static_cast<double>(before),
              1e-6 * static_cast<double>(after));
  EXPECT_LT(after, before + kMaxLeftBytes);
}

}  // namespace
}  // namespace vta
