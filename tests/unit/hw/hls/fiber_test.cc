// SPDX-License-Identifier: Apache-2.0
#include "hw/hls/fiber.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "hw/hls/burst.h"
#include "hw/hls/stream.h"

namespace hls {
namespace {

constexpr auto kForever = std::chrono::steady_clock::time_point::max();

TEST(Scheduler, RunsAPipelineOfProcessesInOrderThroughShortStreams) {
  stream<int, 2> first{"first"}, second{"second"};
  std::vector<int> seen;
  scheduler scheduler;
  scheduler.add("sink", [&] {
    for (;;) seen.push_back(second.read());
  });
  scheduler.add("double", [&] {
    for (;;) second.write(2 * first.read());
  });
  scheduler.add("source", [&] {
    for (int i = 0; i < 100; ++i) first.write(i);
  });
  ASSERT_TRUE(scheduler.run(kForever));
  ASSERT_EQ(seen.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[i], 2 * i);
}

TEST(Scheduler, ReportsWhatEachProcessWaitsForWhenTheNetworkIsQuiet) {
  stream<int, 1> a{"a"};
  token_queue<1> full{"full"};
  full.push();
  scheduler scheduler;
  scheduler.add("reader", [&] { a.read(); });
  scheduler.add("pusher", [&] { full.push(); });
  scheduler.add("halted", [&] { halt(); });
  ASSERT_TRUE(scheduler.run(kForever));
  const std::vector<process_state> states = scheduler.states();
  EXPECT_STREQ(states[0].waits_at->name(), "a");
  EXPECT_FALSE(states[0].for_space);
  EXPECT_STREQ(states[1].waits_at->name(), "full");
  EXPECT_TRUE(states[1].for_space);
  EXPECT_EQ(states[2].waits_at, nullptr);
}

TEST(Scheduler, EndsALoopThatNeverBlocksAtTheDeadline) {
  scheduler scheduler;
  scheduler.add("spinner", [] {
    for (;;) heartbeat();
  });
  EXPECT_FALSE(scheduler.run(std::chrono::steady_clock::now() + std::chrono::milliseconds(5)));
}

TEST(Scheduler, RethrowsExceptionsOfAProcess) {
  scheduler scheduler;
  scheduler.add("thrower", [] { throw std::runtime_error("out of cheese"); });
  EXPECT_THROW(scheduler.run(kForever), std::runtime_error);
}

TEST(Scheduler, UnwindsBlockedProcesses) {
  bool unwound = false;
  struct Guard {
    bool& flag;
    ~Guard() { flag = true; }
  };
  stream<int, 1> never{"never"};
  {
    scheduler scheduler;
    scheduler.add("waiter", [&] {
      Guard guard{unwound};
      never.read();
    });
    ASSERT_TRUE(scheduler.run(kForever));
    EXPECT_FALSE(unwound);
  }
  EXPECT_TRUE(unwound);
}

TEST(Burst, EndsAtTheFourKilobyteBoundaryAndAtSixteenBeats) {
  EXPECT_EQ(burst_beats(0, 100), 16u);
  EXPECT_EQ(burst_beats(4096 - 24, 100), 3u);
  EXPECT_EQ(burst_beats(4096 - 24, 2), 2u);
  EXPECT_EQ(burst_beats(4096, 16), 16u);
  EXPECT_EQ(burst_beats(64, 100), 8u);  // up to a multiple of 128 bytes
}

TEST(ReadPort, ReturnsTheBeatsInTheOrderOfTheRequests) {
  const uint64_t dram[4] = {10, 11, 12, 13};
  read_port<2> port{"port"};
  port.bind(reinterpret_cast<const uint8_t*>(dram));
  port.request(16, 2);
  port.request(0, 1);
  EXPECT_EQ(port.read(), 12u);
  EXPECT_EQ(port.read(), 13u);
  EXPECT_EQ(port.read(), 10u);
}

}  // namespace
}  // namespace hls
