// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/numbers/random.h"
#include "sim/process_network/stream.h"

namespace vta::process_network {
namespace {

// Two clients of a port, and an unrelated process.
class TwoClients : public testing::Test {
 protected:
  TwoClients() {
    from_first_.bind_writer(first_);
    from_first_.bind_reader(second_);
    from_another_.bind_writer(another_);
    from_another_.bind_reader(second_);
  }
  void run() {
    EXPECT_TRUE(network_.run(std::chrono::steady_clock::now() + std::chrono::seconds(20)));
    EXPECT_TRUE(has_looked_);
  }

  // Runs all other processes as far as possible.
  void let_go(Cycle at) {
    first_.now = at;
    first_.wait_at_gate(at);
  }

  ProcessNetwork network_;
  Stream<NoContent, 2, 1> from_first_, from_another_;
  std::function<void()> first_does_, second_does_;
  bool has_looked_ = false;
  Process first_{network_, "first", [this] { first_does_(), first_.end(100); }};
  Process second_{network_, "second", [this] { second_does_(), second_.end(100); }};
  Process another_{network_, "another", [this] { another_.end(0); }};
  Arbiter port_{{&first_, &second_}};
};

TEST_F(TwoClients, TheSecondDoesNotWatchWhatItWaitsFor) {
  second_does_ = [&] { from_first_.pop(wait_for_item(second_, from_first_, 0, 0, 0)); };
  first_does_ = [&] {
    let_go(1);
    EXPECT_FALSE(port_.is_watched(0));
    from_first_.push(5, {});
    EXPECT_TRUE(port_.is_watched(0)) << "it can go on";
    let_go(9);
    EXPECT_FALSE(port_.is_watched(0)) << "it has ended";
    has_looked_ = true;
  };
  run();
}

TEST_F(TwoClients, TheSecondWatchesWhileItWaitsForAThirdProcess) {
  second_does_ = [&] { from_another_.pop(wait_for_item(second_, from_another_, 0, 0, 0)); };
  first_does_ = [&] {
    let_go(1);
    EXPECT_TRUE(port_.is_watched(0));
    EXPECT_FALSE(port_.is_watched(1)) << "no client has lower priority than the last one";
    has_looked_ = true;
  };
  run();
}

TEST_F(TwoClients, TheSecondWatchesAtItsGate) {
  second_does_ = [&] {
    second_.now = 50;
    second_.wait_at_gate(50);
  };
  first_does_ = [&] {
    let_go(1);
    EXPECT_TRUE(port_.is_watched(0));
    has_looked_ = true;
  };
  run();
}

// Requests that come out of order, of two banks, single cycles and long ones, beside a plain list.
TEST(Arbiter, GrantsEachCycleThatNoClientOfHigherPriorityRequests) {
  constexpr uint64_t kSeed = 41;
  Random random(kSeed);
  ProcessNetwork network;
  Process first{network, "first", [] {}}, second{network, "second", [] {}};
  first.now = kNever;  // all its requests are known
  int free = 0, found_free = 0;
  for (int round = 0; round < 200; ++round) {
    Arbiter port{{&first, &second}};
    std::set<std::pair<Cycle, uint32_t>> requested;
    Cycle now = 0, forgotten = 0;
    for (int i = 0; i < 100; ++i) {
      const auto from = static_cast<Cycle>(std::max<int64_t>(
          static_cast<int64_t>(forgotten), static_cast<int64_t>(now) + random.between(-5, 5)));
      const Cycle to = from + static_cast<Cycle>(random.chance(80) ? 0 : random.between(1, 30));
      const auto bank = static_cast<uint32_t>(random.between(0, 1));
      port.request(0, from, to, bank);
      for (Cycle at = from; at <= to; ++at) requested.insert({at, bank});
      now = std::max(now, from) + 1;
      network.expect(kNever);  // as when another process has run
      for (Cycle at = forgotten; at < now + 3; ++at) {
        for (const uint32_t of : {0u, 1u}) {
          const bool is_free = !requested.contains({at, of});
          ASSERT_EQ(port.grants(1, at, of), is_free)
              << "seed " << kSeed << ", round " << round << ", cycle " << at << ", bank " << of;
          const bool is_found = port.is_free(1, at, of);
          ASSERT_TRUE(is_free || !is_found)
              << "seed " << kSeed << ", round " << round << ", cycle " << at << ", bank " << of;
          free += is_free, found_free += is_found;
        }
      }
      if (random.chance(20) && now > 6) port.forget(1, forgotten = std::max(forgotten, now - 6));
    }
  }
  EXPECT_GT(found_free, 0.9 * free);
}

TEST(Arbiter, DoesNotKnowWhatAnotherMayStillRequest) {
  ProcessNetwork network;
  Process first{network, "first", [] {}}, second{network, "second", [] {}};
  Arbiter port{{&first, &second}};
  first.now = 7;
  EXPECT_TRUE(port.is_free(1, 6, 0));
  EXPECT_FALSE(port.is_free(1, 7, 0));
  EXPECT_TRUE(port.is_free(1, 2, 1)) << "the cycles before the last look";
}

}  // namespace
}  // namespace vta::process_network
